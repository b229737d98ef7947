-- Idempotency keys. Owner: src/http.

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
  started_at   instant not null,
  lease_until  instant not null,
  -- The result of the request's effect, as JSON, committed with it, so that a retry does not repeat it.
  done         text,
  answered_at  instant,
  status       integer,
  body         text,
  primary key (account_id, key),
  check ((answered_at is null) = (status is null) and (answered_at is null) = (body is null))
);
create index idempotency_key_started on idempotency_key (started_at);
