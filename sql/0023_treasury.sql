-- Our own accounts at banks. Owner: src/treasury.

-- How a bank takes files (src/bankfiles/payments/profile.ts). Another profile is another row: none is ever changed, so the
-- same batch always is the same bytes.
create table bank_profile (
  name text primary key collate "C" check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  settings jsonb not null check (jsonb_typeof(settings -> 'format') = 'string')
);
create trigger bank_profile_kept before update or delete or truncate on bank_profile
  for each statement execute function refuse_change();
insert into bank_profile (name, settings) values
  ('iso20022-sepa', '{"format": "pain.001.001.09", "currency": "EUR", "countries": "SEPA", "serviceLevel": {"code": "SEPA"},
    "localInstrument": null, "bookedAsBatch": false, "chargeBearer": "SLEV", "payerBank": "not_provided", "encoding": "UTF-8",
    "characters": "-().,''+", "addresses": false, "nameAtMost": 70, "titleAtMost": 140, "amountAtMostMinor": "99999999999",
    "paymentsAtMost": 100000, "zone": "Europe/Warsaw"}'),
  ('iso20022-pl', '{"format": "pain.001.001.03", "currency": "PLN", "countries": ["PL"], "serviceLevel": null,
    "localInstrument": null, "bookedAsBatch": false, "chargeBearer": "SHAR", "payerBank": "sort_code", "encoding": "UTF-8",
    "characters": "-().,''+ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "addresses": false, "nameAtMost": 140, "titleAtMost": 140,
    "amountAtMostMinor": "99999999999", "paymentsAtMost": 100000, "zone": "Europe/Warsaw"}'),
  ('elixir0', '{"format": "elixir-0", "currency": "PLN", "countries": ["PL"], "serviceLevel": null, "localInstrument": null,
    "bookedAsBatch": false, "chargeBearer": null, "payerBank": "sort_code", "encoding": "windows-1250",
    "characters": "-().+ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "addresses": false, "nameAtMost": 140, "titleAtMost": 140,
    "amountAtMostMinor": "99999999", "paymentsAtMost": 100000, "zone": "Europe/Warsaw"}');

-- Where clients' money lies: its statements are imported, and payouts are paid from it.
create table bank_account (
  id ulid primary key,
  -- As an IBAN.
  number text not null collate "C" unique check (number ~ '^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$'),
  currency currency_code not null,
  name text not null check (name <> ''),
  opened_at instant not null,
  -- How payouts are paid from it, and who said so last; null: none are.
  holder text check (char_length(holder) between 1 and 70),
  profile text references bank_profile,
  given_by text check (given_by <> ''),
  given_at instant,
  check ((holder is null) = (profile is null) and (holder is null) = (given_by is null)
         and (holder is null) = (given_at is null))
);
create trigger bank_account_kept before delete or truncate on bank_account
  for each statement execute function refuse_change();
create trigger bank_account_stays before update of id, number, currency, opened_at on bank_account
  for each statement execute function refuse_change();
