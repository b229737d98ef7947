-- Statements of our own bank. Owner: src/statements. They are the only proof that money arrived or left.

-- Every file that was read, also those that were refused.
create table bank_file (
  id ulid primary key,
  sha256 bytea not null check (octet_length(sha256) = 32),
  name text not null,
  format text not null check (format in ('camt053', 'camt054', 'mt940', 'pain002')),
  bytes bigint not null check (bytes > 0),
  -- Who imported it: an email address, or a word for the command line and the sandbox.
  person text not null,
  -- By the business clock.
  imported_at instant not null,
  -- reading: its lines are written, and nothing is booked. accepted: all of it is right, and its lines are booked in pages.
  state text not null check (state in ('reading', 'accepted', 'booked', 'noted', 'refused')),
  -- By the wall clock: who reads it, and until when it counts as alive.
  lease_until instant not null,
  node_id text collate "C",
  statements integer not null default 0 check (statements >= 0),
  lines integer not null default 0 check (lines >= 0),
  -- Why it was refused, and where.
  problem jsonb check (problem ? 'code' and jsonb_typeof(problem -> 'parameters') = 'object'),
  problem_line integer,
  check ((state = 'refused') = (problem is not null))
);
-- The same bytes are used once.
create unique index bank_file_once on bank_file (sha256) where state in ('accepted', 'booked', 'noted');
create index bank_file_reading on bank_file (id) where state = 'reading';
create trigger bank_file_kept before delete or truncate on bank_file
  for each statement execute function refuse_change();
create trigger bank_file_stays before update of id, sha256, name, format, bytes, person, imported_at on bank_file
  for each statement execute function refuse_change();

create table bank_statement (
  id ulid primary key,
  file_id ulid not null references bank_file,
  -- Counted from 1 in its file.
  place integer not null check (place > 0),
  bank_account_id ulid not null references bank_account,
  -- Counted from 1 in its account, once it is accepted: then it is what comes after the one before.
  position integer check (position > 0),
  -- In the bank's words.
  reference text not null,
  number text,
  page integer not null check (page > 0),
  from_on    calendar_day,
  to_on      calendar_day,
  opening_on calendar_day,
  closing_on calendar_day,
  opening_minor minor_units not null,
  -- Null while it is being read.
  closing_minor minor_units,
  -- The closing balance of the statement before; 0 before the first.
  before_minor minor_units,
  -- What is in the opening balance and in no statement: that of the first statement, and later a gap that was accepted.
  brought_minor minor_units not null default 0,
  entries integer not null default 0 check (entries >= 0),
  lines   integer not null default 0 check (lines >= 0),
  sum_minor minor_units not null default 0,
  -- Of these, what earlier statements have.
  repeated_lines integer not null default 0 check (repeated_lines between 0 and lines),
  repeated_minor minor_units not null default 0,
  -- The days of its lines.
  first_on calendar_day,
  last_on  calendar_day,
  accepted_at instant,
  -- How many of its lines are booked, in their order, with the one that is brought forward.
  booked_lines integer not null default 0 check (booked_lines between 0 and lines + 1),
  booked_at instant,
  constraint bank_statement_position unique (bank_account_id, position),
  check (opening_minor + sum_minor = closing_minor),
  check ((position is null) = (accepted_at is null)),
  check (position is null or before_minor + brought_minor + sum_minor - repeated_minor = closing_minor),
  check (position is not null or booked_lines = 0),
  check (booked_at is null or accepted_at is not null)
);
create index bank_statement_file on bank_statement (file_id);
-- What came before, by what the bank says of it.
create index bank_statement_known on bank_statement (bank_account_id, reference, closing_minor) where position is not null;
create index bank_statement_days on bank_statement (bank_account_id, last_on) where position is not null;
create index bank_statement_unbooked on bank_statement (bank_account_id, position) where position is not null and booked_at is null;
create trigger bank_statement_stays before update of id, file_id, bank_account_id, opening_minor on bank_statement
  for each statement execute function refuse_change();

