-- Attempts are checked against their transactions once per statement: the foreign key looked up and locked a transaction
-- for each row, a fifth of what it cost to insert an attempt. The check is stricter: the merchant must be the
-- transaction's. Owner: src/transactions.

alter table payment_attempt drop constraint payment_attempt_transaction_id_fkey;
drop trigger payment_attempt_merchant_known on payment_attempt;
drop trigger payment_attempt_merchant_stays on payment_attempt;
drop function check_attempt_merchant();

-- A scalar subquery is planned as an index lookup, also while the table is small.
create function check_attempt_transaction() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select transaction_id into wrong from written
   where (select merchant_id from transaction where id = written.transaction_id) is distinct from written.merchant_id
   limit 1;
  if found then
    raise exception 'an attempt names transaction %, which its merchant does not have', wrong
      using errcode = 'foreign_key_violation', constraint = 'payment_attempt_transaction';
  end if;
  return null;
end $$;
create trigger payment_attempt_transaction after insert on payment_attempt
  referencing new table as written for each statement execute function check_attempt_transaction();
create trigger payment_attempt_transaction_stays before update of transaction_id, merchant_id on payment_attempt
  for each statement execute function refuse_change();

-- The other direction: a transaction with an attempt stays.
create function check_transaction_without_attempts() returns trigger language plpgsql as $$
begin
  if exists (select from payment_attempt where transaction_id = any (array (select id from gone))) then
    raise exception 'a transaction has attempts' using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger transaction_without_attempts after delete on transaction
  referencing old table as gone for each statement execute function check_transaction_without_attempts();
create trigger transaction_id_stays before update of id on transaction
  for each statement execute function refuse_change();
create trigger transaction_kept before truncate on transaction for each statement execute function refuse_change();
