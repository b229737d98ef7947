-- Card data. Owner: src/cards. Never a number or a code in clear.

create table card_key (
  id text primary key,
  public_pem text not null,
  private_sealed text not null,
  created_at timestamptz not null
);

create table card_token (
  token text collate "C" primary key,
  -- The attempt to pay that the card was given for: it keeps one token, however often it is run.
  attempt_id ulid not null unique,
  merchant_id ulid not null references account,
  -- Number and expiry, sealed by the vault; the vault's key id stands in the text. The code is never kept.
  card_sealed text not null,
  tail  text not null check (tail ~ '^[0-9]{4}$'),
  brand text not null,
  -- MMYY, as notifications spell it.
  expiry text not null check (expiry ~ '^[0-9]{4}$'),
  created_at timestamptz not null,
  -- A token can be used once a payment with its card succeeded.
  active_at timestamptz
);
