-- Accounts: merchants, partners and their sellers; points of sale; pay pages; credentials and tokens. Owner:
-- src/accounts.

-- Clients of such services read the number of an account as an integer of 32 bits.
create sequence merchant_number as integer start with 100001;

create table account (
  id    ulid primary key,
  -- `id` of notifications about transactions and the beginning of what `md5sum` signs.
  merchant_number integer not null default nextval('merchant_number')
    constraint account_merchant_number unique check (merchant_number > 0),
  kind  text not null check (kind in ('merchant', 'partner', 'seller')),
  name  text not null check (char_length(name) between 1 and 100),
  email text not null,
  phone  text not null default '',
  tax_id text not null default '',
  status text not null default 'active' check (status in ('active', 'blocked')),
  zone    text not null,
  -- Whether it was ever another one: sums by day of the former zone are made again.
  zone_changed boolean not null default false,
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Fees: a percentage in basis points plus a fixed part per payment, and a fixed fee per refund.
  payment_fee_basis_points integer not null default 0 check (payment_fee_basis_points between 0 and 10000),
  payment_fee_minor minor_units not null default 0 check (payment_fee_minor >= 0),
  refund_fee_minor  minor_units not null default 0 check (refund_fee_minor >= 0),
  -- Of the three, by the vault, which the database does not have: every later payment is booked with them.
  fees_mac text not null check (fees_mac <> ''),
  channels integer[] not null,
  marketplace_enabled boolean not null default false check (not marketplace_enabled or kind = 'partner'),
  -- Encrypted by the vault: both must be readable, to sign notifications.
  security_code_sealed  text not null,
  webhook_secret_sealed text not null,
  requests_per_second integer check (requests_per_second > 0),
  -- Whether it wants a notification (`tr_status=FALSE`) for each declined attempt.
  decline_notifications boolean not null default false,
  -- Where notifications about its payouts and settlements go; null: nowhere, and they are no events either.
  money_url text check (length(money_url) <= 2048),
  -- Whether it gets a mail with each settlement.
  settlement_mails boolean not null default true,
  created_at  instant not null,
  modified_at instant not null
);
alter sequence merchant_number owned by account.merchant_number;
create index account_zone_changed on account (id) where zone_changed;

create table partner_seller (
  partner_id ulid not null references account,
  seller_id  ulid not null references account,
  primary key (partner_id, seller_id)
);
create index partner_seller_seller on partner_seller (seller_id);

create table pos (
  id         ulid primary key,
  account_id ulid not null references account,
  name text not null check (char_length(name) between 1 and 100),
  url  text not null,
  notification_url text,
  test_mode boolean not null,
  active    boolean not null default true,
  verified  boolean not null default true,
  -- The default of transactions whose credential names none.
  main boolean not null,
  created_at  instant not null,
  modified_at instant not null
);
create unique index pos_one_main on pos (account_id) where main;
create index pos_account on pos (account_id, id);

-- The domains of a point of sale's shop, as host or host:port.
create table pos_domain (
  pos_id ulid not null references pos,
  domain_name text not null check (char_length(domain_name) between 1 and 259),
  created_at instant not null,
  primary key (pos_id, domain_name)
);

-- What an account shows to payers: color and logo of its pay page, its language, and which mails go out. Accounts without
-- a row have the defaults.
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
  mail_charged       boolean not null default true,
  -- The origins whose pages may show the payment form of this account in a frame. They become part of a security policy,
  -- so nothing but an origin fits: scheme, host in ASCII, port.
  embed_origins text[] not null default '{}'
    check (cardinality(embed_origins) = 0
           or cardinality(embed_origins) <= 20
              and array_position(embed_origins, null) is null
              and array_to_string(embed_origins, ' ')
                  ~ '^https?://[a-z0-9._-]{1,253}(:[0-9]{1,5})?( https?://[a-z0-9._-]{1,253}(:[0-9]{1,5})?)*$'),
  -- Where payers change the card of a recurring payment: mails about failed charges lead there.
  card_url text check (length(card_url) <= 1000 and card_url ~ '^https?://[^[:space:]]+$'),
  modified_at instant not null,
  check ((logo is null) = (logo_hash is null) and (logo is null) = (logo_type is null))
);
create index pay_page_logo on pay_page (logo_hash) where logo_hash is not null;

create table credential (
  id         ulid primary key,
  account_id ulid not null references account,
  name text not null check (char_length(name) between 1 and 100),
  -- operator: like full, plus the sandbox tools, which act on every account.
  kind text not null check (kind in ('full', 'read_only', 'operator')),
  created_at instant not null,
  revoked_at instant
);
create index credential_account on credential (account_id, id);

-- Two slots for secrets, so that one can be rotated while the other still works.
create table credential_secret (
  credential_id ulid not null references credential,
  place smallint not null check (place in (1, 2)),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at instant not null,
  primary key (credential_id, place)
);

create table access_token (
  token_hash    bytea primary key check (octet_length(token_hash) = 32),
  credential_id ulid not null references credential,
  -- Of the client secret that it was issued with: the token ends with it.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  scope      text not null,
  issued_at  instant not null,
  expires_at instant not null,
  revoked_at instant
);
create index access_token_expires on access_token (expires_at);
create index access_token_credential on access_token (credential_id);

-- Other tables refer to accounts and points of sale without foreign keys, so these rows are never deleted and keep
-- their ids.
create trigger account_kept before delete or truncate on account for each statement execute function refuse_change();
create trigger account_id_kept before update of id on account for each statement execute function refuse_change();
create trigger pos_kept before delete or truncate on pos for each statement execute function refuse_change();
create trigger pos_id_kept before update of id, account_id on pos for each statement execute function refuse_change();
-- Whoever stored the number compares with it for good.
create trigger account_merchant_number_kept before update of merchant_number on account
  for each statement execute function refuse_change();
