// What a parked item is about: its account, and its transaction. Reads only.

import { readText, readTextOrNull, type Sql } from '../../database/index.ts';

export interface About {
  readonly accountId: string;
  readonly accountName: string;
  readonly transactionId: string | null;
}

/**
 * By the ids of the items, each by a primary key: charges, disputes, refunds, and surplus, which belongs to a charge.
 * Differences from the bank's statement and disputes of charges that nobody has may belong to nobody and are not among them.
 */
export async function listAboutParked(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, About>> {
  const rows = await sql.many((row) => ({
    id: readText(row, 'id'),
    accountId: readText(row, 'account_id'),
    accountName: readText(row, 'account_name'),
    transactionId: readTextOrNull(row, 'transaction_id'),
  }))`
    select item.id, account.id as account_id, account.name as account_name, item.transaction_id
      from (select id::text, merchant_id, transaction_id::text from charge where id = any(${ids}::text[])
            union all
            select id::text, merchant_id, transaction_id::text from dispute where id = any(${ids}::text[])
            union all
            select outgoing.id::text, outgoing.merchant_id, coalesce(refund.transaction_id, charge.transaction_id)::text
              from outgoing_refund as outgoing
              left join refund on outgoing.purpose = 'refund' and refund.id = outgoing.id
              left join charge on outgoing.purpose = 'surplus' and charge.id = outgoing.subject_id
             where outgoing.id = any(${ids}::text[])) as item
      join account on account.id = item.merchant_id`;
  return new Map(rows.map(({ id, ...about }) => [id, about]));
}
