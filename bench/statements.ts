// A statement of a million entries, as camt.053 and as MT940: the time and the memory of `grosz statements check` and `import`,
// each run as its own process; then of the import of the same file again, which books nothing.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { account, balance, camtEntry, camtHead, camtTail, details } from '../test/bankfiles/files.ts';
import { onConnection } from './reconcile/fill.ts';
import { runCommand } from './support/command.ts';
import { say } from './support/figures.ts';
import { type BenchDatabase, openBenchDatabase } from './support/postgres.ts';

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
    `:61:2611191119C1,00NTRFE${number}//B${number}`,
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

const secondsAgainAtMost = 20;

type Environment = Readonly<Record<string, string>>;

/** An installation with our account at the bank. */
async function aService(database: BenchDatabase): Promise<Environment> {
  const url = await database.create('statements');
  const environment = { MODE: 'sandbox', DATA_DIR: `${database.folder}/data`, DATABASE_URL: url };
  const opened = await runCommand(['statements', 'open', account, '--name', 'bench'], environment);
  if (!opened.isRight) throw new Error(opened.said);
  return environment;
}

/** How many journals lines have. */
async function journalsIn({ DATABASE_URL }: Environment): Promise<number> {
  let count = 0;
  await onConnection(DATABASE_URL ?? '', async (client) => {
    const { rows } = await client.query("select count(*)::integer as count from journal where kind like 'bank %'");
    count = Number(rows[0]?.count);
  });
  return count;
}

async function measureImport(path: string, format: string, size: number, environment: Environment): Promise<boolean> {
  const before = await journalsIn(environment);
  const first = await runCommand(['statements', 'import', path], environment);
  const booked = (await journalsIn(environment)) - before;
  const again = await runCommand(['statements', 'import', path], environment);
  const twice = (await journalsIn(environment)) - before - booked;
  const of = (seconds: number) => seconds * (usualSize / size);
  return [
    say(first.isRight && booked === size, `${format}: each line is booked`, `${booked} journals`),
    say(
      of(first.seconds) <= secondsAtMost,
      `${format}: a million imported within ${secondsAtMost} s`,
      `${first.seconds} s`,
    ),
    say(first.megabytes <= megabytesAtMost, `${format}: at most ${megabytesAtMost} MB for it`, `${first.megabytes} MB`),
    say(again.isRight && twice === 0, `${format}: again, nothing is booked`, `${twice} journals`),
    say(
      of(again.seconds) <= secondsAgainAtMost,
      `${format}: again within ${secondsAgainAtMost} s`,
      `${again.seconds} s`,
    ),
  ].every(Boolean);
}

export async function measureStatements([given = String(usualSize)]: readonly string[]): Promise<boolean> {
  const size = Number(given);
  const folder = await mkdtemp(join(tmpdir(), 'grosz-statements-'));
  const camtBalances = balance('OPBD', '0.00') + balance('CLBD', `${size}.00`);
  const files = {
    'camt.053': [camtHead('08', camtBalances), camtEntryOf, camtTail],
    MT940: [
      `:20:S1\r\n:25:/${account}\r\n:28C:46/1\r\n:60F:C261118PLN${size},00\r\n`,
      mt940EntryOf,
      `:62F:C261119PLN${2 * size},00\r\n-\r\n`,
    ],
  } as const;
  let isRight = true;
  const database = await openBenchDatabase();
  try {
    const environment = await aService(database);
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
      isRight = (await measureImport(path, format, size, environment)) && isRight;
    }
    return isRight;
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
