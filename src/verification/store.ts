// All SQL of this room. Owns: verify_run.

import type { Finding } from '../../contract/codes/findings.ts';
import {
  group,
  json,
  type Page,
  type RowOf,
  readBigint,
  readInteger,
  readText,
  type Since,
  type Sql,
  SqlText,
  text,
} from '../database/index.ts';
import { runFields, verifyRunTable } from './table.ts';

/** With everything that it found. */
export type VerifyRun = RowOf<typeof verifyRunTable>;
export type Run = Omit<VerifyRun, 'problems'>;

/** What is read every few seconds: of what a run found, which may be long, only which codes, and the hash. */
export interface KnownRun extends Run {
  readonly codes: readonly Finding['code'][];
  readonly problemsHash: string;
}

const known = group({ ...runFields, codes: json<KnownRun['codes']>(), problemsHash: text });
const readProblems = json<readonly Finding[]>().reader('', 'problems');
const readKnown = known.reader('', '');
const own = group(runFields)
  .columns('')
  .map(({ name }) => name);
/** Of findings, in whatever order they are: pages that are read again find the same in another one. */
const hashOf = (problems: string) => `
  (select encode(sha256(convert_to(coalesce(string_agg(one::text, e'\\n' order by one::text collate "C"), ''), 'UTF8')), 'hex')
     from jsonb_path_query(${problems}, 'lax $[*]') as one)`;
const knownColumns = new SqlText(`${own.join(', ')},
  (select coalesce(jsonb_agg(distinct code), '[]') from jsonb_path_query(problems, 'lax $[*].code') as code) as codes,
  ${hashOf('problems')} as problems_hash`);
const hashOfGiven = new SqlText(hashOf('given.problems'));

/** The hash that `knownColumns` gives of what is written: PostgreSQL writes the same JSON as the same text. */
export async function hashOfProblems(sql: Sql, problems: readonly Finding[]): Promise<string> {
  const [hash = ''] = await sql.many((row) => readText(row, 'hash'))`
    select ${hashOfGiven} as hash from (select ${JSON.stringify(problems)}::jsonb as problems) as given`;
  return hash;
}

/** Beginnings and ends of runs take turns: locks until the end of the database transaction. */
export async function lockRuns(sql: Sql): Promise<void> {
  await sql.run`select pg_advisory_xact_lock(7261508117)`;
}

/** More than one, because runs that somebody made up may be among them. */
const shownAtMost = 100;

/** The last runs of everything, or of what changed, newest first. A run of the future is not the last one. */
export function listLastOf(sql: Sql, everything: boolean, latest: Temporal.Instant): Promise<KnownRun[]> {
  return sql.many(readKnown)`
    select ${knownColumns} from verify_run where (since_at is null) = ${everything} and started_at <= ${latest}
     order by started_at desc, id desc limit ${shownAtMost}`;
}

/** Runs that have not ended, whatever became of their process. */
export function listRunning(sql: Sql): Promise<KnownRun[]> {
  return sql.many(readKnown)`
    select ${knownColumns} from verify_run where ended_at is null order by id limit ${shownAtMost}`;
}

/** The runs at this position: one, unless somebody made up others. */
export function listAt(sql: Sql, position: bigint): Promise<KnownRun[]> {
  return sql.many(readKnown)`select ${knownColumns} from verify_run where position = ${position} order by id`;
}

/** The last ones by position, whoever wrote them. */
export function listLast(sql: Sql): Promise<KnownRun[]> {
  return sql.many(readKnown)`
    select ${knownColumns} from verify_run where position is not null order by position desc limit ${shownAtMost}`;
}

/** By the primary key. */
export function listRuns(sql: Sql, ids: readonly string[]): Promise<KnownRun[]> {
  return sql.many(readKnown)`select ${knownColumns} from verify_run where id = any(${ids}::text[]) order by id`;
}

/** What these runs found, in their order. */
export async function listProblems(sql: Sql, ids: readonly string[]): Promise<Finding[]> {
  const found = await sql.many(readProblems)`
    select problems from verify_run where id = any(${ids}::text[]) order by id`;
  return found.flat();
}

/** How many different things these runs found. */
export async function countProblems(sql: Sql, ids: readonly string[]): Promise<number> {
  const [count = 0] = await sql.many((row) => readInteger(row, 'count'))`
    select count(distinct problem)::integer as count
      from verify_run, jsonb_path_query(problems, 'lax $[*]') as problem where id = any(${ids}::text[])`;
  return count;
}

export function insertRun(sql: Sql, run: VerifyRun): Promise<void> {
  return verifyRunTable.copy(sql, [run]);
}

/** False if it has ended: another process took it for dead. */
export async function updateEnded(sql: Sql, run: VerifyRun): Promise<boolean> {
  const ended = await sql.run`
    update verify_run
       set ended_at = ${run.endedAt}, problems = ${JSON.stringify(run.problems)}::jsonb, journals = ${run.journals},
           entries = ${run.entries}, lease_until = ${run.leaseUntil}, position = ${run.position},
           standing = ${JSON.stringify(run.standing)}::jsonb, right_until = ${run.rightUntil}, mac = ${run.mac}
     where id = ${run.id} and ended_at is null`;
  return ended === 1;
}

/** False if it has ended: another process took it for dead. */
export async function extendLease(sql: Sql, id: string, leaseUntil: Temporal.Instant): Promise<boolean> {
  return (await sql.run`update verify_run set lease_until = ${leaseUntil} where id = ${id} and ended_at is null`) === 1;
}

/** Runs since a moment, by their ids or by their own time, and those that have not ended. */
export function listRunsSince(sql: Sql, { at, id }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from verify_run where id > ${id}
    union select id from verify_run where started_at > ${at}
    union select id from verify_run where ended_at is null`;
}

export function listRunsIn(sql: Sql, page: Page): Promise<KnownRun[]> {
  return sql.many(readKnown)`select ${knownColumns} from verify_run where ${page.of('id')} order by id`;
}

/** Positions up to `last` that no run has. */
export function listGaps(sql: Sql, last: bigint, limit: number): Promise<bigint[]> {
  return sql.many((row) => readBigint(row, 'position'))`
    select before + 1 as position
      from (select position, lag(position, 1, 0::bigint) over (order by position) as before
              from verify_run where position <= ${last}) as placed
     where position > before + 1 order by position limit ${limit}`;
}
