// All SQL of the sandbox. Owns: sandbox_clock, demo.

import { type Row, readBigint, readInstantOrNull, readTextOrNull, type Sql } from '../database/index.ts';

export interface ClockRow {
  readonly aheadMilliseconds: number;
  readonly movingTo: Temporal.Instant | null;
  readonly leaseUntil: Temporal.Instant | null;
  /** The process that moves it; null if it does not beat. */
  readonly movingNode: string | null;
  /** Where the move began, and how many items it did so far. */
  readonly movingFrom: Temporal.Instant | null;
  readonly movingDone: number | null;
}

function readClock(row: Row): ClockRow {
  return {
    aheadMilliseconds: Number(readBigint(row, 'ahead_milliseconds')),
    movingTo: readInstantOrNull(row, 'moving_to'),
    leaseUntil: readInstantOrNull(row, 'lease_until'),
    movingNode: readTextOrNull(row, 'moving_node'),
    movingFrom: readInstantOrNull(row, 'moving_from'),
    movingDone: row.moving_done === null ? null : Number(readBigint(row, 'moving_done')),
  };
}

export function findClock(sql: Sql): Promise<ClockRow> {
  return sql.one(readClock)`select * from sandbox_clock`;
}

/** A move as one process makes it. */
export interface Moving {
  /** Random: a process that was frozen while another took over changes nothing more. */
  readonly claim: string;
  readonly node: string | null;
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/**
 * Starts a move, unless another live process is moving the clock; returns whether it is ours. `deadNode` is a process
 * whose lease has ended with it.
 */
export async function beginMove(
  sql: Sql,
  { claim, node, from, to }: Moving,
  wallNow: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  deadNode: string | null,
): Promise<boolean> {
  const changed = await sql.run`
    update sandbox_clock
       set moving_to = ${to}, lease_until = ${leaseUntil}, moving_node = ${node}, moving_claim = ${claim},
           moving_from = ${from}, moving_done = 0
     where moving_to is null or lease_until < ${wallNow} or moving_node = ${deadNode}`;
  return changed === 1;
}

/** One step of a move: the clock never goes back, and a step survives a crash. Returns whether the move is still ours. */
export async function saveStep(
  sql: Sql,
  claim: string,
  aheadMilliseconds: number,
  done: number,
  leaseUntil: Temporal.Instant,
): Promise<boolean> {
  const changed = await sql.run`
    update sandbox_clock
       set ahead_milliseconds = greatest(ahead_milliseconds, ${aheadMilliseconds}), moving_done = ${done},
           lease_until = ${leaseUntil}
     where moving_claim = ${claim}`;
  return changed === 1;
}

/**
 * Until when the move is ours, during a long step or, in the past, to leave the rest to others. Returns whether it is
 * still ours.
 */
export async function saveLease(sql: Sql, claim: string, leaseUntil: Temporal.Instant): Promise<boolean> {
  return (await sql.run`update sandbox_clock set lease_until = ${leaseUntil} where moving_claim = ${claim}`) === 1;
}

export async function endMove(sql: Sql, claim: string): Promise<void> {
  await sql.run`
    update sandbox_clock
       set moving_to = null, lease_until = null, moving_node = null, moving_claim = null, moving_from = null,
           moving_done = null
     where moving_claim = ${claim}`;
}

/** Locks the row, so that two nodes that start at the same time create the demo once. Null until it exists. */
export async function lockDemo(sql: Sql): Promise<unknown> {
  await sql.run`insert into demo default values on conflict do nothing`;
  return sql.one((row) => row.roles)`select roles from demo for update`;
}

export async function saveDemo(sql: Sql, roles: object): Promise<void> {
  await sql.run`update demo set roles = ${JSON.stringify(roles)}::jsonb`;
}
