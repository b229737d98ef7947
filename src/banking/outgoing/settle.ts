// Settling: turns results of outgoing refunds into rows, a whole batch in one database transaction, together with what
// their rooms write.

import type { Sql } from '../../database/index.ts';
import type { Tools } from '../../tools.ts';
import type { Outgoing, OutgoingSettlement, Purpose, SettledOutgoing } from './model.ts';
import type { Decided, LockedSettlement, OpenPurpose } from './purpose.ts';
import { lockOutgoing, updateOutgoing } from './store.ts';

export type PurposeOf = (purpose: Purpose) => OpenPurpose;

export type SettleTools = Pick<Tools, 'clock' | 'db'>;

/** Results that arrive together are settled together; each caller gets its own. */
export function openSettle(
  tools: SettleTools,
  purposeOf: PurposeOf,
): (settlement: OutgoingSettlement) => Promise<SettledOutgoing> {
  return tools.db.joined({
    name: 'refund settlement',
    atomic: true,
    execute: (sql, settlements) => settleSet(tools, purposeOf, sql, settlements),
  });
}

/** Settles one result inside a larger database transaction. */
export async function settleIn(
  tools: SettleTools,
  purposeOf: PurposeOf,
  sql: Sql,
  settlement: OutgoingSettlement,
): Promise<SettledOutgoing> {
  const [settled] = await settleSet(tools, purposeOf, sql, [settlement]);
  return settled;
}

/** The outgoing refunds are written first: the schema compares what they are for with them. */
async function settleSet(
  tools: SettleTools,
  purposeOf: PurposeOf,
  sql: Sql,
  settlements: readonly OutgoingSettlement[],
): Promise<SettledOutgoing[]> {
  const rows = await lockOutgoing(sql, [...new Set(settlements.map(({ key }) => key))].sort());
  const known = new Map(rows.map((row) => [row.id, row]));
  const now = tools.clock.now();
  const settled = new Map<OutgoingSettlement, SettledOutgoing>();
  const decided: Decided[] = [];
  for (const [purpose, own] of byPurpose(settlements, known)) {
    const some = await purposeOf(purpose).decide(sql, own, now);
    for (const [index, { settlement }] of own.entries()) settled.set(settlement, some.settled[index]);
    decided.push(some);
  }
  const changed = decided.flatMap((some) => some.changed);
  if (changed.length > 0) await updateOutgoing(sql, changed);
  for (const { apply } of decided) await apply();
  return settlements.map((settlement) => settled.get(settlement));
}

function byPurpose(
  settlements: readonly OutgoingSettlement[],
  known: ReadonlyMap<string, Outgoing>,
): Map<Purpose, LockedSettlement[]> {
  const locked = settlements.flatMap((settlement) => {
    const outgoing = known.get(settlement.key);
    return outgoing ? [{ settlement, outgoing }] : [];
  });
  return Map.groupBy(locked, ({ outgoing }) => outgoing.purpose);
}
