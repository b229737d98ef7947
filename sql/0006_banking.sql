-- What is asked of acquirers. Owner: src/banking.

-- Why an operator decides: a code of contract/codes/parking.ts.
create domain park_reason as text check (value in (
  'other_amount', 'ended_contradicted', 'no_result', 'not_confirmed', 'return_refused', 'key_missing', 'paid_after_decline',
  'not_written', 'settled_by_payment', 'return_changed', 'return_disputed', 'came_back', 'refunded_too',
  'dispute_unclaimed', 'dispute_unsettled'));

-- Charges: every "take this money".
create table charge (
  -- Also its key at the acquirer. Written before the first byte is sent; never changed.
  id ulid constraint charge_id_unique primary key,
  purpose text not null check (purpose in ('payment', 'recurring')),
  transaction_id ulid not null,
  merchant_id    ulid not null,
  acquirer text not null,
  amount_minor minor_units not null check (amount_minor > 0),
  currency currency_code not null,
  channel_id integer not null,
  -- As refunds name it: a digest of ours, or a keyed one of the acquirer's. Null without a saved card.
  card_token text collate "C",
  -- By which its fee was computed; null until it is booked as a payment, and of one over several sellers.
  price_id bigint,
  -- merchant: charged without the payer present.
  initiator text not null default 'payer' check (initiator in ('payer', 'merchant')),
  -- sent, waiting and unknown are open; the others are final. correct: it is the payment of the transaction. surplus:
  -- captured, but there is another payment or the transaction was canceled.
  state text not null check (state in ('sent', 'waiting', 'unknown', 'correct', 'surplus', 'failed', 'canceled')),
  reason text,
  -- Where the payer confirms.
  link text,
  created_at instant not null,
  settled_at instant,
  -- When the acquirer is asked for the result; null if it is parked, or final and not in doubt.
  next_check_at instant,
  checks integer not null default 0,
  times_not_found integer not null default 0,
  -- How many lookups reported a different amount than requested.
  other_amounts integer not null default 0,
  -- Whether no byte of it has been sent so far: then one lookup is enough.
  never_sent boolean not null default false,
  -- The result could not be determined: an operator decides.
  parked_at instant,
  parked_why park_reason,
  -- Of a payment: how often the row was changed, counted by the database itself.
  version integer not null default 0,

  -- A payment: its place among the attempts of the transaction; the brand and the last four digits of the card, also of
  -- one that is not saved, null for other methods.
  number integer check (number > 0),
  card_brand text,
  card_tail text,

  -- A recurring charge: what it pays. The instrument is fixed when it is claimed: a later change applies to later ones.
  recurring_id ulid,
  iteration integer check (iteration >= 1),
  attempt   integer check (attempt >= 1),
  manual boolean,
  instrument_type text,
  instrument_sealed text,
  blik_model text,
  blik_no_delay boolean,

  check ((settled_at is null) = (state in ('sent', 'waiting', 'unknown'))),
  check ((reason is not null) = (state = 'failed')),
  constraint charge_of_payment check (purpose <> 'payment'
    or number is not null and num_nonnulls(recurring_id, iteration, attempt, manual, instrument_type, instrument_sealed,
                                           blik_model, blik_no_delay) = 0),
  constraint charge_of_recurring check (purpose <> 'recurring'
    or id = transaction_id and state <> 'surplus' and num_nonnulls(number, card_brand, card_tail, link) = 0
       and num_nulls(recurring_id, iteration, attempt, manual, instrument_type, instrument_sealed) = 0)
);
-- At most one charge counts for a transaction.
create unique index charge_one_correct on charge (transaction_id) where state = 'correct';
-- A recurring charge is found by its transaction too: it has the same id.
create unique index charge_number_unique on charge (transaction_id, number) where purpose = 'payment';
create unique index charge_attempt_unique on charge (recurring_id, iteration, attempt) where recurring_id is not null;
-- At most one attempt of an iteration is in flight or has succeeded.
create unique index charge_one_lives on charge (recurring_id, iteration)
  where recurring_id is not null and state in ('sent', 'waiting', 'unknown', 'correct');
-- Each purpose is looked up by a work of its own: a payer does not wait behind recurring charges.
create index charge_due on charge (purpose, next_check_at) where next_check_at is not null;
create index charge_parked on charge (parked_at) where parked_at is not null;

-- The merchant must be that of the transaction and of the recurring payment.
call add_reference('charge', '{transaction_id, merchant_id}', 'transaction', '{id, merchant_id}');
call add_reference('charge', '{recurring_id, merchant_id}', 'recurring', '{id, merchant_id}');

