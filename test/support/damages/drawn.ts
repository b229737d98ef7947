// Damages of every table and every money column, drawn from the catalog of the database.

import type { Sql } from '../../../src/database/index.ts';
import { type Column, type Damage, listMoneyColumns, listTables } from '../tampering.ts';

/** Which row of a table is damaged, where the first one says little. */
const rows: Readonly<Record<string, string>> = {
  account: "kind = 'merchant'",
  bank_file: "state = 'booked'",
  bank_line: "state = 'unallocated' and left_minor > 0 and amount_minor = left_minor",
  dispute_unclaimed: 'lost_minor > 0',
  charge: "state = 'correct' and purpose = 'payment'",
  entry: "account like 'merchant:%'",
  outgoing_refund: "purpose = 'refund' and state = 'done'",
  payout_batch: "state = 'handed_over'",
  payout_batch_item: "batch_id in (select id from payout_batch where state = 'handed_over')",
  panel_progress: "reader = 'journals'",
  recurring: "status = 'active'",
  refund: "status in ('Done', 'BLIK_processed')",
  transaction: "status = 'paid' and origin = 'api'",
};

/** Which row is removed, where nobody misses the others: an account's last settlement is cut again. */
const missed: Readonly<Record<string, string>> = {
  settlement: `exists (select from settlement as later
                        where later.account_id = settlement.account_id and later.number > settlement.number)`,
};

const where = (table: string, column = '') =>
  [rows[table] ?? 'true', ...(column === '' ? [] : [`${column} is not null`])].join(' and ');

export const removal = (table: string, triggers: boolean) => ({
  what: `${table}: a row is removed${triggers ? ', with triggers' : ''}`,
  statements: [
    `delete from ${table}
      where ctid = (select ctid from ${table} where ${missed[table] ?? where(table)} order by ctid limit 1)`,
  ],
  triggers,
});

export const raise = ({ table, column }: Column, triggers: boolean) => ({
  what: `${table}.${column} is raised${triggers ? ', with triggers' : ''}`,
  statements: [
    `update ${table} set ${column} = ${column} + 1
      where ctid = (select ctid from ${table} where ${where(table, column)} order by ctid limit 1)`,
  ],
  triggers,
});

export const swapped = ({ table, column }: Column) => ({
  what: `${table}.${column} of two rows is swapped`,
  statements: [
    `with one as (
       select ctid as place, ${column} as minor from ${table} where ${where(table, column)} order by ctid limit 1
     ), other as (
       select ctid as place, ${column} as minor from ${table}
        where ${where(table, column)} and ${column} <> (select minor from one) order by ctid limit 1
     )
     update ${table} set ${column} = case when ${table}.ctid = one.place then other.minor else one.minor end
       from one, other where ${table}.ctid in (one.place, other.place)`,
  ],
});

/** All of them, without who must notice. */
export async function draw(sql: Sql): Promise<Omit<Damage, 'noticed'>[]> {
  const tables = await listTables(sql);
  const columns = await listMoneyColumns(sql);
  return [
    ...tables.flatMap((table) => [removal(table, false), removal(table, true)]),
    ...columns.flatMap((column) => [raise(column, false), raise(column, true), swapped(column)]),
  ];
}
