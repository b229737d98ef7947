// All SQL of the sandbox. Owns: sandbox_clock.

import { type Row, readBigint, readInstantOrNull, type Sql } from '../platform/index.ts';

export interface ClockRow {
  readonly aheadMilliseconds: number;
  readonly movingTo: Temporal.Instant | null;
  readonly leaseUntil: Temporal.Instant | null;
}

function readClock(row: Row): ClockRow {
  return {
    aheadMilliseconds: Number(readBigint(row, 'ahead_milliseconds')),
    movingTo: readInstantOrNull(row, 'moving_to'),
    leaseUntil: readInstantOrNull(row, 'lease_until'),
  };
}

export function findClock(sql: Sql): Promise<ClockRow> {
  return sql.one(readClock)`select * from sandbox_clock`;
}

/** Starts a move, unless another live node is moving the clock; returns whether it is ours. */
export async function beginMove(
  sql: Sql,
  to: Temporal.Instant,
  wallNow: Temporal.Instant,
  leaseUntil: Temporal.Instant,
): Promise<boolean> {
  const changed = await sql.run`
    update sandbox_clock set moving_to = ${to}, lease_until = ${leaseUntil}
     where moving_to is null or lease_until < ${wallNow}`;
  return changed === 1;
}

/** One step of a move: the clock never goes back, and a step survives a crash. */
export async function saveStep(sql: Sql, aheadMilliseconds: number, leaseUntil: Temporal.Instant): Promise<void> {
  await sql.run`
    update sandbox_clock set ahead_milliseconds = greatest(ahead_milliseconds, ${aheadMilliseconds}),
                             lease_until = ${leaseUntil}`;
}

export async function endMove(sql: Sql): Promise<void> {
  await sql.run`update sandbox_clock set moving_to = null, lease_until = null`;
}