-- Nobody keeps rows of recurring charges, and counting costs 5 µs for each.
create trigger charge_version before update on charge for each row when (old.purpose = 'payment')
  execute function count_version();

-- What was asked never changes: what is settled is what was asked.
create trigger charge_stays
  before update of id, purpose, transaction_id, merchant_id, acquirer, amount_minor, currency, recurring_id, iteration,
    attempt, number, created_at
  on charge for each statement execute function refuse_change();

-- Money that goes back to payers, whatever for. One row for each question "give this back", under one key.
create table outgoing_refund (
  -- Also its key at the acquirer: committed before the first byte is sent, never changed.
  id ulid primary key,
  acquirer text not null,
  -- Null for a capture that belongs to nobody.
  merchant_id ulid,
  currency currency_code not null,
  amount_minor minor_units not null check (amount_minor > 0),
  -- The key of the charge that it gives back. The acquirer may know charges that we do not.
  charge_key text not null collate "C",
  -- refund: asked for by the merchant; it has the id of its refund. surplus: captured, but no transaction took it; the
  -- subject is the charge. unallocated: captured, and nobody knows what for; the subject is the difference that
  -- reconciliation found.
  purpose text not null check (purpose in ('refund', 'surplus', 'unallocated')),
  subject_id ulid not null,
  -- held: not to be sent until its room says so. new: not sent yet. sent: it may have reached the acquirer. refused:
  -- declined by the acquirer. canceled: withdrawn.
  state text not null check (state in ('held', 'new', 'sent', 'done', 'refused', 'canceled')),
  created_at instant not null,
  -- When it was sent; after a decision to try again, when that was.
  sent_at instant,
  done_at instant,
  -- When the acquirer said that the money had come back after it was paid: then it owes it to us again.
  came_back_at instant,
  -- Of a surplus: since when it is not to be sent, because its payer got the money by a dispute.
  withdrawn_at instant,
  -- When it is sent or looked up; null if it is held, parked or has ended.
  next_try_at instant,
  -- Lookups without an end, and how many of them reported a different amount than requested.
  checks        integer not null default 0 check (checks >= 0),
  other_amounts integer not null default 0 check (other_amounts >= 0),
  -- The result could not be determined: an operator decides. Or it was paid after it had ended: an operator is told.
  parked_at  instant,
  parked_why park_reason,
  -- Why the acquirer declined it, if it said so; until it is sent again, or is paid after all.
  refused_why text check (refused_why in ('no_funds', 'already_refunded', 'disputed', 'too_late', 'refused')),
  check (purpose <> 'refund' or subject_id = id),
  check (purpose <> 'surplus' or subject_id = charge_key),
  check ((merchant_id is null) = (purpose = 'unallocated')),
  check ((state = 'done') = (done_at is not null)),
  check (came_back_at is null or state = 'done'),
  check (purpose <> 'surplus' or state in ('new', 'sent', 'done', 'canceled')),
  check (withdrawn_at is null or purpose = 'surplus' and state in ('canceled', 'done')),
  check (withdrawn_at is not null or purpose <> 'surplus' or state <> 'canceled'),
  check (state <> 'new' or sent_at is null),
  check (state not in ('sent', 'done', 'refused') or sent_at is not null),
  -- Only what is to be sent, or was, is due.
  constraint outgoing_refund_scheduled check ((next_try_at is not null) = (state in ('new', 'sent') and parked_at is null)),
  check ((parked_at is null) = (parked_why is null)),
  check (parked_at is null or state in ('sent', 'done')),
  check (refused_why is null or state in ('sent', 'refused'))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index outgoing_refund_due on outgoing_refund (next_try_at) where next_try_at is not null;
-- What waits for an operator: nearly always nothing.
create index outgoing_refund_parked on outgoing_refund (parked_at) where parked_at is not null;
-- A surplus and a capture that belongs to nobody go back once. What the acquirer refused for good, or an operator took back,
-- may be tried under another key. Of a refund the primary key says the same.
create unique index outgoing_refund_surplus on outgoing_refund (subject_id) where purpose = 'surplus';
create unique index outgoing_refund_unallocated on outgoing_refund (subject_id)
  where purpose = 'unallocated' and state not in ('refused', 'canceled');

call add_reference('outgoing_refund', '{merchant_id}', 'account', shared => true);
create trigger outgoing_refund_stays
  before update of id, acquirer, merchant_id, currency, amount_minor, charge_key, purpose, subject_id, created_at
  on outgoing_refund for each statement execute function refuse_change();
