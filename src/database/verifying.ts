// What `verify` reads, room by room: everything, a page of a table at a time, or what was made or moved since a moment.
// Every statement sees one moment of the database, and a page is small: nothing is held for long, and memory does not grow
// with the tables.

import type { Finding } from '../../contract/codes/findings.ts';
import { ulid } from '../kernel/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import { readTextOrNull } from './read.ts';
import { type Sql, type SqlPart, SqlText, sqlPart } from './sql.ts';

export interface Verifying {
  readonly sql: Sql;
  /** By the business clock. */
  readonly now: Temporal.Instant;
  /** Undefined: everything. */
  readonly since: Since | undefined;
  /** The kinds of journals that rooms know; undefined: not compared. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** What the ledger added up for the parts of higher rooms; undefined unless everything is verified. */
  readonly books: Books | undefined;
  /** Reports how many rows were read since the last report. */
  readonly report: (rows: number) => void;
}

export interface Since {
  readonly at: Temporal.Instant;
  /** Ids of that moment and later are greater. */
  readonly id: string;
  /** The sources of the journals that were posted since, and all of `named`. */
  readonly sources: readonly string[];
  /** What was found wrong before and not found right since: it is read again, whatever has happened to it. */
  readonly named: readonly string[];
}

/** Sums of the chain of journals up to a position, by kind and account; those of all merchants are one account. */
export interface Books {
  readonly position: bigint;
  readonly sums: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
}

/** What was made or moved since, and what is named. */
export function sinceOf(at: Temporal.Instant, named: readonly string[] = []): Since {
  return { at, id: ulid(Math.max(0, at.epochMilliseconds), new Uint8Array(16)), sources: named, named };
}

/** With the sources of the journals that were posted since. */
export function withSources(since: Since, sources: readonly string[]): Since {
  return { ...since, sources: [...sources, ...since.named] };
}

/** Each part of verify names so many wrong rows at most: whoever has more has to restore. */
export const findingsAtMost = 100;

/** Some keys of a table. */
export interface Page {
  /** The condition on a column that has these keys. */
  of(column: string): SqlPart;
}

const pageRows = 5_000;
const pagesAtOnce = 2;

/** A table and its key, and which of its keys to look at when not everything is verified. */
export interface Paged {
  readonly table: string;
  readonly key: string;
  readonly changed: (sql: Sql, since: Since) => Promise<readonly string[]>;
}

/** Verifies a table page by page; stops when there is more to name than anybody reads. */
export async function verifyPages(
  verifying: Verifying,
  paged: Paged,
  verify: (page: Page) => Promise<readonly Finding[]>,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const pages = pagesOf(verifying, paged);
  const turn = async () => {
    for (;;) {
      const { value, done } = await pages.next();
      if (done === true || found.length >= findingsAtMost) return;
      found.push(...(await verify(value.page)));
      verifying.report(value.rows);
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, turn));
  return found.slice(0, findingsAtMost);
}

/** What is wrong with rows that this process checks, in turns: a page of them takes longer than others should wait. */
export async function problemsOf<T>(rows: readonly T[], check: (row: T) => readonly Finding[]): Promise<Finding[]> {
  return (await mapInTurns(rows, check)).flat();
}

interface CountedPage {
  readonly page: Page;
  readonly rows: number;
}

async function* pagesOf({ sql, since }: Verifying, { table, key, changed }: Paged): AsyncGenerator<CountedPage> {
  if (since) {
    const keys = [...new Set([...(await changed(sql, since)), ...since.named])];
    // As many for each turn: few rows are read in the time of half of them.
    const turns = Math.ceil(keys.length / pageRows / pagesAtOnce);
    const rows = Math.ceil(keys.length / turns / pagesAtOnce);
    for (let first = 0; first < keys.length; first += rows) {
      const some = keys.slice(first, first + rows);
      yield { page: { of: (column) => sqlPart`${new SqlText(column)} = any(${some}::text[])` }, rows: some.length };
    }
    return;
  }
  const [from, id] = [new SqlText(table), new SqlText(key)];
  for (let after = ''; ; ) {
    const until = await findPageEnd(sql, from, id, after);
    const begin = after;
    if (until === null) {
      // What was made meanwhile, and what is elsewhere without being in this table.
      yield { page: { of: (column) => sqlPart`${new SqlText(column)} > ${begin}` }, rows: 0 };
      return;
    }
    const of = (column: string) => sqlPart`${new SqlText(column)} > ${begin} and ${new SqlText(column)} <= ${until}`;
    yield { page: { of }, rows: pageRows };
    after = until;
  }
}

/** The last key of the page after this one; null: less than a page is left. */
function findPageEnd(sql: Sql, table: SqlText, key: SqlText, after: string): Promise<string | null> {
  return sql.maybeOne((row) => readTextOrNull(row, 'until'))`
      select ${key} as until from ${table} where ${key} > ${after} order by ${key} offset ${pageRows - 1} limit 1`.then(
    (until) => until ?? null,
  );
}
