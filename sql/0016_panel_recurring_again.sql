-- Nothing deletes a recurring payment today, but inserting one must not depend on that.

create or replace function note_new_recurring() returns trigger language plpgsql as $$
begin
  insert into panel_recurring (account_id, created_at, recurring_id)
  select merchant_id, created_at, id from written on conflict do nothing;
  return null;
end $$;
