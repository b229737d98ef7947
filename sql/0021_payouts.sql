-- Payouts: money that leaves to the bank accounts of merchants, sellers and partners. Owner: src/payouts.

-- Where the payouts of an account go: never changed, only replaced by the next one.
create table payout_account (
  id ulid primary key,
  account_id ulid not null references account,
  -- An IBAN, sealed by the vault. Its last four characters are all that is shown.
  number_sealed text not null check (number_sealed <> ''),
  number_ending text not null check (number_ending ~ '^[0-9A-Z]{4}$'),
  holder text not null check (char_length(holder) between 1 and 70),
  -- An email address, or a code of contract/codes/actors.ts.
  given_by text not null check (given_by <> ''),
  given_at instant not null,
  -- No payout before: whoever steals a session has to wait so long, while the owner has a mail.
  hold_until instant not null check (hold_until >= given_at),
  -- The operator who says that it belongs to the holder.
  verified_by text check (verified_by <> ''),
  verified_at instant check (verified_at >= given_at),
  replaced_at instant check (replaced_at >= given_at),
  -- Of all of it, by the vault, which the database does not have.
  mac text not null check (mac <> ''),
  constraint payout_account_own unique (id, account_id),
  check ((verified_by is null) = (verified_at is null)),
  constraint payout_account_four_eyes check (verified_by <> given_by)
);
create unique index payout_account_current on payout_account (account_id) where replaced_at is null;
create trigger payout_account_kept before delete or truncate on payout_account
  for each statement execute function refuse_change();
create trigger payout_account_stays
  before update of id, account_id, number_sealed, number_ending, holder, given_by, given_at, hold_until on payout_account
  for each statement execute function refuse_change();

-- When an account is paid, and how much of its balance. Accounts without a row have the usual terms.
create table payout_terms (
  account_id ulid primary key references account,
  schedule text not null check (schedule in ('manual', 'daily', 'weekdays', 'month_days')),
  -- Of weekdays 1 (Monday) to 5; of month_days 1 to 31, where a shorter month has its last day instead.
  days integer[] not null check (array_position(days, null) is null),
  -- So many bank days after it was credited, money is due.
  delay_days integer not null check (delay_days between 0 and 30),
  -- Below this there is no payout, and so much stays in the balance.
  minimum_minor   minor_units not null check (minimum_minor >= 0),
  keep_back_minor minor_units not null check (keep_back_minor >= 0),
  -- Since when an operator allows no payouts, and who it was.
  blocked_at instant,
  blocked_by text check (blocked_by <> ''),
  modified_at instant not null,
  -- Of all of it, by the vault.
  mac text not null check (mac <> ''),
  check ((blocked_at is null) = (blocked_by is null)),
  check (case schedule when 'weekdays' then cardinality(days) between 1 and 5 and days <@ '{1,2,3,4,5}'
                       when 'month_days' then cardinality(days) between 1 and 31 and 1 <= all (days) and 31 >= all (days)
                       else cardinality(days) = 0 end)
);
create trigger payout_terms_kept before delete or truncate on payout_terms
  for each statement execute function refuse_change();
create trigger payout_terms_stays before update of account_id on payout_terms
  for each statement execute function refuse_change();

-- From when to when an operator allowed no payouts, so that what was paid meanwhile is found later too.
create table payout_block (
  id ulid primary key,
  account_id ulid not null,
  blocked_at instant not null,
  blocked_by text not null check (blocked_by <> ''),
  released_at instant check (released_at >= blocked_at),
  released_by text check (released_by <> ''),
  -- Of all of it, by the vault.
  mac text not null check (mac <> ''),
  check ((released_at is null) = (released_by is null))
);
call add_reference('payout_block', '{account_id}', 'account', shared => true);
create index payout_block_of_account on payout_block (account_id);
create unique index payout_block_current on payout_block (account_id) where released_at is null;
create trigger payout_block_kept before delete or truncate on payout_block
  for each statement execute function refuse_change();
create trigger payout_block_stays before update of id, account_id, blocked_at, blocked_by on payout_block
  for each statement execute function refuse_change();

