// The lines of a run as they are in their table, to which anybody with SQL access can write. Owns nothing.

import { hash } from 'node:crypto';
import { readInteger, readText, type Sql } from '../../database/index.ts';
import type { Line } from '../model.ts';
import type { Page } from './compare.ts';

/** Lines of a page as they are in the table. */
export interface Stored {
  readonly lines: number;
  readonly repeated: number;
  readonly digest: string;
  /** The database transactions that wrote them: a row that was changed and changed back has another one. */
  readonly writtenBy: string;
}

/** By the primary key. The text of a line is the same as in `digestOf`. */
export function readStored(
  sql: Sql,
  { runId, after, until }: Pick<Page, 'runId' | 'after' | 'until'>,
): Promise<Stored> {
  return sql.one((row) => ({
    lines: readInteger(row, 'lines'),
    repeated: readInteger(row, 'repeated'),
    digest: readText(row, 'digest'),
    writtenBy: readText(row, 'written_by'),
  }))`
    select count(*)::integer as lines, count(*) filter (where is_repeated)::integer as repeated,
           coalesce(min(xmin::text) || ' ' || max(xmin::text), '') as written_by,
           encode(sha256(convert_to(coalesce(string_agg(
             concat_ws(' ', position, kind, key, coalesce(charge_key, ''), amount_minor, fee_minor,
                       (extract(epoch from at) * 1000000)::bigint, octet_length(coalesce(what, '')), coalesce(what, '')),
             chr(10) order by position), ''), 'UTF8')), 'hex') as digest
      from reconciliation_line where run_id = ${runId} and position > ${after} and position <= ${until}`;
}

/** The digest of lines as they were read. */
export function digestOf(lines: readonly Line[]): string {
  return hash('sha256', lines.map(textOf).join('\n'), 'hex');
}

function textOf({ position, kind, key, chargeKey, amountMinor, feeMinor, at, what }: Line): string {
  const word = what ?? '';
  const microseconds = at.epochNanoseconds / 1_000n;
  return `${position} ${kind} ${key} ${chargeKey ?? ''} ${amountMinor} ${feeMinor} ${microseconds} ${Buffer.byteLength(word)} ${word}`;
}

/** All lines of a run, wherever they are. */
export function countLines(sql: Sql, runId: string): Promise<number> {
  return sql.one((row) => readInteger(row, 'lines'))`
    select count(*)::integer as lines from reconciliation_line where run_id = ${runId}`;
}
