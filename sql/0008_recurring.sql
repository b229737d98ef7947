-- Recurring payments. Owner: src/recurring.

create table recurring (
  id ulid constraint recurring_id_unique primary key,
  merchant_id ulid not null references account,
  status text not null check (status in ('active', 'finished', 'failed', 'canceled')),
  -- Of the normalized request, keyed by the vault: the same id with the same data is the same request (R1).
  request_hash text not null,
  description text not null,
  hidden_description text,
  payer jsonb not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('PLN')),
  first_charge_at timestamptz not null,
  interval integer not null check (interval >= 1),
  interval_type text not null check (interval_type in ('days', 'months')),
  charge_count integer check (charge_count >= 1),
  -- Null: the default policy.
  retry_intervals jsonb,
  instrument_type text not null check (instrument_type in ('card_token', 'blik_payid')),
  instrument_sealed text not null,
  blik_model text check (blik_model in ('A', 'M', 'O')),
  blik_no_delay boolean,
  callback_url text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Its progress: the open (or next) iteration, and the attempts and scheduled retries made in it.
  iteration integer not null check (iteration >= 1),
  attempts integer not null check (attempts >= 0),
  retries_used integer not null check (retries_used >= 0),
  -- When the next scheduled attempt is; null if there is none.
  scheduled_at timestamptz,
  -- Used by claims: scheduled_at, or earlier for a manual retry; null while an attempt is in flight.
  due_at timestamptz,
  manual boolean not null default false,
  -- The attempt in flight.
  live_transaction_id ulid,
  last_state text check (last_state in ('correct', 'failed')),
  last_reason text,
  check (charge_count is null or iteration <= charge_count),
  check ((status = 'active') = (ended_at is null)),
  check (due_at is null or (status = 'active' and live_transaction_id is null))
);
create index recurring_due on recurring (due_at) where due_at is not null;
-- For a fair share when more is due than fits into a round.
create index recurring_due_of_merchant on recurring (merchant_id, due_at) where due_at is not null;

create table recurring_merchant (
  merchant_id ulid primary key references account
);

create table recurring_attempt (
  -- The acquirer's key; written before the first byte is sent and never changed.
  transaction_id ulid constraint recurring_attempt_id_unique primary key,
  recurring_id ulid not null references recurring,
  iteration integer not null check (iteration >= 1),
  attempt   integer not null check (attempt >= 1),
  manual boolean not null,
  acquirer text not null,
  -- sent, waiting and unknown are open; the others are final.
  state text not null check (state in ('sent', 'waiting', 'unknown', 'correct', 'failed', 'canceled')),
  reason text,
  -- Fixed when the attempt was claimed: a later change of instrument applies to later attempts.
  instrument_type text not null,
  instrument_sealed text not null,
  blik_model text,
  blik_no_delay boolean,
  created_at timestamptz not null,
  settled_at timestamptz,
  next_check_at timestamptz,
  checks integer not null default 0,
  times_not_found integer not null default 0,
  -- Whether no byte of it has been sent so far: then one lookup is enough.
  never_sent boolean not null default false,
  -- How many lookups reported a different amount than requested.
  other_amounts integer not null default 0,
  parked_at timestamptz,
  parked_why text,
  constraint recurring_attempt_number_unique unique (recurring_id, iteration, attempt),
  check ((settled_at is null) = (state in ('sent', 'waiting', 'unknown'))),
  check ((reason is not null) = (state = 'failed'))
);
-- At most one attempt of an iteration is in flight or has succeeded.
create unique index recurring_attempt_one_lives on recurring_attempt (recurring_id, iteration)
  where state in ('sent', 'waiting', 'unknown', 'correct');
create index recurring_attempt_due on recurring_attempt (next_check_at) where next_check_at is not null;
create index recurring_attempt_parked on recurring_attempt (parked_at) where parked_at is not null;
