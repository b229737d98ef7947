-- Batches: payouts that go to the bank together, in one file that two people signed. Owner: src/batches.

create table payout_batch (
  id ulid primary key,
  -- The account that pays, with its holder and how its bank takes files as they were when the draft was made: both are signed.
  bank_account_id ulid not null references bank_account,
  payer_holder text not null check (char_length(payer_holder) between 1 and 70),
  profile text not null references bank_profile,
  currency currency_code not null,
  state text not null check (state in ('draft', 'approved', 'made', 'handed_over', 'settled', 'canceled')),
  payouts integer not null check (payouts > 0),
  total_minor minor_units not null check (total_minor > 0),
  -- People of the panel, by id and by email address: neither is given to another person.
  created_by_id ulid not null,
  created_by text not null check (created_by <> ''),
  approved_by_id ulid,
  approved_by text check (approved_by <> ''),
  -- Of its payouts in their order, and of this row, by the vault: what the second person has signed.
  digest bytea check (octet_length(digest) = 32),
  mac text check (mac <> ''),
  -- Who says first that the bank never got it, after it was handed over.
  missed_by_id ulid,
  missed_by text check (missed_by <> ''),
  canceled_by_id ulid,
  canceled_by text check (canceled_by <> ''),
  created_at instant not null,
  approved_at instant check (approved_at >= created_at),
  made_at instant check (made_at >= approved_at),
  handed_over_at instant check (handed_over_at >= made_at),
  missed_at instant check (missed_at >= handed_over_at),
  settled_at instant check (settled_at >= handed_over_at),
  canceled_at instant check (canceled_at >= created_at),
  -- Its payouts are in no other one until it is canceled.
  is_live boolean not null generated always as (state <> 'canceled') stored,
  constraint payout_batch_live unique (id, is_live),
  constraint payout_batch_four_eyes check (approved_by_id <> created_by_id and approved_by <> created_by),
  constraint payout_batch_missed_four_eyes check (canceled_by_id <> missed_by_id and canceled_by <> missed_by),
  check ((approved_at is null) = (state = 'draft') or state = 'canceled'),
  check ((made_at is null) = (state in ('draft', 'approved')) or state = 'canceled'),
  check ((handed_over_at is null) = (state in ('draft', 'approved', 'made')) or state = 'canceled'),
  check (made_at is null or approved_at is not null),
  check (handed_over_at is null or made_at is not null),
  check ((settled_at is not null) = (state = 'settled')),
  check ((canceled_at is not null) = (state = 'canceled')),
  check ((approved_at is null) = (approved_by_id is null) and (approved_at is null) = (approved_by is null)
         and (approved_at is null) = (digest is null) and (approved_at is null) = (mac is null)),
  check ((missed_at is null) = (missed_by_id is null) and (missed_at is null) = (missed_by is null)),
  check ((canceled_at is null) = (canceled_by is null)),
  -- What may be at the bank is canceled by two people.
  check (state <> 'canceled' or handed_over_at is null or (missed_by_id is not null and canceled_by_id is not null))
);
create index payout_batch_open on payout_batch (state, id) where state in ('draft', 'approved', 'made', 'handed_over');
create trigger payout_batch_kept before delete or truncate on payout_batch
  for each statement execute function refuse_change();
create trigger payout_batch_stays before update of id, bank_account_id, payer_holder, profile, currency,
  created_by_id, created_by, created_at on payout_batch for each statement execute function refuse_change();

create table payout_batch_item (
  batch_id ulid not null,
  payout_id ulid not null references payout,
  is_live boolean not null default true,
  primary key (batch_id, payout_id),
  foreign key (batch_id, is_live) references payout_batch (id, is_live) on update cascade
);
-- A payout is paid by one batch.
create unique index payout_batch_item_once on payout_batch_item (payout_id) where is_live;
create trigger payout_batch_item_kept before truncate on payout_batch_item
  for each statement execute function refuse_change();
-- Row by row: `is_live` follows the state of the batch, and with it all columns of the reference are written.
create function keep_batch_item() returns trigger language plpgsql as $$
begin
  raise exception 'payout % stays in its batch', old.payout_id using errcode = 'check_violation', constraint = tg_name;
end $$;
create trigger payout_batch_item_stays before update on payout_batch_item
  for each row when (row(old.batch_id, old.payout_id) is distinct from row(new.batch_id, new.payout_id))
  execute function keep_batch_item();

-- What was signed stays as it was signed.
create function check_batch_items() returns trigger language plpgsql as $$
begin
  if exists (select from rows_changed join payout_batch on payout_batch.id = rows_changed.batch_id
              where payout_batch.approved_at is not null) then
    raise exception 'the payouts of a signed batch never change' using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger payout_batch_item_new after insert on payout_batch_item
  referencing new table as rows_changed for each statement execute function check_batch_items();
