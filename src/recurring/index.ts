// Recurring payments: the schedule, charging in batches, retries, and explaining what comes next. Endpoints R1 to R8.
// Owns: recurring, recurring_merchant, recurring_listed, recurring_count, recurring_count_change.
// Guarantees: at most one live attempt per iteration; no attempt starts after a cancel; iterations are never
// merged, and skipped only when a failed one is restored after their dates; an unknown result never becomes a failure by
// itself and is never charged again under a new key.
// Never: calls the bank inside a database transaction.
export { dueRecurring } from './charge.ts';
export { recurringFailures } from './failures.ts';
export { type Dated, findDated } from './list-recurring.ts';
export type { Recurring } from './model.ts';
export { openRecurring } from './open.ts';
export { signPlan } from './plan.ts';
export { readRecurring } from './store/recurring.ts';
export { type Upcoming, upcoming } from './upcoming.ts';
export { verifyRecurring } from './verify.ts';
