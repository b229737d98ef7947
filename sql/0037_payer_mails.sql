-- Mails to payers: a switch for successful recurring charges, and what a mail may say about the card of a payment.
-- Owners: src/accounts (pay_page), src/transactions (payment_attempt).

alter table pay_page add column mail_charged boolean not null default true;

-- The brand and the last four digits of the card, also of one that is not saved; null for other methods.
alter table payment_attempt
  add column card_brand text,
  add column card_tail text;
