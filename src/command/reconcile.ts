// reconcile: the books against the acquirer's statement.

import { statementSentences } from '../../contract/codes/english/parking.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { patientTimes } from '../database/index.ts';
import type { Progress, Run, Total } from '../reconciliation/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { warnOfUnnamed, withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';
import { faultText, movedTexts } from './reconcile-report.ts';
import { readTime } from './times.ts';

export const reconcile: Command = {
  name: 'reconcile',
  summary: "Compares the books with the acquirer's statement.",
  usage: '[--acquirer NAME] [--from TIME] [--to TIME]',
  details: `Reads every line of the period (captures, refunds, payouts, fees, disputes and what else moved) and compares it with
payments, charges, refunds, disputes and journals.
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
        refuseEmpty(period, tools.clock.now(), await rooms.reconciliation.findBeginning());
        await warnOfUnnamed(tools, invocation);
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

/** A period in which nothing can be must not look as if the books agreed with the bank. */
function refuseEmpty(
  { from, to }: { readonly from: Temporal.Instant | undefined; readonly to: Temporal.Instant | undefined },
  now: Temporal.Instant,
  beginning: Temporal.Instant | null,
): void {
  const { compare } = Temporal.Instant;
  if (from && to && compare(from, to) >= 0) throw new StartFault('--from must be before --to.');
  if (from && compare(from, now) >= 0) throw new StartFault('--from is in the future.');
  if (!from && to && beginning && compare(to, beginning) <= 0)
    throw new StartFault(
      `--to must be after the books begin, on ${beginning}. To compare what the bank had before, add --from.`,
    );
}

/** The names in the ledger of those to compare with. */
function namesOf({ acquirers }: Pick<Tools, 'acquirers'>, wanted: string | undefined): string[] {
  const found = acquirers.list.filter(
    ({ name, acquirer }) => wanted === undefined || wanted === name || wanted === acquirer.name,
  );
  const used = found.filter(({ isNew }) => !isNew);
  if (used.length > 0) return used.map(({ acquirer }) => acquirer.name);
  if (found.length > 0)
    throw new StartFault(`This database has nothing of ${found.map(({ name }) => name).join(', ')} to compare.`);
  const names = acquirers.list.map(({ name }) => name).join(', ');
  throw new StartFault(`--acquirer must be one of ${names}.`);
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

/** Prints a run; returns what is not as it should be. */
function report(run: Run, totals: readonly Total[], { print }: Invocation): string | undefined {
  print(`${run.acquirer}, from ${run.fromAt} to ${run.toAt}:`);
  for (const text of movedTexts(run, totals)) print(`  ${text}`);
  if (run.state !== 'incomplete' && run.why !== null) print(`  ${sentenceOf(statementSentences, run.why)}`);
  const fault = faultText(run);
  if (fault === undefined) print('The books agree with the bank.');
  return fault;
}
