// Reads every list of the panel: by key, a page at a time. With a filter a request looks through a bounded number of
// rows, in one scan that also tells where it ended.

import { type Row, readInstant, type Sql, type SqlPart, SqlText, sqlPart } from '../../database/index.ts';
import type { Period } from '../../kernel/index.ts';
import { always, type Place } from './place.ts';

export interface List<T> {
  /** A table, or a subquery in brackets, with the columns that conditions name. */
  readonly rows: string | SqlPart;
  /** The column of the account whose rows they are; null: the list is of all accounts. */
  readonly account: string | null;
  /** The order: by an instant and an id, or by an id alone. An index has it, after the account. */
  readonly at: string | null;
  readonly id: string;
  readonly idType: 'text' | 'bigint';
  /** How many rows a request with a filter looks through; null: until the page is full. */
  readonly scanned: number | null;
  /** What the rows of a page are shown with, and from where: `joins` may name `page`. */
  readonly shown: string;
  readonly joins: string;
  readonly read: (row: Row) => T;
}

export interface Asked {
  /** Null: of every account. */
  readonly accountId: string | null;
  readonly matches: SqlPart;
  readonly filtered: boolean;
  readonly period?: Period;
  /** The rows after it in the order. */
  readonly after: Place | null;
  readonly limit: number;
  readonly order?: 'newest' | 'oldest';
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Where the next page begins; null if there is none. A page may be short, or empty, although there is one. */
  readonly next: Place | null;
}

const last = { text: '~', bigint: '9223372036854775807' };

/** From where on, and up to where: the bounds of the index. */
function reachOf<T>({ account, at, id, idType }: List<T>, { accountId, period, after, order }: Asked): SqlPart {
  const mine = account === null || accountId === null ? sqlPart`true` : sqlPart`${new SqlText(account)} = ${accountId}`;
  const idText = new SqlText(id);
  const type = new SqlText(`::${idType}`);
  if (at === null) return sqlPart`${mine} and ${idText} < ${after?.id ?? last[idType]}${type}`;
  const atText = new SqlText(at);
  const from = period?.from ?? always.from;
  const to = period?.to ?? always.to;
  if (order === 'oldest') {
    const begin = after ?? { at: from, id: '' };
    return sqlPart`${mine} and ${atText} < ${to}::timestamptz
      and (${atText}, ${idText}) > (${begin.at}::timestamptz, ${begin.id}${type})`;
  }
  const begin = after?.at && Temporal.Instant.compare(after.at, to) <= 0 ? after : { at: to, id: '' };
  return sqlPart`${mine} and ${atText} >= ${from}::timestamptz
    and (${atText}, ${idText}) < (${begin.at}::timestamptz, ${begin.id}${type})`;
}

function orderOf<T>({ at, id }: List<T>, { order = 'newest' }: Asked, table: string): SqlText {
  const direction = order === 'newest' ? ' desc' : '';
  const columns = at === null ? [id] : [at, id];
  return new SqlText(columns.map((column) => `${table}.${column}${direction}`).join(', '));
}

/**
 * The next rows that match, at most `limit`, in order, with where the next page begins. The last of the rows that a request
 * looks through is read whether it matches or not: if it comes, the page ends there.
 */
export async function readList<T>(sql: Sql, list: List<T>, asked: Asked): Promise<Page<T>> {
  const rows = typeof list.rows === 'string' ? new SqlText(list.rows) : list.rows;
  const reach = reachOf(list, asked);
  const { matches, limit } = asked;
  const scanned = asked.filtered ? list.scanned : null;
  const inside = orderOf(list, asked, 'listed');
  const page =
    scanned === null
      ? sqlPart`
          select listed.*, true as matched, false as edge from ${rows} as listed where ${reach} and ${matches}
           order by ${inside} limit ${limit + 1}`
      : sqlPart`
          select * from (
            select listed.*, coalesce(${matches}, false) as matched, nth = ${scanned} as edge from (
              select listed.*, row_number() over (order by ${inside}) as nth from ${rows} as listed where ${reach}
               order by ${inside} limit ${scanned}) as listed) as listed
           where matched or edge order by ${inside} limit ${limit + 1}`;
  const readScanned = (row: Row) => ({
    value: row.matched === true ? list.read(row) : undefined,
    edge: row.edge === true,
    place: { at: list.at === null ? null : readInstant(row, list.at), id: String(row[list.id]) },
  });
  const found = await sql.many(readScanned)`
    select page.*${new SqlText(list.shown && `, ${list.shown}`)} from (${page}) as page ${new SqlText(list.joins)}
     order by ${orderOf(list, asked, 'page')}`;
  const matched = found.filter(({ value }) => value !== undefined);
  const shown = matched.slice(0, limit);
  const end = matched.length > limit ? shown.at(-1) : found.find(({ edge }) => edge);
  return { rows: shown.map(({ value }) => value as T), next: end?.place ?? null };
}
