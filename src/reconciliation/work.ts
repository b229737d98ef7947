// The daily run.

import type { Work } from '../runtime/index.ts';
import { reconcile } from './compare.ts';
import type { Run } from './model.ts';
import { findComparedUntil, findLastRun } from './store/runs.ts';
import type { ReconciliationTools } from './tools.ts';

const everyMilliseconds = 5_000;
/** After a run that was not complete. */
const again = Temporal.Duration.from({ hours: 1 });
const day = Temporal.Duration.from({ hours: 24 });

export function worksOf(tools: ReconciliationTools): Work[] {
  return [{ name: 'reconcile', run: () => reconcileDaily(tools), everyMilliseconds }];
}

/** Compares once a day, after the configured time; returns 1 if it did. */
async function reconcileDaily(tools: ReconciliationTools): Promise<number> {
  const { reconcileAt } = tools.config;
  if (reconcileAt === undefined) return 0;
  const { sql } = tools.db;
  const due = lastTime(tools.clock.now(), reconcileAt);
  const until = await findComparedUntil(sql, tools.acquirer.name);
  if (until && Temporal.Instant.compare(until, due) >= 0) return 0;
  const last = await findLastRun(sql, tools.acquirer.name);
  if (last && isTooEarly(tools, last)) return 0;
  const run = await reconcile(tools);
  if (!run) return 0;
  const { state, captures, refunds, payouts, applied, found, why } = run;
  const counts = {
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
