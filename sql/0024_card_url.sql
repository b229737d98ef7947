-- Where payers change the card of a recurring payment: mails about failed charges lead there. Owner: src/accounts.

alter table pay_page add column card_url text
  check (length(card_url) <= 1000 and card_url ~ '^https?://[^[:space:]]+$');
