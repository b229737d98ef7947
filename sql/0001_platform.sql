-- Tables of the platform: the installation and idempotency keys. The service writes all times; nothing here reads the
-- server's clock.

create domain ulid as text collate "C" check (char_length(value) = 26);

create table installation (
  only_row   boolean primary key default true check (only_row),
  created_at timestamptz not null,
  -- Set at the first start; the service refuses to start in another mode.
  mode text not null check (mode in ('sandbox', 'live')),
  -- A known text, encrypted, so that a node with another vault key notices at startup.
  vault_check text not null,
  -- Ids of the demo accounts by role; null in a real installation.
  demo jsonb check (demo is null or mode = 'sandbox')
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

-- For rows that are never changed or deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
