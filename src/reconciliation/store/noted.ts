// SQL of how many lines of statements are noted, and what they come to. Owns: acquirer_noted.

import { readBigint, readText, readTextOrNull, readWhole, type Sql, SqlText } from '../../database/index.ts';
import type { Noted } from '../model.ts';
import { acquirerNotedTable } from '../table.ts';

/** A run that wrote notes, if nobody had before. */
const comparedLines = new SqlText("state in ('agreed', 'differs') and captures + refunds + payouts > 0");

/** The sum of hashes as numbers: of a column `hash` with texts of named_hash. */
export const digestOfHashes = new SqlText(`
  coalesce(sum(('x' || left(hash, 16))::bit(64)::bigint) * 18446744073709551616
           + sum(('x' || substr(hash, 17, 16))::bit(64)::bigint), 0)`);

/**
 * The row of the acquirer, or this one if it has none, until the end of the database transaction. One that is gone, because
 * a run compared lines before, is not signed again.
 */
export function lockNoted(sql: Sql, { acquirer, lines, digest, mac }: Noted): Promise<Noted> {
  return sql.one(acquirerNotedTable.read)`
    insert into acquirer_noted (acquirer, lines, digest, mac)
    select ${acquirer}, ${lines}::bigint, ${digest}::numeric,
           case when exists (select from reconciliation_run where acquirer = ${acquirer} and ${comparedLines})
                then 'removed' else ${mac} end
        on conflict (acquirer) do update set mac = acquirer_noted.mac
    returning *`;
}

export async function updateNoted(sql: Sql, { acquirer, lines, digest, mac }: Noted): Promise<void> {
  await sql.run`
    update acquirer_noted set lines = ${lines}, digest = ${digest}, mac = ${mac} where acquirer = ${acquirer}`;
}

/** What is noted of an acquirer, and what its notes are. */
export interface Counted {
  readonly acquirer: string;
  /** Undefined: nothing. */
  readonly noted: Noted | undefined;
  readonly lines: bigint;
  readonly digest: bigint;
}

/** Of each acquirer with notes, or with a run that compared lines; at one moment. */
export function countNoted(sql: Sql): Promise<Counted[]> {
  return sql.many((row) => ({
    acquirer: readText(row, 'acquirer'),
    noted: readTextOrNull(row, 'mac') === null ? undefined : acquirerNotedTable.read(row),
    lines: readBigint(row, 'found_lines'),
    digest: readWhole(row, 'found_digest'),
  }))`
    with found as (
      select acquirer, count(*) as lines, ${digestOfHashes} as digest
        -- Each is hashed once: without the offset the two halves of its number would be hashed apart.
        from (select acquirer, named_hash(acquirer_named) as hash from acquirer_named offset 0) as hashed group by acquirer
    ), compared as (
      select distinct acquirer from reconciliation_run where ${comparedLines}
    )
    select acquirer, noted.lines, noted.digest, noted.mac, coalesce(found.lines, 0) as found_lines,
           coalesce(found.digest, 0) as found_digest
      from acquirer_noted as noted full join found using (acquirer) full join compared using (acquirer)
     order by acquirer`;
}
