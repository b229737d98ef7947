// Asks at the terminal for what must not be an argument, because arguments are seen by everybody on the machine and kept in
// the history of the shell. From a pipe a line is an answer.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartFault } from '../runtime/index.ts';

const silent = new Writable({ write: (_chunk, _encoding, done) => done() });

let reading: AsyncIterator<string> | undefined;

/** The lines of a pipe, in order. */
async function nextLine(): Promise<string | undefined> {
  reading ??= createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  const { value, done } = await reading.next();
  return done ? undefined : value;
}

/** What is typed until Enter, without showing it. */
export async function ask(question: string): Promise<string> {
  process.stderr.write(`${question}: `);
  const { stdin } = process;
  const answer = stdin.isTTY ? await typed() : await nextLine();
  process.stderr.write('\n');
  if (answer === undefined) throw new StartFault('Nothing was typed.');
  return answer;
}

function typed(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const line = createInterface({ input: process.stdin, output: silent, terminal: true });
    line.once('close', () => resolve(undefined));
    line.question('', (answer) => {
      resolve(answer);
      line.close();
    });
  });
}
