// reconcile: the books against the acquirer's statement.

import { statementSentences } from '../../contract/codes/english/parking.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { patientTimes } from '../database/index.ts';
import { decimalText } from '../kernel/index.ts';
import type { Progress, Run, Total } from '../reconciliation/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';

export const reconcile: Command = {
  name: 'reconcile',
  summary: "Compares the books with the acquirer's statement.",
  usage: '[--acquirer NAME] [--from TIME] [--to TIME]',
  details: `Reads every capture, refund and payout of the period and compares it with payments, charges, refunds and journals.
Everything that is booked for a key counts, corrections included, and so do the sums of each kind. What the bank has and
the books have not is booked to payer:unallocated and parked; what the books have and the bank has not, and every
different amount, is parked: see grosz parked. A difference that was decided is named again when an amount changes or the
bank does not keep its word within three days. Results that payments or refunds still wait for are passed on to them.
Payouts are booked, unless the acquirer does not owe that much.
  --acquirer NAME  one acquirer, as in ACQUIRERS or in the ledger; by default each in turn, also one that is switched off
  --from TIME  a day such as 2026-03-10, or a time such as 2026-03-10T09:00:00Z; by default three days before the end of
               the last period, at first everything
  --to TIME    exclusive; by default now
The service may run meanwhile; RECONCILE_AT does the same every day. The exit code is 1 if anything was found now or is
still open, or if the statement is not complete.`,
  options: { acquirer: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
  words: 0,
  run: (invocation) =>
    withService(
      invocation,
      'reconcile',
      async ({ rooms, tools }) => {
        const period = { from: readTime(invocation, 'from'), to: readTime(invocation, 'to') };
        if (period.from && period.to && Temporal.Instant.compare(period.from, period.to) >= 0) {
          throw new StartFault('--from must be before --to.');
        }
        if (period.from && Temporal.Instant.compare(period.from, tools.clock.now()) >= 0) {
          throw new StartFault('--from is in the future.');
        }
        const change = { command: 'reconcile', action: 'P111', accountId: null };
        const names = namesOf(tools, optionText(invocation, 'acquirer'));
        const runs = await changing(tools, invocation, change, async () => {
          const made: Run[] = [];
          for (const acquirer of names) {
            const run = await rooms.reconciliation.reconcile({ ...period, acquirer }, progressOf(invocation));
            if (!run) throw new StartFault(`Another reconciliation with ${acquirer} is in progress.`);
            made.push(run);
          }
          return made;
        });
        const totals = Map.groupBy(await rooms.reconciliation.totals(runs.map(({ id }) => id)), ({ runId }) => runId);
        const faults = runs.flatMap((run) => report(run, totals.get(run.id) ?? [], invocation) ?? []);
        if (faults.length > 0) throw new StartFault(faults.join('\n'));
      },
      { times: patientTimes },
    ),
};

/** The names in the ledger of those to compare with. */
function namesOf({ acquirers }: Pick<Tools, 'acquirers'>, wanted: string | undefined): string[] {
  const found = acquirers.list.filter(
    ({ name, acquirer }) => wanted === undefined || wanted === name || wanted === acquirer.name,
  );
  if (found.length > 0) return found.map(({ acquirer }) => acquirer.name);
  const names = acquirers.list.map(({ name }) => name).join(', ');
  throw new StartFault(`--acquirer must be one of ${names}.`);
}

export function readTime(invocation: Invocation, name: string): Temporal.Instant | undefined {
  const text = optionText(invocation, name);
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  } catch {
    throw new StartFault(`--${name} must be a day such as 2026-03-10 or a time such as 2026-03-10T09:00:00Z.`);
  }
}

const printedEvery = 50_000n;

/** A line for every 50,000 lines of the statement. */
function progressOf({ print }: Invocation): Progress {
  let printed = 0n;
  return (run, step) => {
    const read = run.captures + run.refunds + run.payouts;
    if (step !== 'statement' || read - printed < printedEvery) return;
    printed = read;
    print(`${read} lines of the statement compared, ${run.found} differences.`);
  };
}

function counted(count: bigint | number, name: string): string {
  return `${count} ${name}${BigInt(count) === 1n ? '' : 's'}`;
}

/** A sum of the books that is not that of the statement, and why. */
function totalText({ kind, bankMinor, ourMinor, elsewhereMinor, namedMinor, unexplainedMinor }: Total): string {
  const parts = [
    [elsewhereMinor, 'booked in another period'],
    [namedMinor, 'in open differences'],
    [unexplainedMinor, 'not explained'],
  ] as const;
  const why = parts.filter(([minor]) => minor !== 0n).map(([minor, text]) => `${decimalText(minor)} ${text}`);
  const sums = `the statement has ${decimalText(bankMinor)}, the books have ${decimalText(ourMinor)}`;
  return `sum of ${kind}s: ${sums}; ${why.join(', ')}`;
}

/** Prints a run; returns what is not as it should be. */
function report(run: Run, totals: readonly Total[], { print }: Invocation): string | undefined {
  const { fromAt, toAt, captures, refunds, payouts, applied, found, open } = run;
  print(`${run.acquirer}, from ${fromAt} to ${toAt}:`);
  print(`  ${counted(captures, 'capture')} of ${decimalText(run.capturedMinor)}`);
  print(`  ${counted(refunds, 'refund')} of ${decimalText(run.refundedMinor)}`);
  print(
    `  ${counted(payouts, 'payout')} of ${decimalText(run.paidOutMinor)}, with fees of ${decimalText(run.feesMinor)}`,
  );
  for (const total of totals) if (total.bankMinor !== total.ourMinor) print(`  ${totalText(total)}`);
  if (applied > 0) print(`  ${counted(applied, 'result')} passed on to payments and refunds that waited for them`);
  const why = run.why && sentenceOf(statementSentences, run.why);
  if (run.state === 'incomplete') return `Not complete: ${why} ${counted(found, 'difference')} so far.`;
  if (why !== null) print(`  ${why}`);
  if (found > 0) return `${counted(found, 'difference')}. They are parked: grosz parked list`;
  if (open > 0) return `Nothing new; ${counted(open, 'difference')} open: grosz parked list`;
  if (run.state === 'differs') return 'The statement needs a look: ask the bank about it.';
  print('The books agree with the bank.');
  return undefined;
}
