-- The sandbox clock, shared by all nodes, and the demo accounts. Owner: src/sandbox.

-- A live installation has none.
create table demo (
  only_row boolean primary key default true check (only_row),
  mode text not null default 'sandbox' check (mode = 'sandbox') references installation (mode),
  -- Ids of the demo accounts by role; null until they exist.
  roles jsonb check (jsonb_typeof(roles) = 'object')
);

create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  -- How far the business clock is ahead of the wall clock: at most ten years, which have at most three leap days.
  ahead_milliseconds bigint not null check (ahead_milliseconds between 0 and 3653::bigint * 86400000),
  -- Set while a node moves the clock: the others pause until it is done. The lease is by the wall clock.
  moving_to   instant,
  lease_until instant,
  -- Which process moves it, under which claim, since when, and how much it did; all null unless it is being moved.
  moving_node  text,
  moving_claim text,
  moving_from  instant,
  moving_done  bigint check (moving_done >= 0),
  check ((moving_to is null) = (lease_until is null))
);
insert into sandbox_clock (ahead_milliseconds) values (0);
