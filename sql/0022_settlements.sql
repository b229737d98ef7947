-- Settlements: for an account, every entry of its balance between two cuts of the chain of journals. Owner: src/settlements.

-- Never changed, only followed by the next one.
create table settlement (
  id         ulid primary key,
  account_id ulid not null,
  -- From 1, without gaps.
  number   integer not null check (number > 0),
  previous integer,
  -- Its lines are the moves of the account (panel_move) whose seals come after the first position, up to the second.
  after_position bigint not null check (after_position >= 0),
  until_position bigint not null,
  -- In the order of the chain, which is not quite that of time: where two journals overlapped, it may be below zero.
  opening_minor minor_units not null,
  -- What the lines come to, signed as the account sees it.
  lines integer not null check (lines > 0),
  amount_minor     minor_units not null,
  fee_minor        minor_units not null,
  commission_minor minor_units not null,
  other_minor      minor_units not null,
  closing_minor minor_units not null,
  -- When the first and the last of its lines were posted.
  first_at instant not null,
  last_at  instant not null,
  reason text not null check (reason in ('payout', 'month', 'command')),
  -- The payout that it explains, whose journal is its last line.
  payout_id ulid unique,
  created_at instant not null,
  constraint settlement_number unique (account_id, number),
  constraint settlement_end unique (account_id, number, until_position, closing_minor),
  constraint settlement_adds_up
    check (closing_minor = opening_minor + amount_minor + fee_minor + commission_minor + other_minor),
  constraint settlement_forward check (until_position > after_position),
  constraint settlement_previous check (previous is not distinct from nullif(number - 1, 0)),
  constraint settlement_begins check (number > 1 or after_position = 0 and opening_minor = 0),
  -- It begins where the one before it ended, with what that ended with.
  constraint settlement_continues foreign key (account_id, previous, after_position, opening_minor)
    references settlement (account_id, number, until_position, closing_minor),
  check ((reason = 'payout') = (payout_id is not null)),
  check (first_at <= last_at)
);
call add_reference('settlement', '{account_id}', 'account', shared => true);
create trigger settlement_kept before update or delete or truncate on settlement
  for each statement execute function refuse_change();

-- The end of the last settlement of each account, where the next one begins.
create table settlement_last (
  account_id     ulid primary key,
  number         integer not null check (number > 0),
  until_position bigint not null check (until_position > 0),
  closing_minor  minor_units not null,
  created_at     instant not null
) with (fillfactor = 70);

-- Payouts whose settlement waits until their journal is sealed and read. Written in the database transaction that books the
-- payout.
create table settlement_wanted (
  payout_id  ulid primary key,
  account_id ulid not null,
  created_at instant not null
);
create index settlement_wanted_account on settlement_wanted (account_id);

-- How far the monthly settlements have come: up to which account, for which month.
create table settlement_month (
  only_row boolean primary key default true check (only_row),
  -- Its first day: everything before is to be settled.
  month calendar_day not null,
  -- With which month it began: nothing was settled for that one.
  first_month calendar_day not null check (first_month <= month),
  -- The last account that was looked at; null: all were.
  after_id ulid
);
