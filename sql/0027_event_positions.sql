-- Positions of events, apart from the events: assigning one rewrote the whole event, with its body and an entry in each
-- index, which cost as much again. Owner: src/notifications.

drop index event_position, event_account, event_unnumbered, event_subject;

-- Assigned after the commit, by one node at a time, without gaps: a reader that has read up to a position has missed
-- nothing.
create table event_position (
  position   bigint primary key check (position > 0),
  event_id   ulid not null unique,
  account_id ulid not null
);
insert into event_position (position, event_id, account_id)
  select position, id, account_id from event where position is not null order by position;
create index event_position_account on event_position (account_id, position);
create trigger event_position_kept before update or delete or truncate on event_position
  for each statement execute function refuse_change();

-- Events without a position: one row for each statement that inserted some.
create table event_unnumbered (
  id bigint generated always as identity primary key,
  account_ids text[] not null,
  event_ids   text[] not null check (cardinality(event_ids) > 0)
);
insert into event_unnumbered (account_ids, event_ids)
  select array_agg(distinct account_id), array_agg(id)
    from (select id, account_id, (row_number() over (order by created_at, id) - 1) / 500 as part
            from event where position is null) as numbered
   group by part order by part;
create function note_new_events() returns trigger language plpgsql as $$
begin
  insert into event_unnumbered (account_ids, event_ids)
    select array_agg(distinct account_id), array_agg(id) from written having count(*) > 0;
  return null;
end $$;
create trigger event_noted after insert on event
  referencing new table as written for each statement execute function note_new_events();
create trigger event_unnumbered_stays before update on event_unnumbered
  for each statement execute function refuse_change();

alter table event drop column position;
-- The events of a transaction or refund.
create index event_subject on event (subject_id);
