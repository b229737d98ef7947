-- Verifications of the books. Owner: src/verification.

create table verify_run (
  id ulid primary key,
  -- An email address, or a code of contract/codes/actors.ts.
  started_by text not null check (started_by in ('service', 'command_line') or started_by like '_%@_%'),
  started_at instant not null,
  -- What was made or moved since, by the wall clock; null: everything.
  since_at instant,
  -- While it runs, how far it still counts as alive.
  lease_until instant not null,
  ended_at instant,
  problems jsonb not null check (is_list_of(problems,
    'strict $[*] ? (@.code.type() == "string" && @.parameters.type() == "object")')),
  journals bigint,
  entries bigint
);
