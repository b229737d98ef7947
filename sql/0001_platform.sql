-- Tables of the platform: the installation, its processes, idempotency keys, and the ends of the chains of hashes. Owner:
-- src/platform. The service writes all times; nothing here reads the server's clock.

create domain ulid as text collate "C" check (char_length(value) = 26);

create table installation (
  only_row   boolean primary key default true check (only_row),
  created_at timestamptz not null,
  -- Set at the first start; the service refuses to start in another mode.
  mode text not null unique check (mode in ('sandbox', 'live')),
  -- A known text, encrypted, so that a node with another vault key notices at startup.
  vault_check text not null
);

-- Which processes are alive: the lease of a request that a process was running ends with the process.
create table node (
  id   text collate "C" primary key,
  name text not null,
  -- Grows while the process runs. Others see by their own clocks whether it still does, so that clocks need not agree.
  beat bigint not null check (beat >= 0),
  started_at timestamptz not null
);

create table idempotency_key (
  account_id   ulid not null,
  key          text not null collate "C",
  request_hash text not null,
  method       text not null,
  path         text not null,
  seed         bytea not null unique,
  -- The run that holds the key until the lease expires; a run that lost it changes nothing here.
  claim        text not null,
  -- The process that runs the request; null if it does not beat.
  node         text,
  started_at   timestamptz not null,
  lease_until  timestamptz not null,
  -- The result of the request's effect, as JSON, committed with it, so that a retry does not repeat it.
  done         text,
  answered_at  timestamptz,
  status       integer,
  body         text,
  primary key (account_id, key),
  check ((answered_at is null) = (status is null) and (answered_at is null) = (body is null))
);
create index idempotency_key_started on idempotency_key (started_at);

-- The newest row of each chain with a MAC by the vault, which the database does not have: moved with every row that is
-- appended. Without it, cutting off the end of a chain would leave a chain.
create table chain_head (
  chain    text primary key check (chain in ('ledger', 'audit')),
  position bigint not null check (position > 0),
  hash     bytea not null check (octet_length(hash) = 32),
  mac      text not null check (mac <> '')
);

-- For rows that are never changed or deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

-- The start of the bucket of a time, in UTC: lists count buckets instead of rows.
create function six_hour_bucket_of(at timestamptz) returns timestamptz language sql immutable
  return date_bin(interval '6 hours', at, timestamptz '1970-01-01 00:00Z');
