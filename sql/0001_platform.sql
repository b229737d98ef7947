-- What the platform itself keeps: what kind of installation this is, and idempotency keys.
-- Times are written by the service; nothing here reads the server's clock.

create domain ulid as text collate "C" check (char_length(value) = 26);

create table installation (
  only_row   boolean primary key default true check (only_row),
  created_at timestamptz not null,
  -- That of the first start: another mode refuses to start.
  mode text not null check (mode in ('sandbox', 'live')),
  -- A known text, sealed: a node with another vault key finds out at its start.
  vault_check text not null,
  -- Ids of the demo's accounts by role; null in a real installation.
  demo jsonb check (demo is null or mode = 'sandbox')
);

create table idempotency_key (
  account_id   ulid not null,
  key          text not null collate "C",
  request_hash text not null,
  method       text not null,
  path         text not null,
  seed         bytea not null unique,
  -- Which run has the key until the lease ends: a run that lost it changes nothing here any more.
  claim        text not null,
  started_at   timestamptz not null,
  lease_until  timestamptz not null,
  -- What the request's effect answered, as JSON, committed with it: a repeat does not do it again.
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
