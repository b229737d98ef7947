// SQL of items. Owns: reconciliation_item.

import { given, readInteger, readText, type Sql } from '../../database/index.ts';
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
    update reconciliation_item set state = 'closed', closed_at = ${now}, outcome = ${outcome}
     where id = any(${ids}::text[]) and state <> 'closed'`;
}

/** The money goes back to the payer. */
export async function updateReturning(sql: Sql, id: string): Promise<void> {
  await sql.run`update reconciliation_item set state = 'returning' where id = ${id} and state = 'parked'`;
}

/** Locks items in id order; after their outgoing refunds. */
export function lockItems(sql: Sql, ids: readonly string[]): Promise<Item[]> {
  return sql.many(reconciliationItemTable.read)`
    select * from reconciliation_item where id = any(${ids}::text[]) order by id for update`;
}

/** They cannot go back: an operator decides again. */
export async function parkItems(sql: Sql, items: readonly Pick<Item, 'id' | 'why'>[]): Promise<void> {
  await sql.run`
    update reconciliation_item as item set state = 'parked', why = given.why
      from ${given(items, reconciliationItemTable.types('id', 'why'))}
     where item.id = given.id and item.state = 'returning'`;
}

/** Parked captures that a payment took meanwhile, at most `limit`. */
export function listBookedSince(sql: Sql, limit: number): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from reconciliation_item as item
     where state = 'parked' and kind = 'capture' and difference = 'not_booked'
       and exists (select from journal where source = item.key and kind in ('payment', 'surplus'))
     order by id limit ${limit}`;
}

/** Those of these that still wait for an operator, locked, in id order. */
export function lockParkedOf(sql: Sql, ids: readonly string[]): Promise<Item[]> {
  return sql.many(reconciliationItemTable.read)`
    select * from reconciliation_item where id = any(${ids}::text[]) and state = 'parked' order by id for update`;
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
