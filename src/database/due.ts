// Due rows by a column of a table: how many there are, for the metrics, when the next one is due, for advancing the
// sandbox clock, and a claim of those that are tried again and again.

import type { Waiting } from '../runtime/index.ts';
import { readInstant, readInstantOrNull, readInteger } from './read.ts';
import { type Sql, SqlText } from './sql.ts';
import type { RowOf, Table } from './table.ts';

export interface DueBy {
  /** How many rows are due, and since when. */
  waiting(sql: Sql, now: Temporal.Instant): Promise<Waiting>;
  /** When the next row becomes due; null if none will. */
  next(sql: Sql): Promise<Temporal.Instant | null>;
}

/** `column` must be indexed, and null in rows that are not waiting; `among` restricts the rows. */
export function dueBy(table: string, column: string, among = 'true'): DueBy {
  const [from, at, which] = [new SqlText(table), new SqlText(column), new SqlText(among)];
  return {
    waiting: (sql, now) =>
      sql.one((row) => ({ due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') }))`
        select count(*)::integer as due, min(${at}) as oldest_at from ${from} where ${at} <= ${now} and ${which}`,
    next: (sql) =>
      sql.one((row) => readInstantOrNull(row, 'next_at'))`
        select min(${at}) as next_at from ${from} where ${at} is not null and ${which}`,
  };
}

/** A row that was claimed, and since when it was due. */
export type Due<T> = RowOf<T> & { readonly dueAt: Temporal.Instant };

export type ClaimDue<T> = (
  sql: Sql,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  limit: number,
) => Promise<Due<T>[]>;

/**
 * Claims due rows of a table with `id`, `next_try_at` and `tries`, oldest first, locked by `skip locked`; the lease is the
 * time of the next try.
 */
export function claimTries<F>(table: Table<F>): ClaimDue<Table<F>> {
  const name = new SqlText(table.name);
  return (sql, now, leaseUntil, limit) =>
    sql.many((row) => ({ ...table.read(row), dueAt: readInstant(row, 'due_at') }))`
      with due as (
        select id, next_try_at as due_at from ${name} where next_try_at <= ${now}
         order by next_try_at limit ${limit} for update skip locked
      )
      update ${name} as claimed set next_try_at = ${leaseUntil}, tries = claimed.tries + 1
        from due where claimed.id = due.id
      returning claimed.*, due.due_at`;
}
