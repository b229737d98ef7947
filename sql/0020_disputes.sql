-- Disputes: what payers' banks take back of payments. Owner: src/disputes. What moves at the acquirer is in
-- acquirer_line; here is who bears it.

create table dispute (
  id ulid primary key,
  acquirer text not null collate "C",
  -- The acquirer's reference.
  key text not null collate "C",
  charge_id ulid not null references charge,
  transaction_id ulid not null,
  merchant_id    ulid not null,
  currency currency_code not null,
  -- What is disputed of the charge (0: the acquirer gave back what it had taken), and what of that was given back when it
  -- was won.
  amount_minor   minor_units not null check (amount_minor >= 0),
  returned_minor minor_units not null,
  state text not null check (state in ('opened', 'won', 'lost')),
  -- In the acquirer's words; empty if only its statement names it.
  reason text not null,
  -- Until when the acquirer takes evidence.
  respond_until instant,
  opened_at instant not null,
  ended_at  instant,
  -- Since when it is in this state, by the acquirer's clock, if it said so.
  said_at instant,
  steps integer not null check (steps > 0),
  -- Payers get more than they paid, by refunds and disputes together, or the acquirer has long kept something else than accounts
  -- bear: an operator is told.
  parked_at  instant,
  parked_why park_reason,
  -- Since when an operator knows that the payer gets more than was paid.
  seen_at instant,
  -- Not asked again before: the acquirer is to correct it.
  park_at instant,
  -- What we bear of it beside the accounts, because an operator said so; negative: what the acquirer never took.
  lost_minor minor_units not null default 0,
  constraint dispute_key unique (acquirer, key),
  check (returned_minor between 0 and amount_minor),
  check (state = 'won' or returned_minor = 0),
  check ((state = 'opened') = (ended_at is null)),
  check ((parked_at is null) = (parked_why is null))
);
-- The merchant must be the transaction's.
call add_reference('dispute', '{transaction_id, merchant_id}', 'transaction', '{id, merchant_id}');
-- Refunds read what is disputed of their transaction.
create index dispute_transaction on dispute (transaction_id);
create index dispute_charge on dispute (charge_id);
create index dispute_merchant on dispute (merchant_id, id);
-- Those that can still be answered.
create index dispute_open on dispute (merchant_id, respond_until, id) where state = 'opened';
create index dispute_parked on dispute (parked_at) where parked_at is not null;
create trigger dispute_kept before delete or truncate on dispute for each statement execute function refuse_change();
create trigger dispute_stays
  before update of id, acquirer, key, charge_id, transaction_id, merchant_id, currency, opened_at
  on dispute for each statement execute function refuse_change();

-- What happened to it, in order. The id of a step that moved money is the source of its journal.
create table dispute_step (
  id ulid primary key,
  dispute_id ulid not null references dispute,
  number integer not null check (number > 0),
  -- changed: the acquirer moved another amount than it had said. shared: a refund was made or ended unpaid, or another dispute
  -- of the payment changed.
  kind text not null check (kind in ('opened', 'won', 'lost', 'changed', 'shared')),
  -- As it was afterwards.
  state text not null check (state in ('opened', 'won', 'lost')),
  amount_minor   minor_units not null check (amount_minor >= 0),
  returned_minor minor_units not null check (returned_minor between 0 and amount_minor),
  at instant not null,
  constraint dispute_step_number unique (dispute_id, number)
);
create trigger dispute_step_kept before update or delete or truncate on dispute_step
  for each statement execute function refuse_change();

-- What a step took from an account, or gave back (negative): in sum over the steps, what the account bears.
create table dispute_share (
  step_id ulid not null references dispute_step,
  account_id ulid not null references account,
  amount_minor minor_units not null check (amount_minor <> 0),
  primary key (step_id, account_id)
);
create trigger dispute_share_kept before update or delete or truncate on dispute_share
  for each statement execute function refuse_change();

