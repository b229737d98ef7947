// SQL of what the bank moved. Owns: payout_move, and the columns of payout that follow it. Lock order: payouts, balances.

import type { Sql } from '../../database/index.ts';
import type { Payout, PayoutMove } from '../model.ts';
import { payoutMoveTable, payoutTable } from '../table.ts';

/** Locks payouts in the order of their ids. */
export function lockPayouts(sql: Sql, ids: readonly string[]): Promise<Payout[]> {
  return sql.many(payoutTable.read)`
    select * from payout where id = any(${ids}::text[]) order by id for update`;
}

/** The last one that was not taken back, and takes none back. */
export function findLastMove(sql: Sql, payoutId: string): Promise<PayoutMove | undefined> {
  return sql.maybeOne(payoutMoveTable.read)`
    select * from payout_move as move
     where payout_id = ${payoutId} and kind <> 'undone' and not exists (select from payout_move where undoes = move.id)
     order by number desc limit 1`;
}

export function insertMoves(sql: Sql, moves: readonly PayoutMove[]): Promise<void> {
  return payoutMoveTable.copy(sql, moves);
}

/** After their movements were written: the database compares them. */
export async function updateMoved(sql: Sql, payouts: readonly Payout[]): Promise<void> {
  await payoutTable.update(
    sql,
    payouts.map((payout) => payoutTable.flat(payout)),
    payoutTable.types('id', 'state', 'reason', 'paidAt', 'endedAt', 'moves'),
  );
}
