-- The ledger: double entry in minor units. Owner: src/ledger. Debits are positive, credits negative. Journals are never
-- changed or deleted; a correction is a reversing journal.

create table ledger_account (
  name text collate "C" primary key,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense')),
  -- A floor account has a balance row that never goes below zero: of a liability what we owe, of an asset what is owed to
  -- us. Hot accounts have entries only.
  floor boolean not null,
  created_at instant not null,
  check (not floor or kind in ('asset', 'liability'))
);
-- When the installation began.
create index ledger_account_created on ledger_account (created_at);

create table ledger_balance (
  account text collate "C" primary key references ledger_account,
  balance_minor minor_units not null constraint ledger_balance_floor check (balance_minor >= 0)
);

create table journal (
  id ulid primary key,
  -- What it is about, and which part of that: the same thing cannot be posted twice.
  source text not null collate "C",
  kind   text not null collate "C",
  currency currency_code not null,
  posted_at instant not null,
  constraint journal_posted_once unique (source, kind)
);

create table entry (
  journal_id ulid not null,
  line smallint not null check (line > 0),
  account text not null collate "C",
  amount_minor minor_units not null check (amount_minor <> 0),
  primary key (journal_id, line)
);
create index entry_account on entry (account, journal_id);

-- The hash chain is computed afterwards, in batches, so that no writer waits for another's hash.
-- What waits for it: one row for each statement that inserted journals, written by the database itself. A row for each
-- journal, with its index and its check, cost every payment as much as the journal.
create table journal_unsealed (
  id bigint generated always as identity primary key,
  journal_ids ulid[] not null check (cardinality(journal_ids) > 0)
);
create function note_new_journals() returns trigger language plpgsql as $$
begin
  insert into journal_unsealed (journal_ids) select array_agg(id) from new_rows having count(*) > 0;
  return null;
end $$;
create trigger journal_noted after insert on journal
  referencing new table as new_rows for each statement execute function note_new_journals();
create trigger journal_unsealed_stays before update on journal_unsealed
  for each statement execute function refuse_change();

create table journal_seal (
  position bigint primary key check (position > 0),
  journal_id ulid not null unique,
  -- Covers the previous seal, the journal and its entries.
  hash bytea not null check (octet_length(hash) = 32),
  -- Eight bytes for the journal's own row and eight for each entry, so that a changed row can be identified.
  marks bytea not null
);

-- What the chain came to when `verify` last found it right: the next run goes on from here. With a MAC by the vault, which
-- the database does not have.
create table ledger_checkpoint (
  only_row boolean primary key default true check (only_row),
  position bigint not null check (position > 0),
  hash bytea not null check (octet_length(hash) = 32),
  -- The sum of the entries of each account up to that position: JSON as text, as it was signed.
  sums text not null,
  verified_at instant not null,
  mac text not null check (mac <> '')
);

-- Checked once per statement, over all rows it inserted. All entries of a journal must be inserted by one statement.
create function check_entries() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select journal_id into wrong from new_rows group by journal_id having sum(amount_minor) <> 0 limit 1;
  if found then
    raise exception 'journal % does not sum to zero', wrong using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  return null;
end $$;
create trigger entry_checked after insert on entry
  referencing new table as new_rows for each statement execute function check_entries();

create trigger journal_kept before update or delete or truncate on journal for each statement execute function refuse_change();
create trigger entry_kept before update or delete or truncate on entry for each statement execute function refuse_change();
create trigger journal_seal_kept before update or delete or truncate on journal_seal for each statement execute function refuse_change();

call add_reference('entry', '{journal_id}', 'journal', shared => true);
call add_reference('entry', '{account}', 'ledger_account', '{name}', shared => true);
call add_reference('journal_seal', '{journal_id}', 'journal');
create trigger ledger_account_kept before delete or truncate on ledger_account
  for each statement execute function refuse_change();
create trigger ledger_account_name_kept before update of name on ledger_account
  for each statement execute function refuse_change();
