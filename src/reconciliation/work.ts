// The daily run.

import type { WorkName } from '../../contract/codes/works.ts';
import type { Work } from '../runtime/index.ts';
import { reconcile } from './compare.ts';
import type { Run } from './model.ts';
import { findComparedUntil, findLastRun } from './store/runs.ts';
import type { ReconciliationTools } from './tools.ts';

const everyMilliseconds = 5_000;
/** After a run that was not complete. */
const again = Temporal.Duration.from({ hours: 1 });
const day = Temporal.Duration.from({ hours: 24 });

export function worksOf(tools: ReconciliationTools): Work<WorkName>[] {
  return [{ name: 'reconcile', run: () => reconcileDaily(tools), everyMilliseconds }];
}

/** Compares with each acquirer once a day, after the configured time; returns with how many. */
async function reconcileDaily(tools: ReconciliationTools): Promise<number> {
  const { reconcileAt } = tools.config;
  if (reconcileAt === undefined) return 0;
  const due = lastTime(tools.clock.now(), reconcileAt);
  let runs = 0;
  for (const { acquirer } of tools.acquirers.list) runs += await reconcileOnce(tools, acquirer.name, due);
  return runs;
}

/** One that has no statement does not keep the others from being compared. */
async function reconcileOnce(tools: ReconciliationTools, acquirer: string, due: Temporal.Instant): Promise<number> {
  const { sql } = tools.db;
  const until = await findComparedUntil(sql, acquirer);
  if (until && Temporal.Instant.compare(until, due) >= 0) return 0;
  const last = await findLastRun(sql, acquirer);
  if (last && isTooEarly(tools, last)) return 0;
  const run = await reconcile(tools, { acquirer });
  if (!run) return 0;
  const { state, captures, refunds, payouts, applied, found, why } = run;
  const counts = {
    acquirer,
    state,
    captures: Number(captures),
    refunds: Number(refunds),
    payouts: Number(payouts),
    applied,
    found,
    why,
  };
  if (state === 'agreed') tools.log.info(counts, 'reconciled with the bank');
  else tools.log.error(counts, 'the reconciliation with the bank needs a look: grosz parked list');
  return 1;
}

/** After a run that was not complete the acquirer gets time; one whose process died is taken over at once. */
function isTooEarly({ wall }: ReconciliationTools, { state, why, startedAt }: Run): boolean {
  if (state !== 'incomplete' || why?.code === 'process_ended') return false;
  return Temporal.Instant.compare(startedAt.add(again), wall.now()) > 0;
}

/** The last time of day `at` (minutes of the day, in UTC) up to now. */
export function lastTime(now: Temporal.Instant, at: number): Temporal.Instant {
  const today = now.toZonedDateTimeISO('UTC').startOfDay().add({ minutes: at }).toInstant();
  return Temporal.Instant.compare(today, now) <= 0 ? today : today.subtract(day);
}