create trigger payout_batch_item_gone after delete on payout_batch_item
  referencing old table as rows_changed for each statement execute function check_batch_items();

-- Who signs is an operator at that moment; what is signed does not change; and no state is skipped.
create function check_batch_step() returns trigger language plpgsql as $$
declare
  signer text;
begin
  if tg_op = 'INSERT' then
    if new.state <> 'draft' then
      raise exception 'batch % begins as %', new.id, new.state using errcode = 'check_violation', constraint = tg_name;
    end if;
    signer := new.created_by_id;
  elsif old.state is distinct from new.state then
    if (old.state, new.state) not in (
         ('draft', 'approved'), ('draft', 'canceled'), ('approved', 'made'), ('approved', 'canceled'),
         ('made', 'handed_over'), ('made', 'canceled'), ('handed_over', 'settled'), ('handed_over', 'canceled')) then
      raise exception 'batch % is %, so it does not become %', old.id, old.state, new.state
        using errcode = 'check_violation', constraint = tg_name;
    end if;
    if new.state = 'approved' then
      signer := new.approved_by_id;
    elsif new.state = 'canceled' and old.state = 'handed_over' then
      signer := new.canceled_by_id;
    end if;
  end if;
  if tg_op = 'UPDATE' and old.approved_at is not null
     and (old.payouts, old.total_minor, old.approved_by_id, old.approved_by, old.digest, old.mac, old.approved_at)
         is distinct from
         (new.payouts, new.total_minor, new.approved_by_id, new.approved_by, new.digest, new.mac, new.approved_at) then
    raise exception 'batch % was signed', old.id using errcode = 'check_violation', constraint = tg_name;
  end if;
  if signer is not null then
    perform from person where id = signer and role = 'operator' and blocked_at is null for share;
    if not found then
      raise exception '% is no operator', signer using errcode = 'check_violation', constraint = tg_name;
    end if;
  end if;
  return new;
end $$;
create trigger payout_batch_step before insert or update on payout_batch
  for each row execute function check_batch_step();

create table payout_file (
  id ulid primary key,
  batch_id ulid not null unique references payout_batch,
  -- Of the account that pays: an IBAN, and how many files it had before this one, plus one.
  payer_number text not null collate "C",
  payer_holder text not null check (char_length(payer_holder) between 1 and 70),
  number integer not null check (number > 0),
  -- The bank refuses one that it has seen.
  message_id text not null collate "C" check (char_length(message_id) between 1 and 35),
  profile text not null references bank_profile,
  execute_on calendar_day not null,
  created_at instant not null,
  -- Once it is written: its length, its hash, and its bytes, compressed.
  size bigint check (size > 0),
  sha256 bytea check (octet_length(sha256) = 32),
  bytes bytea check (octet_length(bytes) > 0),
  -- By the vault.
  mac text check (mac <> ''),
  constraint payout_file_number unique (payer_number, number),
  check ((sha256 is null) = (size is null) and (sha256 is null) = (bytes is null) and (sha256 is null) = (mac is null))
);
create trigger payout_file_kept before delete or truncate on payout_file
  for each statement execute function refuse_change();
create trigger payout_file_stays
  before update of id, batch_id, payer_number, payer_holder, number, message_id, execute_on, created_at on payout_file
  for each statement execute function refuse_change();

-- Numbers have no gap, and bytes are written once.
create function check_payout_file() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.number > 1 and not exists (
         select from payout_file where payer_number = new.payer_number and number = new.number - 1) then
      raise exception 'there is no file % of this account', new.number - 1
        using errcode = 'check_violation', constraint = tg_name;
    end if;
  elsif old.sha256 is not null then
    raise exception 'file % is never changed', old.id using errcode = 'check_violation', constraint = tg_name;
  end if;
  return new;
end $$;
create trigger payout_file_once before insert or update on payout_file
  for each row execute function check_payout_file();

-- Each time somebody got the file: by the panel, by a command, or in a folder.
create table payout_handover (
  id ulid primary key,
  file_id ulid not null references payout_file,
  way text not null check (way in ('panel', 'command', 'folder')),
  is_copy boolean not null,
  person text not null check (person <> ''),
  -- The folder.
  place text check (place <> ''),
  at instant not null,
  -- When it was in the folder: until then it is under another name there.
  placed_at instant check (placed_at >= at),
  check ((place is not null) = (way = 'folder')),
  check (placed_at is null or way = 'folder')
);
create unique index payout_handover_first on payout_handover (file_id) where not is_copy;
create index payout_handover_file on payout_handover (file_id, id);
create index payout_handover_unplaced on payout_handover (id) where way = 'folder' and placed_at is null;
create trigger payout_handover_kept before delete or truncate on payout_handover
  for each statement execute function refuse_change();
create trigger payout_handover_stays before update of id, file_id, way, is_copy, person, place, at on payout_handover
  for each statement execute function refuse_change();
