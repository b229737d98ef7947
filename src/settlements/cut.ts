// Cutting settlements: up to the journal of a payout, up to the end of a month, or up to now.

import type { Sql } from '../database/index.ts';
import type { AccountId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import {
  type Cut,
  deleteWanted,
  findReadPosition,
  insertSettlements,
  insertWanted,
  listWanted,
  listWithoutWanted,
  type NewCut,
  type Settlement,
  tryCutLock,
  type Wanted,
} from './store/cut.ts';
import type { Reason } from './table.ts';
import { tellSettlements } from './tell.ts';

export interface CutTools extends Pick<Tools, 'clock' | 'config' | 'db' | 'ids' | 'log' | 'vault'> {
  /** Whether accounts get mail. */
  readonly sendsMail: boolean;
}

export type AskedSettlement = Pick<Wanted, 'accountId' | 'payoutId'>;

/**
 * Asks for the settlements of payouts, in the database transaction that books them: each is cut at the payout's journal once
 * that is sealed and read, some seconds later, whatever happens to this process. Asking again changes nothing.
 */
export async function askSettlements(
  sql: Sql,
  payouts: readonly AskedSettlement[],
  createdAt: Temporal.Instant,
): Promise<void> {
  if (payouts.length === 0) return;
  await insertWanted(
    sql,
    payouts.map((payout) => ({ ...payout, createdAt })),
  );
}

export const cutAtOnce = 1_000;

/** Cuts what payouts wait for; returns how many. One node at a time. */
export function cutWanted(tools: CutTools, atMost = cutAtOnce): Promise<number> {
  return tools.db.atomic(async (sql) => {
    if (!(await tryCutLock(sql))) return 0;
    const wanted = await listWanted(sql, await findReadPosition(sql), atMost);
    if (wanted.length === 0) return 0;
    await insertAll(tools, sql, wanted, 'payout');
    await deleteWanted(
      sql,
      wanted.map(({ payoutId }) => payoutId),
    );
    return wanted.length;
  });
}

/**
 * Cuts the settlements of these accounts as of what is sealed and read by now. An account without a line since its last one
 * gets none, and one whose payout waits for its own gets that first: undefined if another node is at it.
 */
export function cutSettlements(tools: CutTools, accountIds: readonly AccountId[]): Promise<Settlement[] | undefined> {
  return tools.db.atomic(async (sql) => {
    if (!(await tryCutLock(sql))) return undefined;
    const untilPosition = await findReadPosition(sql);
    const free = await listWithoutWanted(sql, accountIds);
    const cuts = free.map((accountId) => ({ accountId, untilPosition, payoutId: null }));
    return insertAll(tools, sql, cuts, 'command');
  });
}

/** Under the lock. What was cut is told in the same database transaction. */
export async function insertAll(
  tools: CutTools,
  sql: Sql,
  cuts: readonly Cut[],
  reason: Reason,
): Promise<Settlement[]> {
  if (cuts.length === 0) return [];
  const createdAt = tools.clock.now();
  const rows = cuts.map((cut): NewCut => ({ ...cut, id: tools.ids.ulid(), reason, createdAt: createdAt.toString() }));
  const made = await insertSettlements(sql, rows);
  await tellSettlements(tools, sql, made);
  return made;
}
