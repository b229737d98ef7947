-- Journals that wait to be sealed: one row for each statement that inserted some, written by the database itself. A row
-- for each journal, with its index and its check, cost every payment as much as the journal. Owner: src/ledger.

-- First, so that nodes that are booking or sealing have committed before the queue is read.
lock table journal, journal_unsealed in access exclusive mode;

create temporary table unsealed_before on commit drop as select journal_id from journal_unsealed;
drop table journal_unsealed;
create table journal_unsealed (
  id bigint generated always as identity primary key,
  journal_ids text[] not null check (cardinality(journal_ids) > 0)
);
insert into journal_unsealed (journal_ids)
  select array_agg(journal_id)
    from (select journal_id, (row_number() over (order by journal_id) - 1) / 500 as part from unsealed_before) as numbered
   group by part order by part;

create function note_new_journals() returns trigger language plpgsql as $$
begin
  insert into journal_unsealed (journal_ids) select array_agg(id) from written having count(*) > 0;
  return null;
end $$;
create trigger journal_noted after insert on journal
  referencing new table as written for each statement execute function note_new_journals();
create trigger journal_unsealed_stays before update on journal_unsealed
  for each statement execute function refuse_change();
