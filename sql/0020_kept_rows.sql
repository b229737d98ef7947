-- Foreign keys to rows that are never deleted, as one check for each statement instead of a look-up and a lock for each row,
-- which were six of them for each charge. What may be named is the same as before: journals and accounts that exist, which
-- nothing can delete (journal_kept, account_kept), and which never change their id.

create trigger account_id_kept before update of id on account for each statement execute function refuse_change();

-- Owner: src/ledger.
alter table entry drop constraint entry_journal_id_fkey;
alter table journal_unsealed drop constraint journal_unsealed_journal_id_fkey;
create function check_journal_known() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select written.journal_id into wrong from written
   where not exists (select from journal where journal.id = written.journal_id) limit 1;
  if found then
    raise exception 'unknown journal %', wrong using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger entry_journal_known after insert on entry
  referencing new table as written for each statement execute function check_journal_known();
create trigger journal_unsealed_known after insert on journal_unsealed
  referencing new table as written for each statement execute function check_journal_known();
create trigger journal_unsealed_stays before update of journal_id on journal_unsealed
  for each statement execute function refuse_change();

-- Owner: src/notifications.
alter table event drop constraint event_account_id_fkey;
create function check_event_account() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct account_id from written) as named
     where not exists (select from account where account.id = named.account_id)
  ) then
    raise exception 'an event of an unknown account' using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger event_account_known after insert on event
  referencing new table as written for each statement execute function check_event_account();
create trigger event_account_stays before update of account_id on event
  for each statement execute function refuse_change();

-- Owner: src/transactions.
alter table payment_attempt drop constraint payment_attempt_merchant_id_fkey;
create function check_attempt_merchant() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct merchant_id from written) as named
     where not exists (select from account where account.id = named.merchant_id)
  ) then
    raise exception 'an attempt of an unknown merchant' using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger payment_attempt_merchant_known after insert on payment_attempt
  referencing new table as written for each statement execute function check_attempt_merchant();
create trigger payment_attempt_merchant_stays before update of merchant_id on payment_attempt
  for each statement execute function refuse_change();
