// The search: one box and some filters, newest first. Whatever is asked for, a request reads a bounded number of rows.

import type { Merchant } from '../../accounts/index.ts';
import type { Tools } from '../../tools.ts';
import type { Place } from '../list.ts';
import {
  type FoundRow,
  findBucketEnd,
  findByAnyId,
  findByTitle,
  findByWords,
  findMatching,
  findPlaceAfter,
  type SearchFilter,
  scanMatching,
  type Words,
} from './store/search.ts';
import { readQuery } from './words.ts';

export interface SearchRequest extends SearchFilter {
  readonly q: string | undefined;
  readonly before: Place | null;
  readonly limit: number;
}

export interface SearchPage {
  readonly rows: readonly FoundRow[];
  /** Where the next page begins; null if there is none. */
  readonly next: Place | null;
}

/** More matches than that are frequent enough to be found by looking through the newest transactions. */
const rareAtMost = 500;
/** How many transactions a request looks through. */
export const scannedAtMost = 10_000;

export async function search(
  { db }: Pick<Tools, 'db'>,
  { id: accountId }: Pick<Merchant, 'id'>,
  request: SearchRequest,
): Promise<SearchPage> {
  const { sql } = db;
  const query = request.q === undefined ? undefined : readQuery(request.q);
  const among = async (ids: readonly string[]) =>
    pageOf(await findMatching(sql, accountId, ids, request, request.before, request.limit + 1), request.limit, null);
  if (query?.kind === 'id') return among(await findByAnyId(sql, query.id));
  if (query?.kind === 'title') return among(await findByTitle(sql, query.title));
  if (query) {
    const found = await findByWords(sql, accountId, query, rareAtMost + 1);
    const most = Math.max(0, ...[...Map.groupBy(found, ({ by }) => by).values()].map((rows) => rows.length));
    if (most <= rareAtMost) return among([...new Set(found.map(({ id }) => id))]);
  }
  return scan({ db }, accountId, request, query ?? null);
}

const greatestId = 'Z'.repeat(26);
const endOfTime = Temporal.Instant.from('9999-01-01T00:00:00Z');

async function scan(
  { db }: Pick<Tools, 'db'>,
  accountId: Merchant['id'],
  request: SearchRequest,
  words: Words | null,
): Promise<SearchPage> {
  const { sql } = db;
  const start = await startOf({ db }, accountId, request);
  if (!start) return { rows: [], next: null };
  const rows = await scanMatching(sql, accountId, request, words, start, scannedAtMost, request.limit + 1);
  const full = rows.length > request.limit;
  const last = full ? undefined : await findPlaceAfter(sql, accountId, request, start, scannedAtMost);
  return pageOf(rows, request.limit, last ?? null);
}

/** Where to begin; of a rare status, at the newest bucket that has it. Undefined: there is nothing. */
async function startOf(
  { db }: Pick<Tools, 'db'>,
  accountId: Merchant['id'],
  { before, to, status }: SearchRequest,
): Promise<Place | undefined> {
  const start = before ?? { at: endOfTime, id: greatestId };
  const begin = to && Temporal.Instant.compare(to, start.at) < 0 ? { at: to, id: '' } : start;
  if (status === null) return begin;
  const end = await findBucketEnd(db.sql, accountId, status, begin.at);
  if (!end) return undefined;
  return Temporal.Instant.compare(end, begin.at) < 0 ? { at: end, id: '' } : begin;
}

function pageOf(rows: readonly FoundRow[], limit: number, searchedTo: Place | null): SearchPage {
  if (rows.length <= limit) return { rows, next: searchedTo };
  const page = rows.slice(0, limit);
  const last = page.at(-1)?.transaction;
  return { rows: page, next: last ? { at: last.createdAt, id: last.id } : null };
}