-- Of the id of a statement and the number of the line in it: `verify` and the books refer to a line by it.
create table bank_line (
  id text collate "C" primary key check (octet_length(id) = 34),
  statement_id ulid not null,
  -- Its place in the statement: the number of the entry, and of the payment in it. 0: brought forward.
  entry integer not null check (entry >= 0),
  part  integer not null check (part >= 0),
  -- Positive: money came.
  amount_minor minor_units not null,
  booked_on calendar_day not null,
  value_on  calendar_day,
  bank_reference text,
  end_to_end text,
  batch text,
  payments integer not null check (payments > 0),
  is_reversal boolean not null,
  -- The bank's code for the kind of movement, and why a payment came back.
  kind text,
  return_reason text,
  title text not null,
  party_name text,
  -- Only how it ends.
  party_account text,
  -- What it is booked as. repeated: an earlier statement has it. nothing: it moves nothing.
  state text not null check (state in ('unallocated', 'fee', 'payout', 'payout_returned', 'repeated', 'nothing')),
  -- The payout, or the line that it repeats.
  target text collate "C",
  -- Of what is unallocated: what nobody has said yet.
  left_minor minor_units not null,
  -- Until an operator has decided.
  parked_at instant,
  check (left(id, 26) = statement_id),
  check ((state in ('payout', 'payout_returned')) = (target is not null) or state = 'repeated'),
  check ((state = 'nothing') <= (amount_minor = 0)),
  check (state = 'unallocated' or (left_minor = 0 and parked_at is null)),
  check (abs(left_minor) <= abs(amount_minor) and left_minor::numeric * amount_minor >= 0),
  check (parked_at is null or left_minor <> 0)
);
-- The same movement in another statement.
create index bank_line_same on bank_line (booked_on, amount_minor, (hashtextextended(coalesce(bank_reference, ''), 0)));
create index bank_line_parked on bank_line (parked_at, id) where parked_at is not null;
call add_reference('bank_line', '{statement_id}', 'bank_statement', shared => true);
create trigger bank_line_stays before update of id, statement_id, entry, part, amount_minor, booked_on on bank_line
  for each statement execute function refuse_change();

-- What was read of a file that is refused goes; what was accepted stays.
create function check_accepted_lines() returns trigger language plpgsql as $$
begin
  if exists (select from gone join bank_statement on bank_statement.id = gone.statement_id where accepted_at is not null) then
    raise exception 'bank_line is never changed or deleted' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger bank_line_accepted after delete on bank_line
  referencing old table as gone for each statement execute function check_accepted_lines();
create trigger bank_line_kept before truncate on bank_line for each statement execute function refuse_change();
create function check_accepted_statements() returns trigger language plpgsql as $$
begin
  if exists (select from gone where accepted_at is not null) then
    raise exception 'bank_statement is never changed or deleted' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger bank_statement_accepted after delete on bank_statement
  referencing old table as gone for each statement execute function check_accepted_statements();
create trigger bank_statement_kept before truncate on bank_statement for each statement execute function refuse_change();

-- What a line that was not known turned out to be. The id is the source of its journal.
create table bank_allocation (
  id ulid primary key,
  bank_line_id text not null collate "C" references bank_line,
  kind text not null check (kind in ('acquirer_payout', 'acquirer_payout_returned', 'payout', 'payout_returned', 'fee',
                                     'fee_returned')),
  -- The payout; of an acquirer's, with its name: stripe:po_123.
  target text collate "C",
  amount_minor minor_units not null check (amount_minor <> 0),
  -- Who decided; grosz: found by its reference.
  person text not null,
  at instant not null,
  -- Who says that it was wrong: a second journal, of the same source, takes the first one back.
  undone_by text check (undone_by <> ''),
  undone_at instant check (undone_at >= at),
  check ((undone_by is null) = (undone_at is null)),
  check ((kind in ('fee', 'fee_returned')) = (target is null)),
  check (case kind when 'fee' then amount_minor < 0 when 'fee_returned' then amount_minor > 0 else true end)
);
create index bank_allocation_line on bank_allocation (bank_line_id);
-- Nothing of an acquirer arrives twice. What the bank does to a payout of ours is in payout_move, and may happen again.
create unique index bank_allocation_once on bank_allocation (kind, target)
  where kind in ('acquirer_payout', 'acquirer_payout_returned') and undone_at is null;
create trigger bank_allocation_kept before delete or truncate on bank_allocation
  for each statement execute function refuse_change();
create trigger bank_allocation_stays before update of id, bank_line_id, kind, target, amount_minor, person, at
  on bank_allocation for each statement execute function refuse_change();
create function keep_undone() returns trigger language plpgsql as $$
begin
  raise exception 'decision % was undone by %', old.id, old.undone_by
    using errcode = 'integrity_constraint_violation', constraint = tg_name;
end $$;
create trigger bank_allocation_undone before update on bank_allocation
  for each row when (old.undone_at is not null) execute function keep_undone();

-- The bank's answers to files of payments: information, not proof.
create table bank_answer (
  file_id ulid not null references bank_file,
  number integer not null check (number > 0),
  message text not null,
  payment text,
  end_to_end text collate "C",
  status text not null,
  reason text,
  words text not null,
  primary key (file_id, number)
);
create index bank_answer_payment on bank_answer (end_to_end) where end_to_end is not null;
create trigger bank_answer_kept before update or truncate on bank_answer
  for each statement execute function refuse_change();
