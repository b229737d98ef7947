// SQL of what signed rows come to. Owns: payout_signed.

import {
  type RowOf,
  readBigint,
  readText,
  readTextOrNull,
  readWhole,
  type Sql,
  SqlText,
} from '../../database/index.ts';
import { payoutSignedTable, type SignedTable } from '../table.ts';

export type Signed = RowOf<typeof payoutSignedTable>;

/**
 * The row of the table, or this one if it has none, locked until the end of the database transaction. One that is gone,
 * although there are rows, is not signed again.
 */
export function lockSigned(sql: Sql, { name, rows, digest, mac }: Signed): Promise<Signed> {
  return sql.one(payoutSignedTable.read)`
    insert into payout_signed (name, rows, digest, mac)
    select ${name}, ${rows}::bigint, ${digest}::numeric,
           case when case ${name} when 'payout_account' then exists (select from payout_account)
                                  when 'payout_terms' then exists (select from payout_terms)
                                  else exists (select from payout_block) end then 'removed' else ${mac} end
        on conflict (name) do update set mac = payout_signed.mac
    returning *`;
}

export async function updateSigned(sql: Sql, { name, rows, digest, mac }: Signed): Promise<void> {
  await sql.run`update payout_signed set rows = ${rows}, digest = ${digest}, mac = ${mac} where name = ${name}`;
}

export interface Counted {
  readonly name: SignedTable;
  /** Undefined: nothing is signed. */
  readonly signed: Signed | undefined;
  readonly rows: bigint;
  readonly digest: bigint;
}

/** The sum of the hashes of MACs as numbers. */
const digest = new SqlText(`
  coalesce(sum(('x' || left(encode(sha256(convert_to(mac, 'UTF8')), 'hex'), 16))::bit(64)::bigint) * 18446744073709551616
           + sum(('x' || substr(encode(sha256(convert_to(mac, 'UTF8')), 'hex'), 17, 16))::bit(64)::bigint), 0)`);

/** Of each signed table, at one moment. Reads all rows. */
export function countSigned(sql: Sql): Promise<Counted[]> {
  return sql.many((row) => ({
    name: readText(row, 'found_name') as SignedTable,
    signed: readTextOrNull(row, 'mac') === null ? undefined : payoutSignedTable.read(row),
    rows: readBigint(row, 'found_rows'),
    digest: readWhole(row, 'found_digest'),
  }))`
    with found as (
      select 'payout_account' as found_name, count(*) as found_rows, ${digest} as found_digest from payout_account
      union all
      select 'payout_terms', count(*), ${digest} from payout_terms
      union all
      select 'payout_block', count(*), ${digest} from payout_block
    )
    select * from found left join payout_signed on name = found_name order by found_name`;
}
