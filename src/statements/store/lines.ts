// SQL of lines. Owns: bank_line.

import {
  planByHash,
  planByIndex,
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

/** So few lines are looked up in the index, whatever else there is of their day: banks may send a statement for each line. */
const linesLookedUp = 1_000;

const isLookedUp = ({ lines }: Stored) => lines <= linesLookedUp;

const planFor = (sql: Sql, statement: Stored) => (isLookedUp(statement) ? planByIndex(sql) : planByHash(sql));

/** What of `identity` is in the index of lines, of one of the tables. */
const placeOf = (table: string) =>
  new SqlText(`${table}.booked_on, ${table}.amount_minor, hashtextextended(coalesce(${table}.bank_reference, ''), 0)`);

/** Lines of other statements: those that may be the same, or all of those days. */
const othersOf = (statement: Stored) =>
  isLookedUp(statement)
    ? sqlPart`
      from (select distinct booked_on, amount_minor, bank_reference from mine) as keys
      join bank_line as line on row(${placeOf('line')}) = row(${placeOf('keys')})
      -- Each by its key: those of the account are many.
      cross join lateral (select * from bank_statement where id = line.statement_id offset 0) as statement`
    : sqlPart`
      from bank_statement as statement
      join bank_line as line on line.id >= statement.id || '-' and line.id < statement.id || '.'`;

const repeatedBy = (statement: Stored, likeness: Likeness, same: SqlText) => {
  const { id, fileId, bankAccountId, firstOn } = statement;
  return sqlPart`
  mine as materialized (
    select id, booked_on, amount_minor, bank_reference, row_number() over (partition by ${same} order by id) as nth,
           md5(row(${same})::text) as said
      from bank_line
     where id >= ${id} || '-' and id < ${id} || '.' and (bank_reference is not null or ${likeness}::text <> 'referenced')
  ), others as (
    select distinct line.id, line.booked_on, line.amount_minor, line.bank_reference, line.end_to_end, line.title, line.is_reversal
      ${othersOf(statement)}
     where statement.bank_account_id = ${bankAccountId} and statement.id <> ${id}
       and (statement.position is not null or statement.file_id = ${fileId})
       and (${likeness}::text <> 'other_format' or (select format from bank_file where id = statement.file_id)
                                           <> (select format from bank_file where id = ${fileId}))
       and statement.last_on >= ${firstOn?.toString() ?? null}::date and line.state <> 'repeated' and line.entry > 0
  ), theirs as materialized (
    select id, row_number() over (partition by ${same} order by id) as nth, md5(row(${same})::text) as said from others
  ), repeated as (
    select mine.id, mine.amount_minor, theirs.id as earlier from mine join theirs on theirs.said = mine.said and theirs.nth = mine.nth
  )`;
};

/** In a database transaction. */
export async function sumKnown(sql: Sql, statement: Stored, likeness: Likeness): Promise<Known> {
  await planFor(sql, statement);
  const known = await sql.one((row) => ({ lines: readInteger(row, 'lines'), minor: BigInt(readText(row, 'minor')) }))`
    with ${repeatedOf(statement, likeness)}
    select count(*)::integer as lines, coalesce(sum(amount_minor), 0)::text as minor from repeated`;
  // Asked only where it decides: it reads all statements of the account.
  const balances = known.lines === statement.lines && (await hasBalances(sql, statement));
  return { ...known, balances };
}

/** Whether earlier statements go from the opening balance to the closing balance of this one. */
function hasBalances(sql: Sql, { id, fileId, bankAccountId, openingMinor, closingMinor }: Stored): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'balances'))`
    with before as (
      select coalesce(position, 2147483647) as position, place, opening_minor, before_minor, closing_minor
        from bank_statement
       where bank_account_id = ${bankAccountId} and id <> ${id} and before_minor is not null
         and (position is not null or file_id = ${fileId})
    )
    select exists (select from before
                    where closing_minor = ${closingMinor}
                      and (position, place) >= (select position, place from before
                                                 where opening_minor = ${openingMinor} or before_minor = ${openingMinor}
                                                 order by position, place limit 1)) as balances`;
}

/** They are not booked again. In a database transaction. */
export async function updateRepeated(sql: Sql, statement: Stored, likeness: Likeness): Promise<void> {
  await planFor(sql, statement);
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