-- How many rows these tables have and the sum of the hashes of their MACs as numbers, signed: so that a row that is removed,
-- or put back as it once was, is noticed.
create table payout_signed (
  name text primary key check (name in ('payout_account', 'payout_terms', 'payout_block')),
  rows bigint not null check (rows >= 0),
  digest numeric not null,
  mac text not null check (mac <> '')
);
create trigger payout_signed_kept before delete or truncate on payout_signed
  for each statement execute function refuse_change();
create trigger payout_signed_stays before update of name on payout_signed
  for each statement execute function refuse_change();

-- A day on which accounts are paid by their schedules, account by account in the order of their ids.
create table payout_run (
  id ulid primary key,
  day calendar_day not null constraint payout_run_day unique,
  started_at instant not null,
  ended_at instant check (ended_at >= started_at),
  -- Up to this account it has decided: a run that was killed goes on after it.
  reached text not null default '' collate "C",
  payouts integer not null default 0 check (payouts >= 0),
  total_minor minor_units not null default 0 check (total_minor >= 0)
);
create index payout_run_open on payout_run (id) where ended_at is null;
create trigger payout_run_kept before delete or truncate on payout_run
  for each statement execute function refuse_change();
create trigger payout_run_stays before update of id, day, started_at on payout_run
  for each statement execute function refuse_change();

create table payout (
  -- Also the source of its journals; `GROSZ <id>` is how the bank names it.
  id ulid primary key,
  account_id ulid not null,
  -- Null: on demand.
  run_id ulid,
  payout_account_id ulid not null,
  currency currency_code not null,
  -- What the bank transfers; the fee leaves the balance beside it.
  amount_minor minor_units not null check (amount_minor > 0),
  fee_minor    minor_units not null check (fee_minor >= 0),
  -- Copied from the bank account, sealed for this payout alone.
  number_sealed text not null check (number_sealed <> ''),
  number_ending text not null check (number_ending ~ '^[0-9A-Z]{4}$'),
  holder text not null check (char_length(holder) between 1 and 70),
  state text not null check (state in ('created', 'approved', 'sent', 'paid', 'returned', 'failed', 'canceled')),
  -- Why it is returned, failed or canceled: a code of contract/codes/payouts.ts with its parameters.
  reason jsonb check (reason ->> 'code' <> ''),
  created_at instant not null,
  approved_at instant,
  sent_at     instant,
  paid_at     instant,
  ended_at    instant,
  -- When the balance got amount and fee again, as nothing had left. Whatever the bank moves afterwards is in payout_move.
  given_back_at instant,
  -- How many rows of payout_move it has.
  moves integer not null default 0 check (moves >= 0),
  check ((approved_at is null) = (state = 'created') or state = 'canceled'),
  check ((sent_at is null) = (state in ('created', 'approved')) or state = 'canceled'),
  check (sent_at is null or approved_at is not null),
  check ((paid_at is not null) = (state in ('paid', 'returned'))),
  check ((ended_at is not null) = (state in ('returned', 'failed', 'canceled'))),
  check ((reason is not null) = (state in ('returned', 'failed', 'canceled'))),
  check (given_back_at is not null or state not in ('failed', 'canceled')),
  check (given_back_at is null or state not in ('created', 'approved', 'sent'))
);
call add_reference('payout', '{run_id}', 'payout_run', shared => true);
-- The bank account must be the account's.
call add_reference('payout', '{payout_account_id, account_id}', 'payout_account', '{id, account_id}');
-- A run that is repeated pays nobody twice, and of those on demand the next one waits until the last is approved.
create unique index payout_once on payout (run_id, account_id) where run_id is not null;
create unique index payout_on_demand on payout (account_id) where run_id is null and state = 'created';
create index payout_of_account on payout (account_id, id);
create index payout_open on payout (state, id) where state in ('created', 'approved', 'sent');
create trigger payout_kept before delete or truncate on payout for each statement execute function refuse_change();
create trigger payout_stays
  before update of id, currency, amount_minor, fee_minor, number_sealed, number_ending, holder, created_at on payout
  for each statement execute function refuse_change();

