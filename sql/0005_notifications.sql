-- Notifications: events, their deliveries, the log of tries, the keys that sign them, and mail. Owner: src/notifications.

-- What happened, frozen. Written in the same database transaction as the fact that it tells.
create table event (
  id         ulid primary key,
  account_id ulid not null,
  type       text not null check (type in ('transaction', 'recurring', 'marketplace', 'refund')),
  -- What it is about, for example the transaction.
  subject_id text not null collate "C",
  -- Null when nobody gave an address: such an event can only be read.
  url          text,
  content_type text not null,
  -- The bytes that are signed and sent. Sealed by the vault when it carries a card token.
  body   text not null,
  sealed boolean not null,
  created_at timestamptz not null,
  -- Dealt after the commit, by one at a time, without gaps: whoever has read up to a position has missed nothing.
  position bigint check (position > 0)
);
create unique index event_position on event (position) where position is not null;
create index event_account on event (account_id, position) where position is not null;
create index event_unnumbered on event (created_at, id) where position is null;

-- In place of a foreign key: one check per statement over the few accounts that its rows name.
create function check_event_account() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct account_id from written) as named
     where not exists (select from account where account.id = named.account_id)
  ) then
    raise exception 'an event of an unknown account' using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;
create trigger event_account_known after insert on event
  referencing new table as written for each statement execute function check_event_account();
create trigger event_account_stays before update of account_id on event
  for each statement execute function refuse_change();

-- Endpoints with a queue: deliveries that are due and wait until others of the same endpoint have ended. A row goes when
-- a claim finds its queue empty. Claims take turns along these rows, so what is not due costs them nothing.
create table endpoint_queue (
  endpoint   text primary key collate "C",
  account_id ulid not null,
  -- Whether its last try failed; these have places of their own.
  suspect    boolean not null,
  -- Raised with everything that is queued, so that a claim cannot take a queue for empty that has just grown.
  version    integer not null default 1,
  -- When a claim last took from it, or it was made. By the wall clock.
  served_at  timestamptz not null
) with (fillfactor = 50);
create index endpoint_queue_turn on endpoint_queue (suspect, served_at, endpoint);
create index endpoint_queue_account on endpoint_queue (account_id);

-- What becomes of an event that has an address. Apart from the event, because these rows change and are small.
-- A pending one is in exactly one of three places, each with an index: scheduled (no queue, no lease), queued, leased.
create table delivery (
  event_id   ulid primary key references event,
  account_id ulid not null,
  -- Account and origin of the address: those who share it share one queue, others are never slowed by it. An account's
  -- origins beyond the hundred that may have a queue at once share one ("{account} *").
  endpoint text not null collate "C",
  status   text not null check (status in ('pending', 'delivered', 'exhausted')),
  -- All tries, and those of the present round: a resend begins a new round.
  tries       integer not null default 0 check (tries >= 0),
  round_tries integer not null default 0 check (round_tries between 0 and tries),
  -- By the business clock.
  next_try_at  timestamptz,
  delivered_at timestamptz,
  -- The endpoint, while it is due and waits for its turn. The reference keeps a queue from being forgotten.
  queue text collate "C" references endpoint_queue,
  -- Who sends it now, until when by the wall clock. Each claim raises the fence; a result with an older one changes nothing.
  lease_fence integer not null default 0,
  lease_until timestamptz,
  constraint delivery_next_try check ((status = 'pending') = (next_try_at is not null)),
  constraint delivery_delivered check ((status = 'delivered') = (delivered_at is not null)),
  constraint delivery_queue check (queue is null or (queue = endpoint and status = 'pending' and lease_until is null)),
  constraint delivery_lease check (status = 'pending' or lease_until is null)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index delivery_scheduled on delivery (next_try_at, event_id)
  where status = 'pending' and queue is null and lease_until is null;
create index delivery_queued on delivery (queue, next_try_at, event_id) where queue is not null;
create index delivery_leased on delivery (lease_until) where lease_until is not null;
create index delivery_exhausted on delivery (account_id, event_id) where status = 'exhausted';

-- Endpoints whose last try failed; one that answers well has no row.
create table endpoint_health (
  endpoint        text primary key collate "C",
  failures_in_row integer not null check (failures_in_row > 0),
  failing_since   timestamptz not null,
  last_failure_at timestamptz not null,
  last_error      text not null
);

-- The delivery log.
create table delivery_try (
  event_id ulid not null references event,
  number   integer not null check (number > 0),
  at       timestamptz not null,
  -- The HTTP status, null when no answer came.
  status   integer,
  -- Why it does not count as delivered; null when it does.
  error    text,
  milliseconds integer not null check (milliseconds >= 0),
  -- The first 1 KB of the answer.
  answer   text not null,
  primary key (event_id, number)
);

-- Keys made at the first start and shared by all nodes. One key of a purpose is live at a time.
create table signing_key (
  id      ulid primary key,
  purpose text not null check (purpose in ('root', 'notifications')),
  private_key_sealed text not null,
  certificate_pem    text not null,
  -- Both by the wall clock.
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index signing_key_live on signing_key (purpose) where retired_at is null;

-- Mail to payers, written in the same database transaction as the fact that it tells.
create table mail (
  -- Also its Message-ID: a mail that was sent twice can be told by it.
  id ulid primary key,
  recipient text not null,
  subject   text not null,
  text_body text not null,
  html_body text not null,
  language  text not null,
  status    text not null check (status in ('pending', 'sent', 'failed')),
  created_at timestamptz not null,
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz,
  ended_at    timestamptz,
  last_error  text,
  check ((status = 'pending') = (next_try_at is not null)),
  check ((status = 'pending') = (ended_at is null))
);
create index mail_due on mail (next_try_at) where next_try_at is not null;
create index mail_ended on mail (ended_at) where ended_at is not null;
