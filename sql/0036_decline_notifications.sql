-- Accounts that want a notification (`tr_status=FALSE`) for each declined attempt, and whether the last decline of a
-- transaction was told so: then its cancellation tells nothing more. Owners: src/accounts, src/transactions.

alter table account add column decline_notifications boolean not null default false;
alter table transaction add column decline_told boolean not null default false;
