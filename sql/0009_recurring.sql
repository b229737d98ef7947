-- Recurring payments. Owner: src/recurring.

create table recurring (
  id ulid constraint recurring_id_unique primary key,
  merchant_id ulid not null references account,
  status text not null check (status in ('active', 'finished', 'failed', 'canceled')),
  -- Of the normalized request, keyed by the vault: the same id with the same data is the same request (R1).
  request_hash text not null,
  -- Of merchant, amount and schedule, by the vault, which the database does not have: they never change.
  plan_mac text not null check (plan_mac <> ''),
  description text not null,
  hidden_description text,
  payer jsonb not null check (payer ? 'email' and payer ? 'name'),
  -- In which the payer saved the card: mails about its charges speak it.
  language text check (length(language) between 2 and 8),
  amount_minor minor_units not null check (amount_minor > 0),
  currency currency_code not null,
  first_charge_at instant not null,
  interval integer not null check (interval >= 1),
  interval_type text not null check (interval_type in ('days', 'months')),
  charge_count integer check (charge_count >= 1),
  -- Null: the default policy.
  retry_intervals jsonb check (is_list_of(retry_intervals, 'strict $[*] ? (@.value >= 1 && @.unit.type() == "string")')),
  instrument_type text not null check (instrument_type in ('card_token', 'blik_payid')),
  instrument_sealed text not null,
  -- Who keeps the card, and alone can charge it; null: any acquirer that takes it.
  instrument_acquirer text check (instrument_acquirer <> ''),
  blik_model text check (blik_model in ('A', 'M', 'O')),
  blik_no_delay boolean,
  callback_url text not null,
  created_at instant not null,
  ended_at instant,
  -- Its progress: the open (or next) iteration, and the attempts and scheduled retries made in it.
  iteration integer not null check (iteration >= 1),
  attempts integer not null check (attempts >= 0),
  retries_used integer not null check (retries_used >= 0),
  -- When the next scheduled attempt is; null if there is none.
  scheduled_at instant,
  -- Used by claims: scheduled_at, or earlier for a manual retry; null while an attempt is in flight.
  due_at instant,
  manual boolean not null default false,
  -- The attempt in flight.
  live_transaction_id ulid,
  last_state text check (last_state in ('correct', 'failed')),
  last_reason text,
  -- A failed recurring payment is restored by a new instrument (R6). Attempts of the open iteration that were made before
  -- it was last restored: the next one is not a retry, and those after it are counted anew.
  restored_after integer not null default 0,
  -- The iteration that follows the open one, if dates between them passed while it had failed; null: the next one.
  next_iteration integer,
  -- Dates that were passed over in this way. They were not charged, and count for charge_count.
  passed integer not null default 0,
  check (charge_count is null or iteration <= charge_count),
  check ((status = 'active') = (ended_at is null)),
  check (due_at is null or (status = 'active' and live_transaction_id is null)),
  constraint recurring_restored check (restored_after between 0 and attempts and passed >= 0
                                       and (next_iteration is null or next_iteration > iteration))
);
create index recurring_due on recurring (due_at) where due_at is not null;
-- For a fair share when more is due than fits into a round.
create index recurring_due_of_merchant on recurring (merchant_id, due_at) where due_at is not null;

create table recurring_merchant (
  merchant_id ulid primary key references account
);

-- A recurring payment with a charge stays.
create function check_recurring_without_charges() returns trigger language plpgsql as $$
begin
  if exists (select from charge where recurring_id = any (array (select id from gone))) then
    raise exception 'a recurring payment has charges' using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger recurring_without_charges after delete on recurring
  referencing old table as gone for each statement execute function check_recurring_without_charges();
create trigger recurring_id_stays before update of id on recurring
  for each statement execute function refuse_change();
create trigger recurring_kept before truncate on recurring for each statement execute function refuse_change();

-- What lists filter and sort by, apart from the recurring payments: more indexes there would cost every charge, because
-- each changes its row.
create table recurring_listed (
  merchant_id ulid not null,
  created_at instant not null,
  recurring_id ulid not null,
  status text not null default 'active',
  -- In lower case.
  payer_email text not null collate "C" default '',
  hidden_description text not null collate "C" default '',
  primary key (merchant_id, created_at, recurring_id)
);
create index recurring_listed_payer on recurring_listed (merchant_id, payer_email, created_at, recurring_id) include (status);
create index recurring_listed_hidden on recurring_listed (merchant_id, hidden_description, created_at, recurring_id)
  include (status) where hidden_description <> '';

-- How many a merchant created in each six-hour bucket, by status; see transaction_count.
create table recurring_count (
  merchant_id ulid not null,
  six_hour_bucket instant not null,
  active   integer not null check (active >= 0),
  finished integer not null check (finished >= 0),
  failed   integer not null check (failed >= 0),
  canceled integer not null check (canceled >= 0),
  primary key (merchant_id, six_hour_bucket)
);
create table recurring_count_change (
  id bigint generated always as identity primary key,
  merchant_id ulid not null,
  six_hour_bucket instant not null,
  status text not null check (status in ('active', 'finished', 'failed', 'canceled')),
  change integer not null check (change <> 0)
);
create index recurring_count_change_merchant on recurring_count_change (merchant_id, six_hour_bucket);

create function note_new_recurring() returns trigger language plpgsql as $$
begin
  insert into recurring_listed (merchant_id, created_at, recurring_id, status, payer_email, hidden_description)
  select merchant_id, created_at, id, status, lower(payer ->> 'email'), coalesce(hidden_description, '') from new_rows
      on conflict do nothing;
  insert into recurring_count_change (merchant_id, six_hour_bucket, status, change)
  select merchant_id, six_hour_bucket_of(created_at), status, count(*) from new_rows group by 1, 2, 3;
  return null;
end $$;
create trigger recurring_noted after insert on recurring
  referencing new table as new_rows for each statement execute function note_new_recurring();

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
