// What acquirers have begun that are not open any more. Owner and tables: see index.ts.

import { type Row, readBigint, readText, type Sql } from '../../database/index.ts';

export interface LeftBehind {
  readonly acquirer: string;
  readonly charges: bigint;
  readonly outgoing: bigint;
}

function readLeftBehind(row: Row): LeftBehind {
  return {
    acquirer: readText(row, 'acquirer'),
    charges: readBigint(row, 'charges'),
    outgoing: readBigint(row, 'outgoing'),
  };
}

/**
 * Charges without a result and money that is to go back, of acquirers other than these. The accounts say whether there is
 * any other: only then are all rows read.
 */
export async function listLeftBehind(sql: Sql, open: readonly string[]): Promise<LeftBehind[]> {
  const others = await listOthers(sql, open);
  if (others.length === 0) return [];
  return sql.many(readLeftBehind)`
    select acquirer, sum(charges)::bigint as charges, sum(outgoing)::bigint as outgoing from (
      select acquirer, count(*) as charges, 0 as outgoing from charge
       where settled_at is null and acquirer = any(${others}::text[]) group by acquirer
      union all
      select acquirer, 0, count(*) from outgoing_refund
       where state in ('held', 'new', 'sent') and acquirer = any(${others}::text[]) group by acquirer) as left_behind
     group by acquirer order by acquirer`;
}

/** Acquirers other than these that have charges here, in whatever state. */
export async function listUnnamed(sql: Sql, open: readonly string[]): Promise<string[]> {
  const others = await listOthers(sql, open);
  if (others.length === 0) return [];
  return sql.many((row) => readText(row, 'acquirer'))`
    select acquirer from unnest(${others}::text[]) as other (acquirer)
     where exists (select from charge where charge.acquirer = other.acquirer) order by acquirer`;
}

/** All that were ever opened here, other than these. */
function listOthers(sql: Sql, open: readonly string[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'acquirer'))`
    select substring(name from '^acquirer:(.*):receivable$') as acquirer from ledger_account
     where name like 'acquirer:%:receivable'
       and substring(name from '^acquirer:(.*):receivable$') <> all(${open}::text[])`;
}
