-- Identity: the people who use the panel, their sessions and second factors, and the audit log. Owner: src/identity.

-- People who sign in. Operators belong to no account; everybody else to one.
create table person (
  id ulid primary key,
  account_id ulid references account,
  -- In lower case.
  email text not null check (email = lower(email) and char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 100),
  role text not null check (role in ('owner', 'staff', 'read_only', 'operator')),
  -- Of contract/languages.ts; one language more changes no table.
  language text not null check (language ~ '^[a-z]{2}$'),
  -- argon2id; null until the invitation is accepted.
  password_hash text check (password_hash like '$argon2id$%'),
  -- The secret of the authenticator app, sealed by the vault; the second one waits for its first code.
  totp_sealed text,
  totp_new_sealed text,
  -- The time step of the last code: a code works once.
  totp_step bigint not null default 0,
  blocked_at instant,
  created_at instant not null,
  modified_at instant not null,
  check ((role = 'operator') = (account_id is null)),
  check (totp_sealed is null or password_hash is not null)
);
create unique index person_email on person (email);
create index person_account on person (account_id, id);

-- Sessions. The cookie is stored hashed. A session that waits for the second factor allows nothing else.
create table session (
  id ulid primary key,
  user_id ulid not null references person on delete cascade,
  token_hash bytea not null unique,
  complete boolean not null,
  -- Of WebAuthn, while a passkey is added or used.
  challenge text,
  address text not null,
  user_agent text not null check (char_length(user_agent) <= 300),
  created_at instant not null,
  seen_at instant not null,
  expires_at instant not null
);
create index session_of_person on session (user_id, id);
create index session_expires on session (expires_at);

create table passkey (
  id ulid primary key,
  user_id ulid not null references person on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  name text not null check (char_length(name) between 1 and 60),
  created_at instant not null,
  used_at instant
);
create index passkey_user on passkey (user_id, id);

-- Each works once instead of a code of the authenticator app. Keyed hashes.
create table recovery_code (
  user_id ulid not null references person on delete cascade,
  code_mac text not null,
  primary key (user_id, code_mac)
);

-- Links of mails; they work once.
create table mail_link (
  token_hash bytea primary key,
  user_id ulid not null references person on delete cascade,
  purpose text not null check (purpose in ('invitation', 'reset')),
  created_at instant not null,
  expires_at instant not null
);
create index mail_link_user on mail_link (user_id);
create index mail_link_expires on mail_link (expires_at);

-- Wrong guesses of passwords and codes, counted per user and per address.
create table sign_in_guess (
  id ulid primary key,
  subject text not null,
  guessed_at instant not null
);
create index sign_in_guess_subject on sign_in_guess (subject, guessed_at);
create index sign_in_guess_time on sign_in_guess (guessed_at);

-- What people did. A row is written before the effect, and a second one with its outcome; each contains the hash of the
-- one before it, so that changing, removing or inserting one breaks the chain.
create table audit_entry (
  position bigint primary key check (position > 0),
  -- The entry whose outcome this is.
  of_position bigint unique references audit_entry,
  at instant not null,
  -- Without references: the log outlives users.
  user_id ulid,
  email text not null,
  account_id ulid,
  action text not null,
  target text not null,
  -- What it is about, if that has an id.
  subject_id ulid,
  -- JSON as text, because jsonb would not keep what was hashed.
  details text not null,
  outcome text,
  address text not null,
  user_agent text not null,
  hash bytea not null,
  check ((of_position is null) = (outcome is null))
);
create index audit_entry_subject on audit_entry (subject_id, position) where subject_id is not null and of_position is null;
create index audit_entry_account on audit_entry (account_id, position) where of_position is null;
create trigger audit_entry_unchanged before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();
