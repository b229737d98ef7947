// SQL of items. Owns: reconciliation_item.

import { claimTries, type Due, dueBy, readInteger, readText, type Sql } from '../../platform/index.ts';
import type { Item } from '../model.ts';
import { reconciliationItemTable } from '../table.ts';

const listedAtMost = 1_000;

/** Inserts items that were not named before; returns the ids of the new ones. */
export async function insertItems(sql: Sql, items: readonly Item[]): Promise<Set<string>> {
  const known = await sql.many((row) => readText(row, 'named'))`
    select key || ' ' || kind || ' ' || difference as named from reconciliation_item
     where key = any(${items.map(({ key }) => key)}::text[])`;
  const named = new Set(known);
  const fresh = items.filter(({ key, kind, difference }) => !named.has(`${key} ${kind} ${difference}`));
  if (fresh.length > 0) await reconciliationItemTable.copy(sql, fresh);
  return new Set(fresh.map(({ id }) => id));
}

/** Items that wait for an operator, oldest first, bounded. */
export function listParked(sql: Sql): Promise<Item[]> {
  return sql.many(reconciliationItemTable.read)`
    select * from reconciliation_item where state = 'parked' order by found_at, id limit ${listedAtMost}`;
}

export function countOpen(sql: Sql): Promise<number> {
  return sql.one((row) => readInteger(row, 'open'))`
    select count(*)::integer as open from reconciliation_item where state <> 'closed'`;
}

/** Locks an item that waits for an operator. */
export function lockParked(sql: Sql, id: string): Promise<Item | undefined> {
  return sql.maybeOne(reconciliationItemTable.read)`
    select * from reconciliation_item where id = ${id} and state = 'parked' for update`;
}

/** Whether a payment took the capture after all. */
export function isBooked(sql: Sql, key: string): Promise<boolean> {
  return sql.one((row) => row.booked === true)`
    select exists (select from journal where source = ${key} and kind in ('payment', 'surplus')) as booked`;
}

export async function closeItems(
  sql: Sql,
  ids: readonly string[],
  outcome: string,
  now: Temporal.Instant,
): Promise<void> {
  await sql.run`
    update reconciliation_item set state = 'closed', closed_at = ${now}, outcome = ${outcome}, next_try_at = null
     where id = any(${ids}::text[]) and state <> 'closed'`;
}

/** The money goes back to the payer: under the key of an earlier try, unless the bank refused that. */
export async function startReturn(sql: Sql, id: string, returnKey: string, now: Temporal.Instant): Promise<void> {
  await sql.run`
    update reconciliation_item
       set state = 'returning', next_try_at = ${now}, tries = 0, return_key = coalesce(return_key, ${returnKey})
     where id = ${id} and state = 'parked'`;
}

/** The next try. */
export async function sendItemBack(sql: Sql, id: string, nextTryAt: Temporal.Instant): Promise<void> {
  await sql.run`
    update reconciliation_item set state = 'returning', next_try_at = ${nextTryAt}
     where id = ${id} and state = 'returning'`;
}

/** It cannot go back: an operator decides again. `refused`: the bank never pays under this key. */
export async function parkItem(sql: Sql, id: string, why: string, refused: boolean): Promise<void> {
  await sql.run`
    update reconciliation_item
       set state = 'parked', next_try_at = null, why = ${why},
           return_key = case when ${refused} then null else return_key end
     where id = ${id} and state = 'returning'`;
}

export type DueItem = Due<typeof reconciliationItemTable>;

/** Claims captures that go back to their payers, oldest first; the lease is the time of the next try. */
export const claimDueItems = claimTries(reconciliationItemTable);

/** Locks the item that goes back under this key, unless it was closed meanwhile. */
export function lockReturning(sql: Sql, returnKey: string): Promise<Item | undefined> {
  return sql.maybeOne(reconciliationItemTable.read)`
    select * from reconciliation_item where return_key = ${returnKey} and state <> 'closed' for update`;
}

/** Parked captures that a payment took meanwhile, locked, in id order, at most `limit`. */
export function lockBookedSince(sql: Sql, limit: number): Promise<Item[]> {
  return sql.many(reconciliationItemTable.read)`
    select * from reconciliation_item as item
     where state = 'parked' and kind = 'capture' and difference = 'not_booked'
       and exists (select from journal where source = item.key and kind in ('payment', 'surplus'))
     order by id limit ${limit} for update`;
}

/** Captures that were returned to their payers, and that a payment took afterwards; locked, in id order, bounded. */
export function lockReturnedTwice(sql: Sql, outcome: string, limit: number): Promise<Item[]> {
  return sql.many(reconciliationItemTable.read)`
    select * from reconciliation_item as item
     where state = 'closed' and outcome = ${outcome} and difference = 'not_booked'
       and exists (select from journal where source = item.key and kind in ('payment', 'surplus'))
     order by id limit ${limit} for update`;
}

/** Decided as not moved by the bank, which now names them with our amount; locked, in id order, bounded. */
export function lockNamedAfterAll(sql: Sql, runId: string, outcome: string, limit: number): Promise<Item[]> {
  return sql.many(reconciliationItemTable.read)`
    select * from reconciliation_item as item
     where state = 'closed' and outcome = ${outcome} and difference = 'not_at_bank'
       and (exists (select from reconciliation_line as line
                     where line.run_id = ${runId} and line.kind = item.kind and line.key = item.key
                       and line.amount_minor = item.our_minor)
            or exists (select from reconciliation_line as line
                        where line.run_id = ${runId} and line.kind = item.kind and line.charge_key = item.key
                          and line.amount_minor = item.our_minor))
     order by id limit ${limit} for update`;
}

/** Writes what became of closed items. */
export async function updateOutcome(sql: Sql, ids: readonly string[], outcome: string): Promise<void> {
  await sql.run`update reconciliation_item set outcome = ${outcome} where id = any(${ids}::text[])`;
}

/**
 * Closes parked items that the bank had not named, and now does with our amount; returns how many. A surplus is named
 * under its charge.
 */
export function closeConfirmed(sql: Sql, runId: string, now: Temporal.Instant): Promise<number> {
  return sql.run`
    update reconciliation_item as item
       set state = 'closed', closed_at = ${now}, outcome = 'named by the bank later'
     where item.state = 'parked' and item.difference = 'not_at_bank'
       and (exists (select from reconciliation_line as line
                     where line.run_id = ${runId} and line.kind = item.kind and line.key = item.key
                       and line.amount_minor = item.our_minor)
            or exists (select from reconciliation_line as line
                        where line.run_id = ${runId} and line.kind = item.kind and line.charge_key = item.key
                          and line.amount_minor = item.our_minor))`;
}

/** Items that booked money and have no journal of it, at most `limit`. */
export function listUnbooked(sql: Sql, limit: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from reconciliation_item as item
     where difference = 'not_booked'
       and not exists (select from journal where source = item.key and kind = 'unmatched ' || item.kind)
     order by id limit ${limit}`;
}

export const itemsDue = dueBy('reconciliation_item', 'next_try_at');
