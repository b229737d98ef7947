// SQL that reads the charges of recurring payments. See claims.ts and settlements.ts for the rest.

import {
  dueBy,
  type Row,
  readBoolean,
  readInstant,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import { knownId } from '../../kernel/index.ts';
import type { AttemptState, RecurringAttempt } from '../model.ts';

/** An attempt as shown in lists. */
export type ListedAttempt = Pick<
  RecurringAttempt,
  'transactionId' | 'iteration' | 'attempt' | 'state' | 'reason' | 'createdAt'
>;

function readListed(row: Row): ListedAttempt {
  return {
    transactionId: knownId(readText(row, 'transaction_id')),
    iteration: readInteger(row, 'iteration'),
    attempt: readInteger(row, 'attempt'),
    state: readText(row, 'state') as AttemptState,
    reason: readTextOrNull(row, 'reason'),
    createdAt: readInstant(row, 'created_at'),
  };
}

/** A page of the attempts of a recurring payment, oldest first, by its unique key; at most `limit`. */
export function listAttempts(sql: Sql, recurringId: string, limit: number, offset: number): Promise<ListedAttempt[]> {
  return sql.many(readListed)`
    select transaction_id, iteration, attempt, state, reason, created_at
      from charge where recurring_id = ${recurringId}
     order by iteration, attempt limit ${limit} offset ${offset}`;
}

export interface LatestAttempt extends ListedAttempt {
  readonly recurringId: string;
  readonly manual: boolean;
  readonly isParked: boolean;
}

/** The latest attempts of each of these recurring payments, newest first, at most `each`, by the same key. */
export function listLatestAttempts(sql: Sql, recurringIds: readonly string[], each: number): Promise<LatestAttempt[]> {
  return sql.many((row) => ({
    ...readListed(row),
    recurringId: readText(row, 'recurring_id'),
    manual: readBoolean(row, 'manual'),
    isParked: readBoolean(row, 'is_parked'),
  }))`
    select latest.*
      from unnest(${recurringIds}::text[]) as wanted (id)
     cross join lateral (
       select transaction_id, recurring_id, iteration, attempt, manual, state, reason, created_at,
              parked_at is not null as is_parked
         from charge where recurring_id = wanted.id
        order by iteration desc, attempt desc limit ${each}) as latest
     order by latest.recurring_id, latest.iteration desc, latest.attempt desc`;
}

/** The attempts after a given one, oldest first, by the same key; at most `limit`. */
export function listAttemptsAfter(
  sql: Sql,
  recurringId: string,
  after: Pick<ListedAttempt, 'iteration' | 'attempt'>,
  limit: number,
): Promise<ListedAttempt[]> {
  return sql.many(readListed)`
    select transaction_id, iteration, attempt, state, reason, created_at
      from charge
     where recurring_id = ${recurringId} and (iteration, attempt) > (${after.iteration}, ${after.attempt})
     order by iteration, attempt limit ${limit}`;
}

/** The manual retries of an iteration, by the key of its attempts. */
export function countManualRetries(sql: Sql, recurringId: string, iteration: number): Promise<number> {
  return sql.one((row) => readInteger(row, 'retries'))`
    select count(*)::integer as retries from charge
     where recurring_id = ${recurringId} and iteration = ${iteration} and manual`;
}

export const recurringDue = dueBy('recurring', 'due_at');
