-- Which acquirer new charges go through. Owner: src/acquirer. What an acquirer has begun stays with it: rows name theirs.

-- As in ACQUIRERS.
create domain acquirer_kind as text check (value ~ '^[a-z][a-z0-9-]{0,39}$');

create table acquirer_route (
  id ulid primary key,
  acquirer acquirer_kind not null,
  -- Null: every one, here and below.
  merchant_id ulid references account,
  channel_id integer check (channel_id > 0),
  currency currency_code,
  -- Of several that are equally specific, the smaller is tried first.
  position integer not null check (position between 1 and 1000),
  created_at instant not null,
  -- The same twice would say nothing; another position of the same is a change of it.
  constraint acquirer_route_once unique nulls not distinct (acquirer, merchant_id, channel_id, currency)
);

-- When each acquirer last sent something that was genuine, for its operator.
create table acquirer_activity (
  acquirer acquirer_kind primary key,
  -- By the wall clock; of several within a second the first.
  callback_at instant not null
);
