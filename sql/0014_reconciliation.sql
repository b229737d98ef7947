-- Reconciliation with the acquirer's statement. Owner: src/reconciliation. These tables belong to the installation, not
-- to a merchant: what they name may belong to nobody we know.

create table reconciliation_run (
  id ulid primary key,
  acquirer text not null,
  -- The period, by the business clock.
  from_at timestamptz not null,
  to_at   timestamptz not null,
  -- By the wall clock. A run whose lease is over has died.
  started_at  timestamptz not null,
  lease_until timestamptz not null,
  ended_at    timestamptz,
  -- incomplete: the acquirer gave no complete statement, or did not answer about single keys.
  state text not null check (state in ('running', 'agreed', 'differs', 'incomplete')),
  captures bigint not null default 0 check (captures >= 0),
  captured_minor minor_units not null default 0,
  refunds bigint not null default 0 check (refunds >= 0),
  refunded_minor minor_units not null default 0,
  payouts bigint not null default 0 check (payouts >= 0),
  paid_out_minor minor_units not null default 0,
  -- Results that we did not have yet, passed on to their payments and refunds.
  applied integer not null default 0 check (applied >= 0),
  -- New differences.
  found integer not null default 0 check (found >= 0),
  -- What is wrong with the statement: a code with parameters (contract/codes/parking.ts).
  why jsonb check (why ? 'code' and jsonb_typeof(why -> 'parameters') = 'object'),
  check (from_at < to_at),
  check ((state = 'running') = (ended_at is null))
);
create unique index reconciliation_run_alone on reconciliation_run (acquirer) where state = 'running';
create trigger reconciliation_run_kept before delete or truncate on reconciliation_run
  for each statement execute function refuse_change();
create trigger reconciliation_run_id_stays before update of id on reconciliation_run
  for each statement execute function refuse_change();

-- The lines of the statement while a run compares them. Nothing of it must survive a crash.
create unlogged table reconciliation_line (
  run_id ulid not null,
  position bigint not null,
  kind text not null,
  key text not null collate "C",
  charge_key text collate "C",
  amount_minor minor_units not null,
  fee_minor minor_units not null,
  at timestamptz not null,
  primary key (run_id, position)
);
call add_reference('reconciliation_line', '{run_id}', 'reconciliation_run', shared => true);
create index reconciliation_line_key on reconciliation_line (key, kind);
create index reconciliation_line_charge on reconciliation_line (charge_key) where charge_key is not null;

create table reconciliation_item (
  id ulid primary key,
  run_id ulid not null references reconciliation_run,
  acquirer text not null,
  kind text not null check (kind in ('capture', 'refund', 'payout')),
  -- not_booked: the bank moved it, and it was not in the books. not_at_bank: the reverse. other_charge: the bank
  -- paid a refund on another charge than ours: the amounts agree, the payers do not. row_missing: the money agrees, but
  -- rows about it are gone.
  difference text not null check (difference in ('not_booked', 'not_at_bank', 'other_amount', 'other_charge', 'row_missing')),
  key text not null collate "C",
  bank_minor minor_units check (bank_minor >= 0),
  our_minor  minor_units check (our_minor >= 0),
  currency currency_code not null,
  -- returning: it goes back to the payer, as an outgoing refund.
  state text not null check (state in ('parked', 'returning', 'closed')),
  -- Why an operator decides: a code with parameters.
  why jsonb not null check (why ? 'code' and jsonb_typeof(why -> 'parameters') = 'object'),
  found_at timestamptz not null,
  closed_at timestamptz,
  outcome text,
  constraint reconciliation_item_once unique (key, kind, difference),
  check ((state = 'closed') = (closed_at is not null)),
  check ((state = 'closed') = (outcome is not null)),
  check (difference = 'not_at_bank' or bank_minor is not null),
  check (difference = 'not_booked' or our_minor is not null)
);
create index reconciliation_item_open on reconciliation_item (found_at, id) where state <> 'closed';