-- No payout to a bank account that nobody has verified, that is on hold, or that was replaced, and none while it is blocked.
create function check_new_payouts() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select new_rows.id into wrong
    from new_rows
    left join payout_account as place on place.id = new_rows.payout_account_id
    left join payout_terms as terms on terms.account_id = new_rows.account_id
   where (new_rows.state = 'created' and place.verified_at <= new_rows.created_at
          and terms.blocked_at is null
          and place.hold_until <= new_rows.created_at and place.replaced_at is null) is not true limit 1;
  if found then
    raise exception 'payout % may not be made', wrong using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger payout_allowed after insert on payout
  referencing new table as new_rows for each statement execute function check_new_payouts();

-- What our bank has moved of a payout, or what takes that back because it was decided wrongly: each is a journal. A bank may
-- pay after all what it had refused, or what had come back.
create table payout_move (
  -- Also the source of its journal.
  id ulid primary key,
  payout_id ulid not null,
  -- Counted from 1 for its payout.
  number integer not null check (number > 0),
  kind text not null check (kind in ('paid', 'paid_after_all', 'sent_back', 'undone')),
  -- Of undone: what it takes back.
  undoes ulid,
  -- The line of the statement that says so.
  line text not null collate "C" check (line <> ''),
  -- What it changed of the payout.
  state_before text not null,
  state_after  text not null,
  paid_before  instant,
  ended_before instant,
  reason_before jsonb,
  -- As debits of the account's payout transit, its balance and its debt, of what the bank keeps, and of our bank account.
  transit_minor   minor_units not null,
  available_minor minor_units not null,
  owed_minor      minor_units not null,
  fee_minor       minor_units not null,
  bank_minor      minor_units not null,
  at instant not null,
  constraint payout_move_number unique (payout_id, number),
  constraint payout_move_undone_once unique (undoes),
  check (transit_minor + available_minor + owed_minor + fee_minor + bank_minor = 0),
  check ((kind = 'undone') = (undoes is not null)),
  check (case kind
           when 'paid' then state_before = 'sent' and state_after = 'paid' and bank_minor < 0 and transit_minor = -bank_minor
                            and available_minor = 0 and owed_minor = 0 and fee_minor = 0
           when 'paid_after_all' then state_before in ('returned', 'failed', 'canceled') and state_after = 'paid'
                            and bank_minor < 0 and transit_minor = 0 and fee_minor = 0
                            and available_minor >= 0 and owed_minor >= 0
           when 'sent_back' then state_before = 'paid' and state_after = 'returned' and bank_minor > 0 and transit_minor = 0
                            and fee_minor between 0 and bank_minor and available_minor <= 0 and owed_minor <= 0
           else state_before in ('paid', 'returned') end)
);
call add_reference('payout_move', '{payout_id}', 'payout');
call add_reference('payout_move', '{undoes}', 'payout_move');
create trigger payout_move_kept before update or delete or truncate on payout_move
  for each statement execute function refuse_change();

-- From state to state as it happens to money, by the bank only with its movement, and none is approved whose bank account was replaced or blocked meanwhile.
create function check_payout_step() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
       ('created', 'approved'), ('created', 'canceled'), ('approved', 'sent'), ('approved', 'canceled'),
       ('sent', 'failed'), ('sent', 'canceled'))
     and not exists (select from payout_move as move
                      where move.payout_id = new.id and move.number = new.moves and new.moves = old.moves + 1
                        and move.state_before = old.state and move.state_after = new.state) then
    raise exception 'payout % is %, so it does not become %', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  if new.state = 'approved'
     and (select replaced_at is null from payout_account where id = new.payout_account_id) is not true then
    raise exception 'the bank account of payout % was replaced', old.id
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  if new.state = 'approved'
     and exists (select from payout_terms where account_id = new.account_id and blocked_at is not null) then
    raise exception 'the account of payout % is blocked', old.id
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return new;
end $$;
create trigger payout_step before update of state on payout
  for each row when (old.state is distinct from new.state) execute function check_payout_step();
