-- Recurring payments of an account, newest first, for the panel's list. Owner: src/panel. Apart from the recurring
-- payments: another index there would cost every charge, because each changes its row.

create table panel_recurring (
  account_id ulid not null,
  created_at timestamptz not null,
  recurring_id ulid not null,
  primary key (account_id, created_at, recurring_id)
);
create function note_new_recurring() returns trigger language plpgsql as $$
begin
  insert into panel_recurring (account_id, created_at, recurring_id) select merchant_id, created_at, id from written;
  return null;
end $$;
create trigger recurring_noted after insert on recurring
  referencing new table as written for each statement execute function note_new_recurring();
insert into panel_recurring (account_id, created_at, recurring_id) select merchant_id, created_at, id from recurring;
