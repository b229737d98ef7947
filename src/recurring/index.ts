// Recurring payments: the schedule, charging in batches, retries, and explaining what comes next. Endpoints R1 to R7.
// Owns: recurring, recurring_merchant, recurring_attempt.
// Guarantees: at most one live attempt per iteration; no attempt starts after a cancel; iterations are never skipped or
// merged; an unknown result never becomes a failure by itself and is never charged again under a new key.
// Never: calls the bank inside a database transaction.
export { dueRecurring } from './charge.ts';
export { dueCharges } from './look-up.ts';
export type { Recurring } from './model.ts';
export { openRecurring } from './open.ts';
export { listParked as listParkedCharges } from './store/attempts.ts';
export { readRecurring } from './store/recurring.ts';
export { type Upcoming, upcoming } from './upcoming.ts';
export { verifyRecurring } from './verify.ts';
