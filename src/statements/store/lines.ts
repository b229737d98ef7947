// SQL of lines. Owns: bank_line.

import {
  planByHash,
  readBigint,
  readBoolean,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
  SqlText,
  sqlPart,
} from '../../database/index.ts';
import type { Bookable, Line, Stored } from '../model.ts';
import type { Known } from '../rules.ts';
import { bankLineTable, type LineState } from '../table.ts';

export async function insertLines(sql: Sql, lines: readonly Line[]): Promise<void> {
  await bankLineTable.copy(sql, lines);
}

/**
 * What makes two lines the same: everything that they say. The bank's reference alone is not enough, as some banks write the
 * same one everywhere, except between two formats, which have different titles.
 */
const identity = new SqlText(
  `booked_on, amount_minor, coalesce(bank_reference, ''), row(end_to_end, title, is_reversal)::text`,
);
const identityAcross = new SqlText(`booked_on, amount_minor, coalesce(bank_reference, ''),
    case when bank_reference is null then row(end_to_end, title, is_reversal)::text else '' end`);

/**
 * Which lines are looked for: all; those with a reference of the bank; or all, in files of other formats, where the
 * reference is enough.
 */
export type Likeness = 'all' | 'referenced' | 'other_format';

/** The lines of a statement that earlier ones have, of the account and of the same file, each against one. */
const repeatedOf = (statement: Stored, likeness: Likeness) =>
  repeatedBy(statement, likeness, likeness === 'other_format' ? identityAcross : identity);

const repeatedBy = ({ id, fileId, bankAccountId, firstOn }: Stored, likeness: Likeness, same: SqlText) => sqlPart`
  mine as (
    select id, amount_minor, row_number() over (partition by ${same} order by id) as nth, md5(row(${same})::text) as said
      from bank_line
     where id >= ${id} || '-' and id < ${id} || '.' and (bank_reference is not null or ${likeness}::text <> 'referenced')
  ), theirs as (
    select line.id, row_number() over (partition by ${same} order by line.id) as nth, md5(row(${same})::text) as said
      from bank_statement as statement
      join bank_line as line on line.id >= statement.id || '-' and line.id < statement.id || '.'
     where statement.bank_account_id = ${bankAccountId} and statement.id <> ${id}
       and (statement.position is not null or statement.file_id = ${fileId})
       and (${likeness}::text <> 'other_format' or (select format from bank_file where id = statement.file_id)
                                           <> (select format from bank_file where id = ${fileId}))
       and statement.last_on >= ${firstOn?.toString() ?? null}::date and line.state <> 'repeated' and line.entry > 0
  ), repeated as (
    select mine.id, mine.amount_minor, theirs.id as earlier from mine join theirs on theirs.said = mine.said and theirs.nth = mine.nth
  )`;

/** In a database transaction. */
export async function sumKnown(sql: Sql, statement: Stored, likeness: Likeness): Promise<Known> {
  await planByHash(sql);
  const { id, fileId, bankAccountId, openingMinor, closingMinor } = statement;
  return sql.one((row) => ({
    lines: readInteger(row, 'lines'),
    minor: BigInt(readText(row, 'minor')),
    balances: readBoolean(row, 'balances'),
  }))`
    with ${repeatedOf(statement, likeness)}, before as (
      select coalesce(position, 2147483647) as position, place, opening_minor, before_minor, closing_minor
        from bank_statement
       where bank_account_id = ${bankAccountId} and id <> ${id} and before_minor is not null
         and (position is not null or file_id = ${fileId})
    )
    select count(*)::integer as lines, coalesce(sum(amount_minor), 0)::text as minor,
           exists (select from before
                    where closing_minor = ${closingMinor}
                      and (position, place) >= (select position, place from before
                                                 where opening_minor = ${openingMinor} or before_minor = ${openingMinor}
                                                 order by position, place limit 1)) as balances
      from repeated`;
}

/** They are not booked again. In a database transaction. */
export async function updateRepeated(sql: Sql, statement: Stored, likeness: Likeness): Promise<void> {
  await planByHash(sql);
  await sql.run`
    with ${repeatedOf(statement, likeness)}
    update bank_line set state = 'repeated', target = repeated.earlier, left_minor = 0, parked_at = null
      from repeated where bank_line.id = repeated.id`;
}

export interface Range {
  /** After this line, up to that one. */
  readonly after: string;
  readonly until: string;
}

/** Lines to book, by statement and in its order. */
export function listBookable(sql: Sql, ranges: readonly Range[]): Promise<Bookable[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    amountMinor: readBigint(row, 'amount_minor'),
    state: readText(row, 'state') as LineState,
    target: readTextOrNull(row, 'target'),
    kind: readTextOrNull(row, 'kind'),
    returnReason: readTextOrNull(row, 'return_reason'),
    isReversal: readBoolean(row, 'is_reversal'),
  }))`
    select line.id, line.amount_minor, line.state, line.target, line.kind, line.return_reason, line.is_reversal
      from unnest(${ranges.map(({ after }) => after)}::text[], ${ranges.map(({ until }) => until)}::text[]) as range (after, until)
      join bank_line as line on line.id > range.after and line.id <= range.until
     order by line.id`;
}

/** Payouts that are not as the lines say: an operator is asked. */
export async function updateUnallocated(sql: Sql, ids: readonly string[], parkedAt: Temporal.Instant): Promise<void> {
  await sql.run`
    update bank_line set state = 'unallocated', target = null, left_minor = amount_minor, parked_at = ${parkedAt}
     where id = any(${ids}::text[])`;
}
