// verify: whether the books agree with themselves.

import { findingSentences } from '../../contract/codes/english/findings.ts';
import type { ChainName, Finding } from '../../contract/codes/findings.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { type ChainReader, formatHeads, notedProblems, parseHeads, patientTimes } from '../database/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { withService } from './books.ts';
import { type Command, type Invocation, optionText } from './command.ts';
import { newestOf, noteIn } from './heads.ts';
import { readTime } from './times.ts';

export const verify: Command = {
  name: 'verify',
  summary: 'Recomputes the books and reports every wrong row.',
  usage: '[--since last|TIME] [--head HEAD]',
  details: `Reads the hash chain of the journals, and checks that each sums to zero and each balance is the sum of its entries; that
each journal has the row that it is about, with that amount, and each row its journals; that what we owe to payers and
the acquirer owes to us is what payments and refunds say; that nothing unfinished is forgotten; that refunds never exceed
what was paid, and recurring payments follow their schedule; that the audit log was not changed, and that no chain was
cut off. The exit code is 1 if anything is wrong. docs/operations.md says what it cannot see.
  --since last what was made or moved since the books were last found right: seconds instead of minutes. The service does
               it every hour (VERIFY_EVERY). What a run of everything found wrong stays wrong until another one finds it gone
  --since TIME the same since a day such as 2026-03-10, or a time such as 2026-03-10T09:00:00Z
  --head HEAD  what an earlier run printed as its head: the chains must still contain it. Note it down where nobody who
               can write to the database gets at it
It seals the journals that wait for it and keeps how far the books were right; else it changes nothing but the list of runs,
whose last ones the panel shows (Operator, Books). The head is also kept in the data folder, and compared by the next run.`,
  options: { head: { type: 'string' }, since: { type: 'string' } },
  words: 0,
  run: (invocation) =>
    withService(invocation, 'verify', (service) => verifyAll(service, invocation), { times: patientTimes }),
};

async function verifyAll({ rooms, tools }: Service, invocation: Invocation): Promise<void> {
  const text = optionText(invocation, 'head');
  const noted = text === undefined ? [] : parseHeads(text);
  if (!noted) throw new StartFault('--head must be what grosz verify printed: ledger:NUMBER:HASH,audit:NUMBER:HASH.');
  const since = await sinceOf({ rooms, tools }, invocation);
  const chains: Record<ChainName, ChainReader> = {
    ledger: rooms.ledger.chain,
    audit: rooms.identity.chain,
    reconciliation: rooms.reconciliation.chain,
    verification: rooms.verification.chain,
  };
  const file = noteIn(tools);
  // Read first: what is appended while the rest is checked is in the chains by then.
  const heads = formatHeads(await newestOf(chains));
  const startedAt = tools.wall.now();
  const progress = progressOf(invocation);
  const { problems: found, journals, entries, reread } = await rooms.verification.verifyBooks({ since, progress });
  const named: Finding[] = [];
  for (const [chain, head] of noted) named.push(...(await notedProblems(chain, head, chains[chain])));
  const problems = [...found, ...named, ...(await file.compare(chains))];
  await rooms.verification.keep({ startedAt, sinceAt: since ?? null, problems, journals, entries, reread });
  if (problems.length > 0)
    throw new StartFault(
      [
        'The books are wrong:',
        ...problems.map((problem) => `  ${sentenceOf(findingSentences, problem)}`),
        ...(named.length > 0 ? [otherHead] : []),
      ].join('\n'),
    );
  if (since) await objectToOlder(rooms);
  const scope = since ? ` since ${since}` : '';
  invocation.print(`The books are correct${scope}: ${journals} journals, ${entries} entries.`);
  if (heads === '') return;
  await file.keep(heads);
  invocation.print(`Head: ${heads}`);
}

/** A typo looks like a chain that was written anew. */
const otherHead =
  'What --head names may be mistyped, or of another installation. Run grosz verify without it: that verifies the books by themselves.';

/** What changed may be right while something else is known to be wrong. */
async function objectToOlder({ verification }: Service['rooms']): Promise<void> {
  const count = await verification.countStanding();
  if (count === 0) return;
  throw new StartFault(
    `Nothing that changed is wrong, but of what was found wrong before, ${count} stand. Only a run of everything shows whether they are gone: grosz verify`,
  );
}

async function sinceOf(
  { rooms, tools }: Pick<Service, 'rooms' | 'tools'>,
  invocation: Invocation,
): Promise<Temporal.Instant | undefined> {
  if (optionText(invocation, 'since') !== 'last') {
    const at = readTime(invocation, 'since');
    // Nothing was checked then, which must not look as if the books were correct.
    if (at && Temporal.Instant.compare(at, tools.wall.now()) >= 0) throw new StartFault('--since is in the future.');
    return at;
  }
  const right = await rooms.verification.lastRight();
  if (!right) invocation.print('The books were never found right before: everything is verified.');
  return right;
}

const printedEvery = 250_000;

/** A line for every so many rows. */
function progressOf({ print }: Invocation): (part: string, rows: number) => void {
  const printed = new Map<string, number>();
  return (part, rows) => {
    if (rows - (printed.get(part) ?? 0) < printedEvery) return;
    printed.set(part, rows);
    print(`${part}: ${rows} rows read.`);
  };
}
