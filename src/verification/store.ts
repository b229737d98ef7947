// All SQL of this room. Owns: verify_run.

import { commandLine } from '../../contract/codes/actors.ts';
import type { findings } from '../../contract/codes/findings.ts';
import { type RowOf, readInstant, readInteger, type Sql, sqlPart } from '../database/index.ts';
import { verifyRunTable } from './table.ts';

export type VerifyRun = RowOf<typeof verifyRunTable>;

/**
 * By the primary key, newest first; a few of what changed lie between two of everything. Here and below a run of the future
 * counts for nothing: it would keep the books from being verified until then.
 */
export function findLastRun(sql: Sql, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`
    select * from verify_run where started_at <= ${latest} order by id desc limit 1`;
}

/** The last run of everything, or of what changed. */
export function findLastOf(sql: Sql, everything: boolean, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  return sql.maybeOne(verifyRunTable.read)`
    select * from verify_run where (since_at is null) = ${everything} and started_at <= ${latest} order by id desc limit 1`;
}

/** Only the command line knows what was noted elsewhere. */
const noted: readonly (keyof typeof findings)[] = [
  'chain_ends_before_note',
  'chain_differs_from_note',
  'note_not_ours',
];
/** It did not look at everything that it was to look at. */
const unread: readonly (keyof typeof findings)[] = ['part_not_verified', 'verification_failed'];

/**
 * Runs whose findings stand: none that began later looked at as much, and at all of it. Of a run that failed every later
 * one does.
 */
const standing = (latest: Temporal.Instant) => sqlPart`
  select wrong.id, wrong.problems from verify_run wrong
   where wrong.problems <> '[]' and wrong.started_at <= ${latest} and not exists (
     select from verify_run later
      where later.id > wrong.id and later.ended_at is not null and later.started_at <= ${latest}
        and not exists (select from jsonb_array_elements(later.problems) problem where problem ->> 'code' = any(${unread}))
        and (later.since_at is null or later.since_at <= wrong.since_at
             or wrong.problems = '[{"code": "verification_failed", "parameters": {}}]')
        and (later.started_by = ${commandLine} or not exists (
          select from jsonb_array_elements(wrong.problems) problem where problem ->> 'code' = any(${noted}))))`;

/** How many things are wrong that no run found gone. */
export function countStanding(sql: Sql, latest: Temporal.Instant): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(distinct problem)::integer as count
      from (${standing(latest)}) standing, jsonb_array_elements(standing.problems) problem`;
}

/**
 * Up to when the books were found right: everything, by a run of everything and runs that went on from there, before the
 * first one whose findings stand.
 */
export function findLastRight(sql: Sql, latest: Temporal.Instant): Promise<Temporal.Instant | undefined> {
  return sql.maybeOne((row) => readInstant(row, 'until'))`
    with correct as (
      select * from verify_run
       where problems = '[]' and ended_at is not null and started_at <= ${latest}
         and not exists (select from (${standing(latest)}) standing where standing.id < verify_run.id)
    ), from_whole as (
      select since_at, max(started_at) over runs as reached, lead(since_at) over runs as next_since
        from correct where id >= (select max(id) from correct where since_at is null)
      window runs as (order by since_at nulls first, started_at, id)
    )
    select reached as until from from_whole where next_since is null or next_since > reached order by reached limit 1`;
}

/** Runs take turns; returns the last one. */
export async function lockLastRun(sql: Sql, latest: Temporal.Instant): Promise<VerifyRun | undefined> {
  await sql.run`select pg_advisory_xact_lock(7261508117)`;
  return findLastRun(sql, latest);
}

export function insertRun(sql: Sql, run: VerifyRun): Promise<void> {
  return verifyRunTable.copy(sql, [run]);
}

export async function endRun(sql: Sql, run: VerifyRun): Promise<void> {
  await sql.run`
    update verify_run
       set ended_at = ${run.endedAt}, problems = ${JSON.stringify(run.problems)}::jsonb, journals = ${run.journals},
           entries = ${run.entries}
     where id = ${run.id}`;
}
