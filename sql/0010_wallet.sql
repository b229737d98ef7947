-- Wallet payments. Owner: src/wallet. Never a device number or a cryptogram.

-- Domains whose pages may start wallet sessions for the merchant, as host or host:port.
create table wallet_domain (
  merchant_id ulid not null references account,
  domain_name text not null check (char_length(domain_name) between 1 and 259),
  created_at instant not null,
  primary key (merchant_id, domain_name)
);

-- Payment-processing certificates of merchants, from the signing request to the revocation.
create table wallet_certificate (
  id ulid primary key,
  merchant_id ulid not null references account,
  merchant_identifier text not null check (char_length(merchant_identifier) between 1 and 255),
  status text not null check (status in ('requested', 'active', 'revoked')),
  csr text not null,
  -- SubjectPublicKeyInfo, and its SHA-256 in base64, by which tokens name it.
  public_key bytea not null,
  public_key_hash text not null unique,
  -- Sealed by the vault; destroyed by the revocation.
  private_sealed text,
  -- PEM.
  certificate text,
  valid_from_at instant,
  expires_at instant,
  created_at instant not null,
  revoked_at instant,
  check ((private_sealed is null) = (status = 'revoked')),
  check ((revoked_at is not null) = (status = 'revoked')),
  check (status <> 'active' or certificate is not null),
  check ((certificate is null) = (expires_at is null) and (certificate is null) = (valid_from_at is null))
);
create index wallet_certificate_merchant on wallet_certificate (merchant_id, id);
create index wallet_certificate_expires on wallet_certificate (expires_at) where status = 'active';

-- Tokens that were paid with. A row is inserted in the transaction that inserts its attempt, so a token pays once.
create table wallet_token (
  -- 32 bytes each, in hex; the fingerprint is SHA-256 of what the device signed.
  wallet_transaction_id text collate "C" primary key check (wallet_transaction_id ~ '^[0-9a-f]{64}$'),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  merchant_id ulid not null references account,
  transaction_id ulid not null,
  attempt_id ulid not null unique,
  created_at instant not null
);
create trigger wallet_token_kept before update or truncate on wallet_token
  for each statement execute function refuse_change();
