// SQL of differences. Owns: reconciliation_item.

import { type Row, readInstant, readInstantOrNull, readInteger, readText, type Sql } from '../../database/index.ts';
import { ownKinds } from '../kinds.ts';
import type { Item, ItemKind, KnownItems, Run } from '../model.ts';
import { reconciliationItemTable } from '../table.ts';

const listedAtMost = 1_000;

/** A row whose reason cannot be read must not hide the others, nor itself. */
export function readItem(row: Row): Item {
  try {
    return reconciliationItemTable.read(row);
  } catch {
    const why = { code: 'item_damaged', parameters: {} };
    return reconciliationItemTable.read({ ...row, why, currency: 'PLN' });
  }
}

export async function insertItems(sql: Sql, items: readonly Item[]): Promise<void> {
  if (items.length > 0) await reconciliationItemTable.copy(sql, items);
}

const changeColumns = reconciliationItemTable.types(
  'id',
  'seenRunId',
  'chargeKey',
  'ourChargeKey',
  'bankMinor',
  'bankFeeMinor',
  'bankAt',
  'ourMinor',
  'ourFeeMinor',
  'state',
  'promisedAt',
  'why',
  'closedAt',
  'outcome',
);

/** Writes what changed about items; the caller holds their locks. */
export async function updateItems(sql: Sql, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(
    ({
      id,
      seenRunId,
      chargeKey,
      ourChargeKey,
      bankMinor,
      bankFeeMinor,
      bankAt,
      ourMinor,
      ourFeeMinor,
      state,
      promisedAt,
      why,
      closedAt,
      outcome,
    }) => ({
      id,
      seenRunId,
      chargeKey,
      ourChargeKey,
      bankMinor,
      bankFeeMinor,
      bankAt: bankAt?.toString() ?? null,
      ourMinor,
      ourFeeMinor,
      state,
      promisedAt: promisedAt?.toString() ?? null,
      why,
      closedAt: closedAt?.toString() ?? null,
      outcome,
    }),
  );
  await reconciliationItemTable.update(sql, rows, changeColumns);
}

/** Notes that a run saw these differences again. */
export async function updateSeen(sql: Sql, ids: readonly string[], runId: string): Promise<void> {
  await sql.run`update reconciliation_item set seen_run_id = ${runId} where id = any(${ids}::text[])`;
}

/** Items that wait for an operator or for the bank, oldest first, bounded. */
export function listParked(sql: Sql): Promise<Item[]> {
  return sql.many(readItem)`
    select * from reconciliation_item where state in ('parked', 'promised') order by found_at, id limit ${listedAtMost}`;
}

export function countOpen(sql: Sql): Promise<number> {
  return sql.one((row) => readInteger(row, 'open'))`
    select count(*)::integer as open from reconciliation_item where state <> 'closed'`;
}

export function countOpenOf(sql: Sql, acquirer: string): Promise<number> {
  return sql.one((row) => readInteger(row, 'open'))`
    select count(*)::integer as open from reconciliation_item where state <> 'closed' and acquirer = ${acquirer}`;
}

/** Locks an item that waits for an operator, or for the bank: then the operator thinks better of it. */
export function lockWaiting(sql: Sql, id: string): Promise<Item | undefined> {
  return sql.maybeOne(readItem)`
    select * from reconciliation_item where id = ${id} and state in ('parked', 'promised') for update`;
}

/** The ids of the open items about the key of one, with itself; not locked. */
export function listSiblings(sql: Sql, id: string): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select other.id from reconciliation_item as item
      join reconciliation_item as other on other.key = item.key and other.acquirer = item.acquirer and other.kind = item.kind
     where item.id = ${id} and other.state <> 'closed' order by other.id`;
}

/** The ids of the open items of these keys, in order; not locked. Repeated lines are not among them (repeated.ts). */
export function listOpenIds(sql: Sql, acquirer: string, kind: ItemKind, keys: readonly string[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    with items as materialized (
      select id, acquirer, kind, state, difference from reconciliation_item where key = any(${keys}::text[])
    )
    select id from items
     where acquirer = ${acquirer} and kind = ${kind} and state <> 'closed' and difference <> 'repeated' order by id`;
}

/** Locks items in id order; after their outgoing refunds. */
export function lockItems(sql: Sql, ids: readonly string[]): Promise<Item[]> {
  return sql.many(readItem)`
    select * from reconciliation_item where id = any(${ids}::text[]) order by id for update`;
}

