-- Verifications of the books. Owner: src/verification.

create table verify_run (
  id ulid primary key,
  -- An email address, or a code of contract/codes/actors.ts.
  started_by text not null check (started_by in ('service', 'command_line') or started_by like '_%@_%'),
  started_at instant not null,
  -- What was made or moved since, by the wall clock; null: everything.
  since_at instant,
  -- While it runs: its process, null if that one has no beat, and how far it still counts as alive.
  node_id text collate "C",
  lease_until instant not null,
  ended_at instant,
  problems jsonb not null check (is_list_of(problems,
    'strict $[*] ? (@.code.type() == "string" && @.parameters.type() == "object")')),
  journals bigint,
  entries bigint,
  -- Runs whose findings it has read again.
  reread jsonb not null check (is_list_of(reread, 'strict $[*] ? (@.type() == "string")')),
  -- Its place among the runs that have ended. Not unique: what somebody writes here must not keep the next run from its own.
  position bigint check (position > 0),
  -- Runs whose findings stood when it had ended, and up to when the books were right then.
  standing jsonb check (is_list_of(standing, 'strict $[*] ? (@.type() == "string")')),
  right_until instant,
  -- By the vault, which the database does not have: over all of it when it had ended.
  mac text check (mac <> ''),
  check ((ended_at is null) = (position is null)),
  check ((ended_at is null) = (standing is null)),
  check ((ended_at is null) = (mac is null))
);
create index verify_run_position on verify_run (position);
create index verify_run_started on verify_run (started_at, id);
create index verify_run_running on verify_run (id) where ended_at is null;
create trigger verify_run_kept before delete or truncate on verify_run
  for each statement execute function refuse_change();
create trigger verify_run_stays before update of id, started_by, started_at, since_at, node_id, reread on verify_run
  for each statement execute function refuse_change();
