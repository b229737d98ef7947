-- Deliveries and their log are checked against events once per statement. The foreign keys looked up and locked an event
-- for each row: a quarter of what PostgreSQL spent on a delivery. Owner: src/notifications.

-- Events are never deleted, so a reference cannot break later.
create trigger event_kept before delete or truncate on event for each statement execute function refuse_change();
create trigger event_id_stays before update of id on event for each statement execute function refuse_change();

create function check_event_known() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  -- An array, so that the plan is an index scan by key. Only if a row has no event of its own, which several attempts of
  -- one event have not either, is each looked up.
  if (select count(*) from event where id = any (array (select event_id from written)))
     = (select count(*) from written) then
    return null;
  end if;
  select event_id into wrong from written
   where (select id from event where id = written.event_id) is null limit 1;
  if found then
    raise exception 'unknown event %', wrong using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;

alter table delivery drop constraint delivery_event_id_fkey;
create trigger delivery_event_known after insert on delivery
  referencing new table as written for each statement execute function check_event_known();
create trigger delivery_event_stays before update of event_id on delivery
  for each statement execute function refuse_change();

alter table delivery_try drop constraint delivery_try_event_id_fkey;
create trigger delivery_try_event_known after insert on delivery_try
  referencing new table as written for each statement execute function check_event_known();
create trigger delivery_try_event_stays before update of event_id on delivery_try
  for each statement execute function refuse_change();
