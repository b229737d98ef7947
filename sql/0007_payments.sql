-- Attempts to pay, and captures that no transaction takes. Owner: src/transactions.

alter table transaction add column attempts_started integer not null default 0;
-- What waits for its end: expiry goes along this index.
create index transaction_pending on transaction (created_at) where status = 'pending';

create table payment_attempt (
  -- Also the key under which the acquirer knows it. Written before the first byte leaves; never changed.
  id ulid constraint payment_attempt_id_unique primary key,
  transaction_id ulid not null references transaction,
  merchant_id    ulid not null references account,
  number integer not null check (number > 0),
  channel_id integer not null,
  acquirer text not null,
  -- sent, waiting and unknown are open; the rest is final and never left.
  -- correct: it stands. surplus: captured, but another payment stands or the transaction was canceled.
  state text not null check (state in ('sent', 'waiting', 'unknown', 'correct', 'surplus', 'failed', 'canceled')),
  reason text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('PLN')),
  -- Where the payer confirms.
  link text,
  card_token text references card_token,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- When the acquirer is asked what became of it; null once it is final or parked.
  next_check_at timestamptz,
  checks integer not null default 0,
  times_not_found integer not null default 0,
  -- Nobody could say what became of it: an operator decides.
  parked_at timestamptz,
  parked_why text,
  constraint payment_attempt_number_unique unique (transaction_id, number),
  check ((settled_at is null) = (state in ('sent', 'waiting', 'unknown'))),
  check (reason is null or state = 'failed')
);
-- Two payments for one transaction never both stand.
create unique index payment_attempt_one_stands on payment_attempt (transaction_id) where state = 'correct';
create index payment_attempt_due on payment_attempt (next_check_at) where next_check_at is not null;
create index payment_attempt_parked on payment_attempt (parked_at) where parked_at is not null;

-- Money that was captured but belongs to the payer: it goes back. One for each capture.
create table surplus_refund (
  id ulid primary key,
  attempt_id ulid not null constraint surplus_refund_once unique references payment_attempt,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('PLN')),
  acquirer text not null,
  state text not null check (state in ('new', 'done')),
  created_at timestamptz not null,
  done_at timestamptz,
  next_try_at timestamptz,
  tries integer not null default 0,
  parked_at timestamptz,
  parked_why text,
  check ((state = 'done') = (done_at is not null))
);
create index surplus_refund_due on surplus_refund (next_try_at) where next_try_at is not null;
