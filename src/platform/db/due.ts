// Due rows by a column of a table: how many there are, for the metrics, and when the next one is due, for advancing the
// sandbox clock.

import { readInstantOrNull, readInteger } from './read.ts';
import { type Sql, SqlText } from './sql.ts';

export interface Waiting {
  readonly due: number;
  readonly oldestAt: Temporal.Instant | null;
}

export interface DueBy {
  /** How many rows are due, and since when. */
  waiting(sql: Sql, now: Temporal.Instant): Promise<Waiting>;
  /** When the next row becomes due; null if none will. */
  next(sql: Sql): Promise<Temporal.Instant | null>;
}

/** `column` must be indexed, and null in rows that are not waiting. */
export function dueBy(table: string, column: string): DueBy {
  const [from, at] = [new SqlText(table), new SqlText(column)];
  return {
    waiting: (sql, now) =>
      sql.one((row) => ({ due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') }))`
        select count(*)::integer as due, min(${at}) as oldest_at from ${from} where ${at} <= ${now}`,
    next: (sql) =>
      sql.one((row) => readInstantOrNull(row, 'next_at'))`
        select min(${at}) as next_at from ${from} where ${at} is not null`,
  };
}
