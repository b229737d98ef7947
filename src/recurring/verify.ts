// Checks recurring payments, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, problemsOf, type Verifying, verifyPages } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { isPlanOf } from './plan.ts';
import { nextOf, startsIteration } from './rules.ts';
import { listMislisted, recurringCounts } from './store/lists.ts';
import {
  listMisledCharges,
  listMisledRecurring,
  listRecurringChargesSince,
  listRecurringSince,
  listScheduled,
  type Scheduled,
} from './store/verify.ts';

/**
 * Each recurring payment or charge that contradicts its attempts, its transactions or its schedule, or that lists show or
 * count wrongly.
 */
export async function verifyRecurring({ vault }: Pick<Tools, 'vault'>, verifying: Verifying): Promise<Finding[]> {
  const { sql, since, now } = verifying;
  const recurring = { table: 'recurring', key: 'id', changed: listRecurringSince };
  const charges = { table: 'charge', key: 'id', changed: listRecurringChargesSince };
  const mislisted = since ? [] : await listMislisted(sql, findingsAtMost);
  const miscounted = since ? [] : await recurringCounts.listMiscounted(sql, findingsAtMost);
  return [
    ...(await verifyPages(verifying, recurring, async (page) => [
      ...(await listMisledRecurring(sql, page)),
      ...(await problemsOf(await listScheduled(sql, page), (one) => scheduleProblems(vault, one, now))),
    ])),
    ...(await verifyPages(verifying, charges, (page) => listMisledCharges(sql, page))),
    ...mislisted.map((id): Finding => ({ code: 'recurring_mislisted', parameters: { id } })),
    ...miscounted.map((parameters): Finding => ({ code: 'recurring_miscounted', parameters })),
  ];
}

/** What is charged and when is what was asked for, and the next date follows from it. */
function scheduleProblems(vault: Tools['vault'], one: Scheduled, now: Temporal.Instant): Finding[] {
  const { id } = one;
  if (!isPlanOf(vault, one)) return [{ code: 'recurring_plan_changed', parameters: { id } }];
  const problem = one.progress.status === 'active' && one.liveTransactionId === null && !isDueAsPlanned(one, now);
  return problem ? [{ code: 'recurring_misscheduled', parameters: { id, due: one.dueAt?.toString() ?? null } }] : [];
}

function isDueAsPlanned(one: Scheduled, now: Temporal.Instant): boolean {
  const { dueAt, manual, progress, endedAttemptAt } = one;
  const { scheduledAt } = progress;
  if (dueAt === null || scheduledAt === null) return false;
  if (!isSet(one, scheduledAt)) return false;
  if (manual) return Temporal.Instant.compare(dueAt, now) <= 0;
  // What was due before an attempt ended is due when it has ended.
  const isLate = endedAttemptAt !== null && Temporal.Instant.compare(scheduledAt, endedAttemptAt) < 0;
  return dueAt.equals(isLate ? endedAttemptAt : scheduledAt);
}

/** Whether the next scheduled attempt is at the time that its rule gives. */
function isSet({ plan, progress, attemptedAt, zoneChanged }: Scheduled, scheduledAt: Temporal.Instant): boolean {
  // A restored one is tried at once, whenever that was; and a date that was set in another time zone stays.
  const isRestored = startsIteration(progress) && progress.restoredAfter > 0;
  if (isRestored || zoneChanged) return true;
  return nextOf(plan, progress, attemptedAt)?.equals(scheduledAt) ?? false;
}
