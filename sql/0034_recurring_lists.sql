-- Lists of recurring payments, and refunds of their charges by card token. Owners: src/recurring, src/transactions.
-- Nodes of earlier builds are stopped first: their panel reads the table that is renamed here.

lock table recurring in share row exclusive mode;

-- What lists filter and sort by, apart from the recurring payments: more indexes there would cost every charge, because
-- each changes its row. It was the panel's, for its own list.
alter table panel_recurring rename to recurring_listed;
alter table recurring_listed rename column account_id to merchant_id;
alter index panel_recurring_pkey rename to recurring_listed_pkey;
alter table recurring_listed
  add column status text not null default 'active',
  -- In lower case.
  add column payer_email text not null collate "C" default '',
  add column hidden_description text not null collate "C" default '';
update recurring_listed as listed
   set status = recurring.status, payer_email = lower(recurring.payer ->> 'email'),
       hidden_description = coalesce(recurring.hidden_description, '')
  from recurring where recurring.id = listed.recurring_id;
create index recurring_listed_payer on recurring_listed (merchant_id, payer_email, created_at, recurring_id) include (status);
create index recurring_listed_hidden on recurring_listed (merchant_id, hidden_description, created_at, recurring_id)
  include (status) where hidden_description <> '';

-- How many a merchant created in each six-hour bucket, by status; see transaction_count.
create table recurring_count (
  merchant_id ulid not null,
  six_hour_bucket timestamptz not null,
  active   integer not null check (active >= 0),
  finished integer not null check (finished >= 0),
  failed   integer not null check (failed >= 0),
  canceled integer not null check (canceled >= 0),
  primary key (merchant_id, six_hour_bucket)
);
create table recurring_count_change (
  id bigint generated always as identity primary key,
  merchant_id ulid not null,
  six_hour_bucket timestamptz not null,
  status text not null check (status in ('active', 'finished', 'failed', 'canceled')),
  change integer not null check (change <> 0)
);
create index recurring_count_change_merchant on recurring_count_change (merchant_id, six_hour_bucket);
insert into recurring_count (merchant_id, six_hour_bucket, active, finished, failed, canceled)
select merchant_id, six_hour_bucket_of(created_at), count(*) filter (where status = 'active'),
       count(*) filter (where status = 'finished'), count(*) filter (where status = 'failed'),
       count(*) filter (where status = 'canceled')
  from recurring group by 1, 2;

create or replace function note_new_recurring() returns trigger language plpgsql as $$
begin
  insert into recurring_listed (merchant_id, created_at, recurring_id, status, payer_email, hidden_description)
  select merchant_id, created_at, id, status, lower(payer ->> 'email'), coalesce(hidden_description, '') from written
      on conflict do nothing;
  insert into recurring_count_change (merchant_id, six_hour_bucket, status, change)
  select merchant_id, six_hour_bucket_of(created_at), status, count(*) from written group by 1, 2, 3;
  return null;
end $$;

-- For each row, because hardly any charge changes the status: the others cost a comparison.
create function note_recurring_status() returns trigger language plpgsql as $$
begin
  update recurring_listed set status = new.status
   where merchant_id = new.merchant_id and created_at = new.created_at and recurring_id = new.id;
  insert into recurring_count_change (merchant_id, six_hour_bucket, status, change)
  values (new.merchant_id, six_hour_bucket_of(new.created_at), old.status, -1),
         (new.merchant_id, six_hour_bucket_of(new.created_at), new.status, 1);
  return null;
end $$;
create trigger recurring_status_noted after update on recurring for each row
  when (old.status is distinct from new.status) execute function note_recurring_status();

-- Nothing deletes a recurring payment today, but the counts must not depend on that.
create function note_gone_recurring() returns trigger language plpgsql as $$
begin
  delete from recurring_listed using gone
   where recurring_listed.merchant_id = gone.merchant_id and recurring_listed.created_at = gone.created_at
     and recurring_listed.recurring_id = gone.id;
  insert into recurring_count_change (merchant_id, six_hour_bucket, status, change)
  select merchant_id, six_hour_bucket_of(created_at), status, -count(*) from gone group by 1, 2, 3;
  return null;
end $$;
create trigger recurring_gone_noted after delete on recurring
  referencing old table as gone for each statement execute function note_gone_recurring();

-- The card token of a charge, as refunds name it: a digest of ours, or a keyed one of the acquirer's. Null for aliases.
alter table recurring_attempt add column card_token text collate "C";
-- The acquirer's tokens are not in card_token.
alter table payment_attempt drop constraint payment_attempt_card_token_fkey;
