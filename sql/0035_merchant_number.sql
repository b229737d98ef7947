-- The number of an account: `id` of notifications about transactions and the beginning of what `md5sum` signs. Clients of
-- such services read it as an integer of 32 bits. Accounts that exist get theirs in the order of their creation; nodes of
-- the previous version create accounts with the default. Owner: src/accounts.

create sequence merchant_number as integer start with 100001;

alter table account add column merchant_number integer;
update account set merchant_number = numbered.number
  from (select id, nextval('merchant_number') as number from (select id from account order by id) as ordered) as numbered
 where account.id = numbered.id;
alter table account
  alter column merchant_number set default nextval('merchant_number'),
  alter column merchant_number set not null,
  add constraint account_merchant_number unique (merchant_number),
  add check (merchant_number > 0);
alter sequence merchant_number owned by account.merchant_number;

-- Whoever stored the number compares with it for good.
create trigger account_merchant_number_kept before update of merchant_number on account
  for each statement execute function refuse_change();
