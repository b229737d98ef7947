-- Reconciliation with the acquirer's statement. Owner: src/reconciliation. These tables belong to the installation, not
-- to a merchant: what they name may belong to nobody we know.

create table reconciliation_run (
  id ulid primary key,
  acquirer text not null,
  -- The period, by the business clock.
  from_at instant not null,
  to_at   instant not null,
  -- By the wall clock. A run whose lease is over, or whose process is dead, has died.
  started_at  instant not null,
  lease_until instant not null,
  -- Its process; null if that one has no beat.
  node_id text collate "C",
  ended_at    instant,
  -- agreed: nothing was found and nothing is open. incomplete: the acquirer gave no complete statement, or did not answer
  -- about single keys.
  state text not null check (state in ('running', 'agreed', 'differs', 'incomplete')),
  captures bigint not null default 0 check (captures >= 0),
  captured_minor minor_units not null default 0,
  refunds bigint not null default 0 check (refunds >= 0),
  refunded_minor minor_units not null default 0,
  payouts bigint not null default 0 check (payouts >= 0),
  paid_out_minor minor_units not null default 0,
  fees_minor minor_units not null default 0,
  -- Results that we did not have yet, passed on to their payments and refunds.
  applied integer not null default 0 check (applied >= 0),
  -- New differences, and those that are open when it ends.
  found integer not null default 0 check (found >= 0),
  open  integer not null default 0 check (open >= 0),
  -- What the acquirer owed us by all journals up to this id: the next run with a payout adds only what came after it.
  carried_minor minor_units,
  carried_until ulid,
  -- What is wrong with the statement: a code with parameters (contract/codes/parking.ts).
  why jsonb check (why ? 'code' and jsonb_typeof(why -> 'parameters') = 'object'),
  check ((carried_minor is null) = (carried_until is null)),
  check (from_at < to_at),
  check ((state = 'running') = (ended_at is null))
);
create unique index reconciliation_run_alone on reconciliation_run (acquirer) where state = 'running';
create trigger reconciliation_run_kept before delete or truncate on reconciliation_run
  for each statement execute function refuse_change();
create trigger reconciliation_run_stays before update of id, acquirer, from_at, to_at, started_at, node_id on reconciliation_run
  for each statement execute function refuse_change();

-- The sums of a run: what the statement says and what the books say, for each kind of money that moves at the acquirer.
create table reconciliation_total (
  run_id ulid not null references reconciliation_run,
  -- other: what the books have on the acquirer's account and no kind explains.
  kind text not null check (kind in ('capture', 'refund', 'fee', 'dispute', 'payout', 'other')),
  bank_minor minor_units not null,
  our_minor  minor_units not null,
  -- Booked in another period than the one in which the acquirer names it, or the reverse.
  elsewhere_minor minor_units not null,
  -- What differences explain that are open or were corrected by this run.
  named_minor minor_units not null,
  -- bank = our + elsewhere + named + unexplained.
  unexplained_minor minor_units not null,
  primary key (run_id, kind),
  check (bank_minor = our_minor + elsewhere_minor + named_minor + unexplained_minor)
);
create trigger reconciliation_total_kept before update or delete or truncate on reconciliation_total
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
  -- Of other_taken and other_given: the acquirer's word for it.
  what text,
  at instant not null,
  -- Its key was named before: it is not compared.
  is_repeated boolean not null,
  primary key (run_id, position)
);
call add_reference('reconciliation_line', '{run_id}', 'reconciliation_run', shared => true);
create index reconciliation_line_key on reconciliation_line (key);
create index reconciliation_line_payout on reconciliation_line (run_id) where kind = 'payout';
create index reconciliation_line_repeated on reconciliation_line (run_id, kind, key) where is_repeated;
create index reconciliation_line_charge on reconciliation_line (charge_key) where charge_key is not null;

-- Payouts of acquirers that are in the books, with what is booked for them now.
create table acquirer_payout (
  acquirer text not null collate "C",
  key text not null collate "C",
  -- What arrived on our bank account, and what the acquirer kept.
  amount_minor minor_units not null check (amount_minor >= 0),
  fee_minor    minor_units not null check (fee_minor >= 0),
  currency currency_code not null,
  -- By the acquirer's clock.
  at instant not null,
  booked_at instant not null,
  primary key (acquirer, key)
);
create index acquirer_payout_at on acquirer_payout (acquirer, at);
create trigger acquirer_payout_kept before delete or truncate on acquirer_payout
  for each statement execute function refuse_change();
