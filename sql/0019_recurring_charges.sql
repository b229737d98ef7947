-- An attempt that never reached the bank before its recurring payment was canceled ends as `canceled` (interface 2.4).
-- Owner: src/recurring.

alter table recurring_attempt drop constraint recurring_attempt_state_check;
alter table recurring_attempt add constraint recurring_attempt_state_check
  check (state in ('sent', 'waiting', 'unknown', 'correct', 'failed', 'canceled'));
