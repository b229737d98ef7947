-- Accounts: merchants, partners and their sellers; points of sale; credentials and tokens. Owner: src/accounts.

create table account (
  id    ulid primary key,
  kind  text not null check (kind in ('merchant', 'partner', 'seller')),
  name  text not null check (char_length(name) between 1 and 100),
  email text not null,
  phone  text not null default '',
  tax_id text not null default '',
  status text not null default 'active' check (status in ('active', 'blocked')),
  zone    text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Fees: a percentage in basis points plus a fixed part per payment, and a fixed fee per refund.
  payment_fee_basis_points integer not null default 0 check (payment_fee_basis_points between 0 and 10000),
  payment_fee_minor bigint not null default 0 check (payment_fee_minor >= 0),
  refund_fee_minor  bigint not null default 0 check (refund_fee_minor >= 0),
  channels integer[] not null,
  marketplace_enabled boolean not null default false check (not marketplace_enabled or kind = 'partner'),
  -- Encrypted by the vault: both must be readable, to sign notifications.
  security_code_sealed  text not null,
  webhook_secret_sealed text not null,
  requests_per_second integer check (requests_per_second > 0),
  created_at  timestamptz not null,
  modified_at timestamptz not null
);

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
  created_at  timestamptz not null,
  modified_at timestamptz not null
);
create unique index pos_one_main on pos (account_id) where main;
create index pos_account on pos (account_id, id);

-- The domains of a point of sale's shop, as host or host:port.
create table pos_domain (
  pos_id ulid not null references pos,
  domain_name text not null check (char_length(domain_name) between 1 and 259),
  created_at timestamptz not null,
  primary key (pos_id, domain_name)
);

create table credential (
  id         ulid primary key,
  account_id ulid not null references account,
  name text not null check (char_length(name) between 1 and 100),
  -- operator: like full, plus the sandbox tools, which act on every account.
  kind text not null check (kind in ('full', 'read_only', 'operator')),
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index credential_account on credential (account_id, id);

-- Two slots for secrets, so that one can be rotated while the other still works.
create table credential_secret (
  credential_id ulid not null references credential,
  place smallint not null check (place in (1, 2)),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz not null,
  primary key (credential_id, place)
);

create table access_token (
  token_hash    bytea primary key check (octet_length(token_hash) = 32),
  credential_id ulid not null references credential,
  scope      text not null,
  issued_at  timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index access_token_expires on access_token (expires_at);
create index access_token_credential on access_token (credential_id);

-- Other tables refer to accounts and points of sale without foreign keys, so these rows are never deleted and keep
-- their ids.
create trigger account_kept before delete or truncate on account for each statement execute function refuse_change();
create trigger account_id_kept before update of id on account for each statement execute function refuse_change();
create trigger pos_kept before delete or truncate on pos for each statement execute function refuse_change();