/** Locks the open differences of payouts in id order. */
export async function lockOpenPayouts(sql: Sql, acquirer: string): Promise<void> {
  await sql.many((row) => readText(row, 'id'))`
    select id from reconciliation_item where state <> 'closed' and acquirer = ${acquirer} and kind = 'payout'
     order by id for update`;
}

/** What was named about these keys, except repeated lines; call it after locking the open ones. */
export async function listKnown(
  sql: Sql,
  acquirer: string,
  kind: ItemKind,
  keys: readonly string[],
): Promise<Map<string, KnownItems>> {
  const rows = await sql.many(readItem)`
    with items as materialized (
      select * from reconciliation_item where key = any(${keys}::text[])
    )
    select distinct on (key, difference, state <> 'closed') * from items
     where acquirer = ${acquirer} and kind = ${kind} and difference <> 'repeated'
     order by key, difference, state <> 'closed', id desc`;
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return new Map(
    Array.from(byKey, ([key, items]) => {
      const closed = items.filter(({ state }) => state === 'closed');
      return [key, { open: items.filter(({ state }) => state !== 'closed'), closed }] as const;
    }),
  );
}

/** Locks what was named about repeated lines of these keys, in id order, closed ones too. */
export function lockRepeated(sql: Sql, acquirer: string, keys: readonly string[]): Promise<Item[]> {
  return sql.many(readItem)`
    select * from reconciliation_item
     where key = any(${keys}::text[]) and acquirer = ${acquirer} and difference = 'repeated' order by id for update`;
}

/** Locks open differences about repeated lines that this run did not come across, each with the end of the period it was seen in. */
export function listUnseenRepeated(
  sql: Sql,
  acquirer: string,
  runId: string,
): Promise<{ readonly item: Item; readonly seenUntil: Temporal.Instant }[]> {
  return sql.many((row) => ({ item: readItem(row), seenUntil: readInstant(row, 'seen_until') }))`
    select item.*, seen.to_at as seen_until
      from reconciliation_item as item join reconciliation_run as seen on seen.id = item.seen_run_id
     where item.state <> 'closed' and item.acquirer = ${acquirer} and item.difference = 'repeated'
       and item.seen_run_id <> ${runId}
     order by item.id for update of item`;
}

/** A difference of sums, with its period. */
export interface KnownTotal {
  readonly item: Item;
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/** Locks the differences of sums that are open, or were confirmed for a part of this period, in id order. */
export function lockTotals(
  sql: Sql,
  acquirer: string,
  { fromAt, toAt }: { readonly fromAt: Temporal.Instant; readonly toAt: Temporal.Instant },
): Promise<KnownTotal[]> {
  return sql.many((row) => ({
    item: readItem(row),
    from: readInstant(row, 'period_from'),
    to: readInstant(row, 'period_to'),
  }))`
    select item.*, found.from_at as period_from, found.to_at as period_to
      from reconciliation_item as item join reconciliation_run as found on found.id = item.run_id
     where item.acquirer = ${acquirer} and item.difference = 'total'
       and (item.state <> 'closed' or item.outcome = 'confirmed' and found.from_at >= ${fromAt} and found.to_at <= ${toAt})
     order by item.id for update of item`;
}

/** Whether a payment took the capture after all. */
export function isBooked(sql: Sql, key: string): Promise<boolean> {
  return sql.one((row) => row.booked === true)`
    select exists (select from journal where source = ${key} and kind in ('payment', 'surplus')) as booked`;
}

/** A page of promises that this run did not come across, by id. */
export function listUnseenPromises(
  sql: Sql,
  { acquirer, id: runId }: Pick<Run, 'acquirer' | 'id'>,
  after: string,
  limit: number,
): Promise<Item[]> {
  return sql.many(readItem)`
    select * from reconciliation_item
     where state <> 'closed' and state = 'promised' and acquirer = ${acquirer} and seen_run_id <> ${runId}
       and difference <> 'repeated' and id > ${after}
     order by id limit ${limit}`;
}

/**
 * The earliest payout or line of the acquirer's own about which a difference is open: it must be read again, so that nobody
 * decides on an old one.
 */
export function findOpenLine(sql: Sql, acquirer: string): Promise<Temporal.Instant | null> {
  return sql.one((row) => readInstantOrNull(row, 'at'))`
    select min(bank_at) as at from reconciliation_item
     where state <> 'closed' and acquirer = ${acquirer} and kind = any(${['payout', ...ownKinds]}::text[])
       and difference not in ('repeated', 'total')`;
}
