-- When a transaction was canceled, and by whom. Owner: src/transactions. Transactions canceled before this migration have
-- neither. The constraint is not valid for those: checking them would lock the table while it is read.

alter table transaction
  add column canceled_at timestamptz,
  -- merchant: by a request or in the panel. expiry: not paid in time. charge: a recurring charge that was declined.
  add column canceled_by text;
alter table transaction add constraint transaction_canceled
  check (canceled_at is null or (status = 'canceled' and canceled_by in ('merchant', 'expiry', 'charge'))) not valid;
