-- How many transactions a merchant made in each quarter of a day, by status: a list counts quarters and not rows, a page
-- far behind is found without reading all before it, and what nobody paid is found without an index of its own.
-- Owner: src/transactions.
-- Every statement leaves what it changed in transaction_count_change, where no writer waits for another; the engine adds
-- these to transaction_count now and then. Both together are exact at every moment.

create table transaction_count (
  merchant_id ulid not null,
  -- When a quarter of a day begins, in UTC.
  quarter timestamptz not null,
  pending  integer not null check (pending >= 0),
  paid     integer not null check (paid >= 0),
  refund   integer not null check (refund >= 0),
  canceled integer not null check (canceled >= 0),
  primary key (merchant_id, quarter)
);
-- Where something may expire. It takes the place of an index over every pending transaction.
create index transaction_count_pending on transaction_count (quarter) where pending > 0;
drop index transaction_pending;
create table transaction_count_change (
  id bigint generated always as identity primary key,
  merchant_id ulid not null,
  quarter timestamptz not null,
  status text not null check (status in ('pending', 'paid', 'refund', 'canceled')),
  change integer not null check (change <> 0)
);
create index transaction_count_change_merchant on transaction_count_change (merchant_id, quarter);

create function quarter_of(at timestamptz) returns timestamptz language sql immutable
  return date_bin(interval '6 hours', at, timestamptz '1970-01-01 00:00Z');

create function count_new_transactions() returns trigger language plpgsql as $$
begin
  insert into transaction_count_change (merchant_id, quarter, status, change)
  select merchant_id, quarter_of(created_at), status, count(*) from written group by 1, 2, 3;
  return null;
end $$;
create trigger transaction_counted after insert on transaction
  referencing new table as written for each statement execute function count_new_transactions();

create function count_changed_transactions() returns trigger language plpgsql as $$
begin
  insert into transaction_count_change (merchant_id, quarter, status, change)
  select merchant_id, quarter_of(created_at), status, sum(change)
    from (select merchant_id, created_at, status, -1 as change from former
           union all select merchant_id, created_at, status, 1 from present) as changes
   group by 1, 2, 3 having sum(change) <> 0;
  return null;
end $$;
create trigger transaction_counted_again after update on transaction
  referencing old table as former new table as present for each statement execute function count_changed_transactions();

-- Nothing deletes a transaction today; a count must not depend on it.
create function count_gone_transactions() returns trigger language plpgsql as $$
begin
  insert into transaction_count_change (merchant_id, quarter, status, change)
  select merchant_id, quarter_of(created_at), status, -count(*) from gone group by 1, 2, 3;
  return null;
end $$;
create trigger transaction_counted_off after delete on transaction
  referencing old table as gone for each statement execute function count_gone_transactions();

-- The triggers above keep writers away until this transaction ends.
insert into transaction_count (merchant_id, quarter, pending, paid, refund, canceled)
select merchant_id, quarter_of(created_at), count(*) filter (where status = 'pending'),
       count(*) filter (where status = 'paid'), count(*) filter (where status = 'refund'),
       count(*) filter (where status = 'canceled')
  from transaction group by 1, 2;
