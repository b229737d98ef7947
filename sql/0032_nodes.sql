-- Which processes are alive: the lease of a request that a process was running ends with the process. Owners:
-- src/platform (node, idempotency_key) and src/sandbox (sandbox_clock).

create table node (
  id   text collate "C" primary key,
  name text not null,
  -- Grows while the process runs. Others see by their own clocks whether it still does, so that clocks need not agree.
  beat bigint not null check (beat >= 0),
  started_at timestamptz not null
);

-- The process that runs the request; null if it does not beat, or is of an earlier version.
alter table idempotency_key add column node text;

-- Which process moves the clock, under which claim, since when, and how much it did; all null unless it is being moved.
alter table sandbox_clock
  add column moving_node  text,
  add column moving_claim text,
  add column moving_from  timestamptz,
  add column moving_done  bigint check (moving_done >= 0);
