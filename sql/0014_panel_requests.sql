-- For developers and operators: the log of requests to the API, and results of verifying the books. Owner: src/panel.

-- Requests of the last days, for debugging. Card data and secrets are masked before they are written.
create table request_log (
  id ulid primary key,
  account_id ulid not null,
  request_id text not null,
  at timestamptz not null,
  endpoint text not null,
  method text not null,
  path text not null,
  status integer not null,
  milliseconds integer not null,
  ignored_fields text not null,
  body text not null,
  response text not null
);
create index request_log_account on request_log (account_id, id);

create table verify_run (
  id ulid primary key,
  started_by text not null,
  started_at timestamptz not null,
  -- While it runs, how far it still counts as alive.
  lease_until timestamptz not null,
  ended_at timestamptz,
  problems jsonb not null,
  journals bigint,
  entries bigint
);