-- The accounts bear what is disputed and was not given back, neither more nor less; none gets anything by it, and a step takes
-- from accounts or gives back to them, never both, unless all of it is shared anew. The dispute and its step are written
-- first.
create function check_dispute_shares() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select dispute.id into wrong
    from dispute
   where dispute.id in (select step.dispute_id from new_rows join dispute_step as step on step.id = new_rows.step_id)
     and dispute.amount_minor - dispute.returned_minor <>
         (select coalesce(sum(share.amount_minor), 0)
            from dispute_step as step join dispute_share as share on share.step_id = step.id
           where step.dispute_id = dispute.id) limit 1;
  if found then
    raise exception 'the shares of dispute % are not what is disputed', wrong
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  select share.step_id into wrong
    from dispute_share as share join dispute_step as step on step.id = share.step_id
   where share.step_id in (select step_id from new_rows) and step.kind <> 'shared'
   group by 1 having min(share.amount_minor) < 0 and max(share.amount_minor) > 0 limit 1;
  if found then
    raise exception 'step % moves money between accounts', wrong
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  select step.dispute_id into wrong
    from dispute_step as step join dispute_share as share on share.step_id = step.id
   where step.dispute_id in (select step.dispute_id from new_rows join dispute_step as step on step.id = new_rows.step_id)
   group by 1, share.account_id having sum(share.amount_minor) < 0 limit 1;
  if found then
    raise exception 'an account gets something by dispute %', wrong
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger dispute_share_checked after insert on dispute_share
  referencing new table as new_rows for each statement execute function check_dispute_shares();

-- What the acquirer says about disputes of charges that no merchant was paid for: nobody here knows the charge, or its
-- result is not known yet. Once it is paid, the dispute begins as it is here.
create table dispute_unclaimed (
  id ulid primary key,
  acquirer text not null collate "C",
  key text not null collate "C",
  -- As the acquirer names it.
  charge_key text not null collate "C",
  currency currency_code not null,
  -- As in dispute.
  amount_minor   minor_units not null check (amount_minor >= 0),
  returned_minor minor_units not null,
  state text not null check (state in ('opened', 'won', 'lost')),
  reason text not null,
  respond_until instant,
  said_at instant,
  heard_at instant not null,
  -- When an operator is asked, unless it is claimed before.
  park_at instant not null,
  parked_at  instant,
  parked_why park_reason,
  -- What we bear ourselves, because an operator said so: then nobody else does. More than is disputed once the acquirer
  -- took less than it had said, until the operator decides again. Negative: the acquirer gave back more than it took.
  lost_minor minor_units not null default 0,
  -- Of that, what is no loss of ours: we had the payer's money, which was to go back and was not sent.
  covered_minor minor_units not null default 0,
  -- Since when it is a dispute.
  claimed_at instant,
  constraint dispute_unclaimed_key unique (acquirer, key),
  check (returned_minor between 0 and amount_minor),
  check (state = 'won' or returned_minor = 0),
  check ((parked_at is null) = (parked_why is null)),
  check (covered_minor between 0 and greatest(lost_minor, 0)),
  check (claimed_at is null or (lost_minor = 0 and parked_at is null))
);
-- Those that wait for their charge, and those about which an operator is to be asked.
create index dispute_unclaimed_waiting on dispute_unclaimed (id) where claimed_at is null and lost_minor = 0;
create index dispute_unclaimed_late on dispute_unclaimed (park_at)
  where claimed_at is null and parked_at is null and amount_minor - returned_minor <> greatest(lost_minor, 0);
-- What goes back asks whether its charge is disputed.
create index dispute_unclaimed_charge on dispute_unclaimed (charge_key) where claimed_at is null;
create trigger dispute_unclaimed_kept before delete or truncate on dispute_unclaimed
  for each statement execute function refuse_change();
create trigger dispute_unclaimed_stays before update of id, acquirer, key, charge_key, currency, heard_at on dispute_unclaimed
  for each statement execute function refuse_change();

-- What an operator decided that we bear of either; negative: less. The id is the source of its journal.
create table dispute_loss (
  id ulid primary key,
  unclaimed_id ulid references dispute_unclaimed,
  dispute_id ulid references dispute,
  amount_minor minor_units not null,
  -- Of that, what we had of the payer's money.
  covered_minor minor_units not null default 0,
  at instant not null,
  check (amount_minor <> 0 or covered_minor <> 0),
  check ((unclaimed_id is null) <> (dispute_id is null)),
  check (covered_minor = 0 or dispute_id is null)
);
create index dispute_loss_unclaimed on dispute_loss (unclaimed_id);
create index dispute_loss_dispute on dispute_loss (dispute_id);
create trigger dispute_loss_kept before update or delete or truncate on dispute_loss
  for each statement execute function refuse_change();
