-- Owner: src/transactions. Lists are read backwards along it: new rows then go to the end of their merchant's part, where
-- PostgreSQL fills pages instead of halving them.

drop index transaction_merchant;
create index transaction_merchant on transaction (merchant_id, created_at, id);
