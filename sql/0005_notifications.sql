-- Notifications: events, their deliveries, the delivery log, signing keys, and mail. Owner: src/notifications.

-- What happened, immutable. Inserted in the database transaction of the change that it reports.
create table event (
  id         ulid primary key,
  account_id ulid not null,
  type       text not null check (type in ('transaction', 'recurring', 'marketplace', 'refund', 'dispute', 'settlement', 'payout')),
  -- What it is about, for example the transaction.
  subject_id text not null collate "C",
  -- Null if no URL was given: such an event can only be read.
  url          text,
  content_type text not null,
  -- The bytes that are signed and sent. Encrypted by the vault if it contains a card token.
  body   text not null,
  sealed boolean not null,
  created_at instant not null
);
-- The events of a transaction or refund.
create index event_subject on event (subject_id);

-- Events are never deleted, so a reference to one cannot break later.
create trigger event_kept before delete or truncate on event for each statement execute function refuse_change();
create trigger event_id_stays before update of id on event for each statement execute function refuse_change();

call add_reference('event', '{account_id}', 'account', shared => true);

-- Positions of events, assigned after the commit, by one node at a time, without gaps: a reader that has read up to a
-- position has missed nothing. Apart from the events: assigning one rewrote the whole event, with its body and an entry in
-- each index, which cost as much again.
create table event_position (
  position   bigint primary key check (position > 0),
  event_id   ulid not null unique,
  account_id ulid not null
);
create index event_position_account on event_position (account_id, position);
create trigger event_position_kept before update or delete or truncate on event_position
  for each statement execute function refuse_change();

-- Events without a position: one row for each statement that inserted some.
create table event_unnumbered (
  id bigint generated always as identity primary key,
  account_ids ulid[] not null,
  event_ids   ulid[] not null check (cardinality(event_ids) > 0)
);
create function note_new_events() returns trigger language plpgsql as $$
begin
  insert into event_unnumbered (account_ids, event_ids)
    select array_agg(distinct account_id), array_agg(id) from new_rows having count(*) > 0;
  return null;
end $$;
create trigger event_noted after insert on event
  referencing new table as new_rows for each statement execute function note_new_events();
create trigger event_unnumbered_stays before update on event_unnumbered
  for each statement execute function refuse_change();

-- Endpoints with a queue: deliveries that are due and wait until others of the same endpoint have ended. A row is
-- deleted when a claim finds its queue empty. Claims go through these rows in turn, so deliveries that are not due cost
-- them nothing.
create table endpoint_queue (
  endpoint   text primary key collate "C",
  account_id ulid not null,
  -- Whether its last attempt failed; such endpoints have separate places.
  suspect    boolean not null,
  -- Incremented with every delivery that is queued, so that a claim cannot take a queue for empty that has just grown.
  version    integer not null default 1,
  -- When a claim last took from it, or it was created. By the wall clock.
  served_at  instant not null
) with (fillfactor = 50);
create index endpoint_queue_turn on endpoint_queue (suspect, served_at, endpoint);
create index endpoint_queue_account on endpoint_queue (account_id);

-- The delivery of an event that has a URL. Separate from the event, because these rows change and are small. A pending
-- delivery is in exactly one of three states, each with its own index: scheduled (no queue, no lease), queued, leased.
create table delivery (
  event_id   ulid primary key,
  account_id ulid not null,
  -- Account and origin of the URL: deliveries with the same endpoint share a queue and do not slow down others. An
  -- account's origins beyond the hundred that may have their own queue share one ("{account} *").
  endpoint text not null collate "C",
  status   text not null check (status in ('pending', 'delivered', 'exhausted')),
  -- All attempts, and those of the current round: a resend starts a new round.
  tries       integer not null default 0 check (tries >= 0),
  round_tries integer not null default 0 check (round_tries between 0 and tries),
  -- By the business clock.
  next_try_at  instant,
  delivered_at instant,
  -- The endpoint, while the delivery is due and waits for its turn. The reference prevents the queue from being
  -- deleted.
  queue text collate "C" references endpoint_queue,
  -- Who is sending it, and until when by the wall clock. Each claim increments the fence; a result with an older fence
  -- changes nothing.
  lease_fence integer not null default 0,
  lease_until instant,
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

-- Endpoints whose last attempt failed; one that responds well has no row.
create table endpoint_health (
  endpoint        text primary key collate "C",
  failures_in_row integer not null check (failures_in_row > 0),
  failing_since   instant not null,
  last_failure_at instant not null,
  last_error      text not null
);

-- The delivery log.
create table delivery_try (
  event_id ulid not null,
  number   integer not null check (number > 0),
  at       instant not null,
  -- The HTTP status; null if there was no response.
  status   integer,
  -- Why it does not count as delivered; null if it does.
  error    text,
  milliseconds integer not null check (milliseconds >= 0),
  -- The first 1 KB of the response.
  answer   text not null,
  primary key (event_id, number)
);

call add_reference('delivery', '{event_id}', 'event');
call add_reference('delivery_try', '{event_id}', 'event');

-- Keys created at the first start and shared by all nodes. One key per purpose is live.
create table signing_key (
  id      ulid primary key,
  purpose text not null check (purpose in ('root', 'notifications')),
  private_key_sealed text not null,
  certificate_pem    text not null,
  -- Both by the wall clock.
  created_at instant not null,
  retired_at instant
);
create unique index signing_key_live on signing_key (purpose) where retired_at is null;

-- Mail to payers, inserted in the database transaction of the change that it reports.
create table mail (
  -- Also its Message-ID, so that a mail that was sent twice can be recognized.
  id ulid primary key,
  recipient text not null,
  subject   text not null,
  -- Text and HTML, sealed by the vault, until it was sent or given up: they have links that let one in.
  content text,
  -- What it is about: a transaction, a refund, or a user who is sent a link. Null if it is about none.
  subject_id ulid,
  language  text not null,
  status    text not null check (status in ('pending', 'sent', 'failed')),
  created_at instant not null,
  tries integer not null default 0 check (tries >= 0),
  next_try_at instant,
  ended_at    instant,
  -- For operators: what the server said, or a code of ours.
  last_error  text,
  check ((status = 'pending') = (next_try_at is not null)),
  check ((status = 'pending') = (ended_at is null)),
  constraint mail_blank_once_ended check ((status = 'pending') = (content is not null))
);
create index mail_due on mail (next_try_at) where next_try_at is not null;
create index mail_ended on mail (ended_at) where ended_at is not null;
create index mail_subject on mail (subject_id) where subject_id is not null;

-- How many mails that need no payment an address was sent within an hour: nobody may fill an inbox with them.
create table mail_count (
  hour      instant not null,
  recipient text collate "C" not null,
  count     integer not null check (count > 0),
  primary key (hour, recipient)
);