create trigger acquirer_payout_stays before update of acquirer, key, currency, at, booked_at on acquirer_payout
  for each statement execute function refuse_change();

-- What else moved at acquirers and is in the books: fees, payouts that came back (their key is that of the payout), what
-- disputes took and gave back (their key is that of the dispute), and what nobody here knows. With what is booked for each
-- line now.
create table acquirer_line (
  acquirer text not null collate "C",
  kind text not null check (kind in ('fee', 'payout_returned', 'dispute', 'dispute_won', 'other_taken', 'other_given')),
  key text not null collate "C",
  -- The charge that it was taken for; null: for none. Of a dispute, as the statement names it now.
  charge_key text collate "C",
  -- The acquirer's word for what nobody here knows.
  what text,
  amount_minor minor_units not null check (amount_minor >= 0),
  currency currency_code not null,
  -- By the acquirer's clock.
  at instant not null,
  booked_at instant not null,
  -- Of a dispute: since when its room knows what is booked.
  told_at instant,
  primary key (acquirer, kind, key),
  check ((kind in ('other_taken', 'other_given')) = (what is not null)),
  check (told_at is null or kind in ('dispute', 'dispute_won'))
);
create index acquirer_line_untold on acquirer_line (acquirer, at)
  where told_at is null and kind in ('dispute', 'dispute_won');
create index acquirer_line_at on acquirer_line (acquirer, at);
create index acquirer_line_key on acquirer_line (key);
create trigger acquirer_line_kept before delete or truncate on acquirer_line
  for each statement execute function refuse_change();
create trigger acquirer_line_stays before update of acquirer, kind, key, what, currency, at, booked_at on acquirer_line
  for each statement execute function refuse_change();

-- What statements named, of every kind, each key once: so a line that comes later under the same key is known to be another
-- one, in whatever period. The key is first, because rows are found by the keys of a page.
create table acquirer_named (
  key text not null collate "C",
  kind text not null check (kind in ('capture', 'refund', 'refund_returned', 'payout', 'payout_returned', 'fee', 'dispute',
                                     'dispute_won', 'other_taken', 'other_given')),
  acquirer text not null collate "C",
  -- When the acquirer moved it, by its clock, and how much, as it was named last.
  at instant not null,
  amount_minor minor_units not null check (amount_minor >= 0),
  fee_minor    minor_units not null check (fee_minor >= 0),
  -- A statement that should have it had it no more: its next line is this one again, whenever it is.
  is_gone boolean not null default false,
  primary key (key, kind, acquirer)
);
create trigger acquirer_named_kept before delete or truncate on acquirer_named
  for each statement execute function refuse_change();
create trigger acquirer_named_stays before update of key, kind, acquirer on acquirer_named
  for each statement execute function refuse_change();

-- The hash of a row of acquirer_named. Numbers and times as bytes: as text they cost more than the hash, for each line.
create function named_hash(named acquirer_named) returns text language sql stable as $$
  select encode(sha256(convert_to(named.kind || ' ' || named.key || ' ' || named.acquirer || ' ' || named.is_gone, 'UTF8')
                       || timestamptz_send(named.at) || int8send(named.amount_minor) || int8send(named.fee_minor)), 'hex')
$$;

-- How many rows of acquirer_named each acquirer has, and the sum of their hashes as numbers, signed. Written with them, so
-- that a row that is changed, removed or made up is noticed.
create table acquirer_noted (
  acquirer text primary key collate "C",
  lines bigint not null check (lines >= 0),
  digest numeric not null,
  mac text not null check (mac <> '')
);
create trigger acquirer_noted_kept before delete or truncate on acquirer_noted
  for each statement execute function refuse_change();
create trigger acquirer_noted_stays before update of acquirer on acquirer_noted
  for each statement execute function refuse_change();

