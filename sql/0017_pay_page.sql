-- What an account shows to payers: color and logo of its pay page, its language, and which mails go out.
-- Owner: src/accounts. Accounts without a row have the defaults.

create table pay_page (
  account_id ulid primary key references account,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  -- Of payers whose transaction and browser name none that we have.
  language text check (language in ('pl', 'en', 'de', 'uk', 'fr', 'it', 'es', 'ru')),
  logo bytea check (octet_length(logo) between 1 and 102400),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- SHA-256, as 64 hexadecimal digits: the logo's address.
  logo_hash text check (logo_hash ~ '^[0-9a-f]{64}$'),
  mail_paid          boolean not null default true,
  mail_charge_failed boolean not null default true,
  mail_refunded      boolean not null default true,
  mail_order         boolean not null default true,
  modified_at timestamptz not null,
  check ((logo is null) = (logo_hash is null) and (logo is null) = (logo_type is null))
);
create index pay_page_logo on pay_page (logo_hash) where logo_hash is not null;
