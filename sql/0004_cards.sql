-- Card data. Owner: src/cards. Never a number or a code in plain text.

create table card_key (
  id text primary key,
  public_pem text not null,
  private_sealed text not null,
  created_at instant not null
);

create table card_token (
  token text collate "C" primary key,
  -- The payment attempt that the card was given for; it keeps one token, however often it is run.
  attempt_id ulid not null unique,
  merchant_id ulid not null references account,
  -- Number and expiry, encrypted by the vault; the text includes the vault's key id. The code is never stored. Of a card that
  -- an acquirer keeps only the token.
  card_sealed text not null,
  -- Who keeps the card, from the charge of the attempt on, and alone can charge it; null: its number is here.
  acquirer text check (acquirer <> ''),
  tail  text not null check (tail ~ '^[0-9]{4}$'),
  brand text not null,
  -- MMYY, as in notifications.
  expiry text not null check (expiry ~ '^[0-9]{4}$'),
  created_at instant not null,
  -- A token becomes usable when a payment with its card succeeds.
  active_at instant
);
