// SQL of blocks. Owns: payout_block. Lock order: after the terms of the account, and what its rows come to.

import type { Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { PayoutBlock } from '../model.ts';
import { payoutBlockTable } from '../table.ts';

/** The one that goes on. */
export function findBlock(sql: Sql, id: AccountId): Promise<PayoutBlock | undefined> {
  return sql.maybeOne(payoutBlockTable.read)`
    select * from payout_block where account_id = ${id} and released_at is null`;
}

export function insertBlock(sql: Sql, block: PayoutBlock): Promise<void> {
  return payoutBlockTable.copy(sql, [block]);
}

/** What of a block ever changes. */
export async function updateBlock(sql: Sql, { id, releasedAt, releasedBy, mac }: PayoutBlock): Promise<void> {
  await sql.run`
    update payout_block set released_at = ${releasedAt}, released_by = ${releasedBy}, mac = ${mac} where id = ${id}`;
}
