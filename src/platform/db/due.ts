// What is due by a column of a table: the questions that the metrics and a clock that jumps ask of every kind of work.

import { readInstantOrNull, readInteger } from './read.ts';
import { type Sql, SqlText } from './sql.ts';

export interface Waiting {
  readonly due: number;
  readonly oldestAt: Temporal.Instant | null;
}

export interface DueBy {
  /** How much is due and since when. */
  waiting(sql: Sql, now: Temporal.Instant): Promise<Waiting>;
  /** When the next row falls due; null when none will. */
  next(sql: Sql): Promise<Temporal.Instant | null>;
}

/** `column` has an index, and is null in rows that wait for nothing. */
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