create table reconciliation_item (
  id ulid primary key,
  run_id ulid not null references reconciliation_run,
  -- The last run that saw the difference.
  seen_run_id ulid not null references reconciliation_run,
  acquirer text not null collate "C",
  kind text not null check (kind in ('capture', 'refund', 'refund_returned', 'payout', 'payout_returned', 'fee',
                                       'dispute', 'dispute_won', 'other_taken', 'other_given', 'other')),
  -- not_booked: the bank moved it, and nobody here asked for it. not_at_bank: the reverse. other_charge: the bank paid a
  -- refund on another charge than ours, or names another one for a dispute: the amounts agree, the payers do not.
  -- row_missing: the money agrees, but rows about it are gone. repeated: the statement names it more than once. total: the
  -- sums of a kind differ by what no other difference explains. suspended: booked, but nobody knows what it was for.
  difference text not null
    check (difference in ('not_booked', 'not_at_bank', 'other_amount', 'other_charge', 'row_missing', 'repeated', 'total',
                          'suspended')),
  -- Of a total: the period.
  key text not null collate "C",
  -- Of other_charge: the charge that the bank gave back, or names for a dispute.
  charge_key text collate "C",
  -- Of other_charge of a dispute: the charge that our dispute is about.
  our_charge_key text collate "C",
  -- Of suspended: the acquirer's word for it.
  what text,
  bank_minor minor_units,
  bank_fee_minor minor_units not null default 0,
  -- When the acquirer moved it, by its clock.
  bank_at instant,
  -- Everything that was booked for the key when it was last seen; of a total, what is not explained; of what is repeated,
  -- one line, while the bank's amount is that of all.
  our_minor  minor_units,
  our_fee_minor minor_units not null default 0,
  currency currency_code not null,
  -- promised: an operator says that the acquirer will correct it; named again if it does not. returning: it goes back to
  -- the payer, as an outgoing refund.
  state text not null check (state in ('parked', 'promised', 'returning', 'closed')),
  promised_at instant,
  -- Why an operator decides: a code with parameters.
  why jsonb not null check (why ? 'code' and jsonb_typeof(why -> 'parameters') = 'object'),
  found_at instant not null,
  closed_at instant,
  outcome text check (outcome in ('returned', 'confirmed', 'not_moved', 'booked', 'corrected_by_bank', 'named_later',
                                  'settled_by_payment', 'changed', 'disputed')),
  check ((state = 'closed') = (closed_at is not null)),
  check ((state = 'closed') = (outcome is not null)),
  check (state <> 'promised' or promised_at is not null),
  check (difference in ('not_at_bank', 'total') or bank_minor is not null),
  check (difference = 'not_booked' or our_minor is not null),
  check ((difference = 'other_charge') = (charge_key is not null)),
  check ((difference = 'other_charge' and kind in ('dispute', 'dispute_won')) = (our_charge_key is not null)),
  check ((difference = 'suspended') = (what is not null))
);
create index reconciliation_item_open on reconciliation_item (found_at, id) where state <> 'closed';
create unique index reconciliation_item_once on reconciliation_item (acquirer, kind, key, difference) where state <> 'closed';
create index reconciliation_item_total on reconciliation_item (acquirer, kind) where difference = 'total';
create index reconciliation_item_key on reconciliation_item (key);
create trigger reconciliation_item_kept before delete or truncate on reconciliation_item
  for each statement execute function refuse_change();
create trigger reconciliation_item_stays before update of id, run_id, acquirer, kind, difference, key, currency, found_at
  on reconciliation_item for each statement execute function refuse_change();

-- What happened to runs, differences and payouts, in order: a chain of hashes, like that of the journals. The tables above
-- have the present; the last record about each of their rows must say the same.
create table reconciliation_record (
  position bigint primary key check (position > 0),
  -- Also the source of the journal that it posted, if it moved money in the books.
  id ulid not null unique,
  at instant not null,
  acquirer text not null collate "C",
  run_id  ulid,
  item_id ulid,
  kind text,
  key text collate "C",
  step text not null check (step in ('run_started', 'run_ended', 'payout_booked', 'line_booked', 'line_amended', 'found', 'changed',
                                     'followed', 'reverted', 'decided', 'promised', 'returning', 'parked', 'returned', 'closed')),
  -- What it added to the acquirer's account in the ledger; null: nothing was posted.
  moved_minor minor_units,
  -- Of that, what belongs to payers whom nobody knows yet; the rest of a capture or a refund is our loss. Of other_taken and
  -- other_given: what nobody knows yet; the rest is the acquirer's fee.
  unallocated_minor minor_units,
  -- The row as it was afterwards: JSON as text, because jsonb would not keep what was hashed.
  content text not null check (jsonb_typeof(content::jsonb) = 'object'),
  hash bytea not null check (octet_length(hash) = 32),
  check ((moved_minor is null) = (unallocated_minor is null))
);
create index reconciliation_record_key on reconciliation_record (key, position) where key is not null;
create index reconciliation_record_item on reconciliation_record (item_id, position) where item_id is not null;
create index reconciliation_record_run on reconciliation_record (run_id, position) where run_id is not null and item_id is null;
create trigger reconciliation_record_unchanged before update or delete or truncate on reconciliation_record
  for each statement execute function refuse_change();
