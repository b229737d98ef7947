-- A failed recurring payment is restored by a new instrument (R6). Owner: src/recurring.

alter table recurring
  -- Attempts of the open iteration that were made before it was last restored: the next one is not a retry, and those
  -- after it are counted anew.
  add column restored_after integer not null default 0,
  -- The iteration that follows the open one, if dates between them passed while it had failed; null: the next one.
  add column next_iteration integer,
  -- Dates that were passed over in this way. They were not charged, and count for charge_count.
  add column passed integer not null default 0;
alter table recurring
  add constraint recurring_restored check (restored_after between 0 and attempts and passed >= 0
                                           and (next_iteration is null or next_iteration > iteration)) not valid;
