-- What the panel keeps to read fast: moves and sums of each account's money, what transactions are searched by, and saved
-- views; the log of requests. Owner: src/panel. What is derived from other tables is
-- derived in sets, by works that nobody waits for.

-- How far other rooms have been read: sealed journals, and added transactions. A row's lock is held by the node that
-- reads on.
create table panel_progress (
  reader text primary key check (reader in ('journals', 'transactions')),
  position bigint not null check (position >= 0)
);
insert into panel_progress (reader, position) values ('journals', 0), ('transactions', 0);

-- What each sealed journal means for each merchant: one row for a journal and an account. Signed, as the account sees it:
-- what it gets is positive. The sum of the four is the change of its balance.
create table panel_move (
  account_id ulid not null,
  posted_at  instant not null,
  journal_id ulid not null,
  -- That of the journal's seal: the lines of a settlement are those of a range of it.
  position bigint not null check (position > 0),
  kind text not null check (kind in ('payment', 'refund', 'refund_returned', 'dispute', 'dispute_returned', 'opening', 'other')),
  transaction_id ulid,
  amount_minor     minor_units not null,
  fee_minor        minor_units not null,
  commission_minor minor_units not null,
  other_minor      minor_units not null,
  -- What payers paid or got back, never negative: of a partner's payment the whole amount, although it gets only the
  -- commission.
  volume_minor     minor_units not null check (volume_minor >= 0),
  primary key (account_id, posted_at, journal_id)
);
create unique index panel_move_position on panel_move (account_id, position);
-- Payments are most of the moves: they are found in the primary key.
create index panel_move_kind on panel_move (account_id, kind, posted_at, journal_id) where kind <> 'payment';

-- Sums of the moves of an account by day, in the account's time zone. The sum of all days is its balance.
create table panel_day (
  account_id ulid not null,
  day calendar_day not null,
  payments         integer not null,
  payments_minor   minor_units not null,
  payment_fees_minor minor_units not null,
  refunds          integer not null,
  refunds_minor    minor_units not null,
  refund_fees_minor minor_units not null,
  -- Refunds that the payer did not get: amount and fee came back.
  returned         integer not null,
  returned_minor   minor_units not null,
  returned_fees_minor minor_units not null,
  -- What sellers pay to their partner, and partners get; less what was given back with refunds.
  commissions_minor minor_units not null,
  -- What disputes took, less what they gave back.
  disputes_minor   minor_units not null,
  other_minor      minor_units not null,
  -- Of the payments, refunds and returned refunds.
  payments_volume_minor minor_units not null,
  refunds_volume_minor  minor_units not null,
  returned_volume_minor minor_units not null,
  primary key (account_id, day)
) with (fillfactor = 70);

-- The time zone in which the days of an account are summed: where the account's own differs, they are summed up again.
create table panel_zone (
  account_id ulid primary key,
  zone text not null
);

-- What transactions are searched by, apart from the transactions: three more indexes there would cost every create and
-- every payment more than all of this.
create table panel_search (
  transaction_id ulid primary key,
  account_id ulid not null,
  -- In lower case.
  email  text not null collate "C",
  hidden text not null collate "C",
  amount_minor minor_units not null
);
create index panel_search_email on panel_search (account_id, email) where email <> '';
create index panel_search_hidden on panel_search (account_id, hidden) where hidden <> '';
create index panel_search_amount on panel_search (account_id, amount_minor);

-- Searches and filters that people keep, each for themselves.
create table panel_view (
  id ulid primary key,
  user_id ulid not null references person on delete cascade,
  account_id ulid not null references account,
  screen text not null check (char_length(screen) between 1 and 40),
  name text not null check (char_length(name) between 1 and 60),
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_at instant not null,
  constraint panel_view_name unique (user_id, account_id, screen, name)
);

-- Requests of the last days, for debugging. Card data and secrets are masked before they are written.
create table request_log (
  id ulid primary key,
  account_id ulid not null,
  request_id text not null,
  at instant not null,
  endpoint text not null,
  method text not null,
  path text not null,
  -- What it is about: the last id of the path, or the id of what it created.
  subject_id ulid,
  status integer not null,
  milliseconds integer not null,
  ignored_fields text not null,
  body text not null,
  response text not null
);
create index request_log_account on request_log (account_id, id);
create index request_log_subject on request_log (account_id, subject_id, id) where subject_id is not null;
