// A statement of a million entries, as camt.053 and as MT940: the time and the memory of `grosz statements check`, run as its
// own process.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { account, balance, camtEntry, camtHead, camtTail, details } from '../test/bankfiles/files.ts';
import { runCommand } from './support/command.ts';
import { say } from './support/figures.ts';

const usualSize = 1_000_000;
const secondsAtMost = 120;
const megabytesAtMost = 300;
const entriesAtOnce = 1_000;

const reference = (number: number) => `GROSZ 01K9Z4M7Q1T4W7A0B2${String(number).padStart(8, '0')}`;

/** All of one zloty to the account. */
function camtEntryOf(number: number): string {
  const party = `<RltdPties><Dbtr><Pty><Nm>Jan Kowalski ${number}</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${account}</IBAN></Id></DbtrAcct></RltdPties>`;
  const title = `<RmtInf><Ustrd>${reference(number)}</Ustrd></RmtInf>`;
  const one = { amount: '1.00', reference: `B${number}`, details: details(`E${number}`, undefined, party + title) };
  return `${camtEntry(one, '08')}\n`;
}

function mt940EntryOf(number: number): string {
  return [
    `:61:2611181118C1,00NTRFE${number}//B${number}`,
    `:86:020<00PRZELEW<20${reference(number)}<32Jan Kowalski<33 ${number}<38${account}`,
    '',
  ].join('\r\n');
}

async function write(
  path: string,
  size: number,
  parts: readonly [string, (number: number) => string, string],
): Promise<void> {
  const [head, entryOf, tail] = parts;
  const file = createWriteStream(path);
  file.write(head);
  for (let first = 1; first <= size; first += entriesAtOnce) {
    const count = Math.min(entriesAtOnce, size - first + 1);
    const some = Array.from({ length: count }, (_, index) => entryOf(first + index)).join('');
    if (!file.write(some)) await once(file, 'drain');
  }
  file.end(tail);
  await finished(file);
}

export async function measureStatements([given = String(usualSize)]: readonly string[]): Promise<boolean> {
  const size = Number(given);
  const folder = await mkdtemp(join(tmpdir(), 'grosz-statements-'));
  const camtBalances = balance('OPBD', '0.00') + balance('CLBD', `${size}.00`);
  const files = {
    'camt.053': [camtHead('08', camtBalances), camtEntryOf, camtTail],
    MT940: [
      `:20:S1\r\n:25:/${account}\r\n:28C:45/1\r\n:60F:C261117PLN0,00\r\n`,
      mt940EntryOf,
      `:62F:C261118PLN${size},00\r\n-\r\n`,
    ],
  } as const;
  let isRight = true;
  try {
    for (const [format, parts] of Object.entries(files)) {
      const path = join(folder, 'file');
      await write(path, size, parts);
      const megabytes = Math.round((await stat(path)).size / 1_000_000);
      process.stdout.write(`${format}: ${size.toLocaleString('en')} entries, ${megabytes} MB\n`);
      const run = await runCommand(['statements', 'check', path]);
      const seconds = run.seconds * (usualSize / size);
      isRight =
        [
          say(run.isRight, `${format}: it adds up`, run.said),
          say(seconds <= secondsAtMost, `${format}: a million within ${secondsAtMost} s`, `${run.seconds} s`),
          say(run.megabytes <= megabytesAtMost, `${format}: at most ${megabytesAtMost} MB`, `${run.megabytes} MB`),
        ].every(Boolean) && isRight;
    }
    return isRight;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
