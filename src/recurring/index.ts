// Recurring payments: the schedule, the charge in sets, retries, what comes next and why.
// Owns: recurring, recurring_merchant, recurring_attempt. Endpoints R1 to R7.
// Promises: at most one live attempt per iteration; no attempt starts after a cancel; iterations are never skipped or
// merged; an unknown outcome never turns into a failed one by itself, and is never charged again under a new key.
// Never: talks to the bank inside a database transaction.
export { dueRecurring } from './charge.ts';
export { dueCharges } from './look-up.ts';
export { openRecurring } from './open.ts';
export { listParked as listParkedCharges } from './store/attempts.ts';
export { verifyRecurring } from './verify.ts';
