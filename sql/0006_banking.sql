-- What is asked of acquirers. Owner: src/banking.

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
  created_at timestamptz not null,
  -- When it was sent; after a decision to try again, when that was.
  sent_at timestamptz,
  done_at timestamptz,
  -- When it is sent or looked up; null if it is held, parked or has ended.
  next_try_at timestamptz,
  -- Lookups without an end, and how many of them reported a different amount than requested.
  checks        integer not null default 0 check (checks >= 0),
  other_amounts integer not null default 0 check (other_amounts >= 0),
  -- The result could not be determined: an operator decides. Or it was paid after it had ended: an operator is told.
  parked_at  timestamptz,
  parked_why text,
  check (purpose <> 'refund' or subject_id = id),
  check (purpose <> 'surplus' or subject_id = charge_key),
  check ((merchant_id is null) = (purpose = 'unallocated')),
  check ((state = 'done') = (done_at is not null)),
  check (purpose <> 'surplus' or state in ('new', 'sent', 'done')),
  check (state <> 'new' or sent_at is null),
  check (state not in ('sent', 'done', 'refused') or sent_at is not null),
  -- Only what is to be sent, or was, is due.
  constraint outgoing_refund_scheduled check ((next_try_at is not null) = (state in ('new', 'sent') and parked_at is null)),
  check ((parked_at is null) = (parked_why is null)),
  check (parked_at is null or state in ('sent', 'done'))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index outgoing_refund_due on outgoing_refund (next_try_at) where next_try_at is not null;
-- What waits for an operator: nearly always nothing.
create index outgoing_refund_parked on outgoing_refund (parked_at) where parked_at is not null;
-- A surplus and a capture that belongs to nobody go back once. What the acquirer refused for good may be tried under
-- another key. Of a refund the primary key says the same.
create unique index outgoing_refund_surplus on outgoing_refund (subject_id) where purpose = 'surplus';
create unique index outgoing_refund_unallocated on outgoing_refund (subject_id)
  where purpose = 'unallocated' and state <> 'refused';

call add_reference('outgoing_refund', '{merchant_id}', 'account', shared => true);
create trigger outgoing_refund_stays
  before update of id, acquirer, merchant_id, currency, amount_minor, charge_key, purpose, subject_id, created_at
  on outgoing_refund for each statement execute function refuse_change();
