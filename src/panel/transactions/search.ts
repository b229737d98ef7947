// The search: one box and some filters, newest first. Whatever is asked for, a request reads a bounded number of rows.

import type { Merchant } from '../../accounts/index.ts';
import { allOf, type Sql } from '../../database/index.ts';
import type { Tools } from '../../tools.ts';
import { askedBy } from '../list/filters.ts';
import { always, type Place, parsePlace, readDays } from '../list/place.ts';
import { type Asked, type Page, readList } from '../list/read.ts';
import { type TransactionQuery, transactionConditions } from './query.ts';
import {
  type FoundRow,
  findBucketEnd,
  findByAnyId,
  findByTitle,
  findByWords,
  matchingWords,
  transactionList,
  transactionsAmong,
} from './store.ts';
import { type Query, readQuery } from './words.ts';

export type Account = Pick<Merchant, 'id' | 'zone'>;

/** More matches than that are frequent enough to be found by looking through the newest transactions. */
const rareAtMost = 500;

/** Refuses days that do not exist, and places that we did not name. */
export function askedOf(query: TransactionQuery, { id, zone }: Account) {
  return {
    accountId: id,
    ...askedBy<TransactionQuery, 'q'>(transactionConditions, query),
    period: readDays(query, zone),
    after: query.before === undefined ? null : parsePlace(query.before),
  } satisfies Asked;
}

export async function search(
  { db: { sql } }: Pick<Tools, 'db'>,
  account: Account,
  query: TransactionQuery,
): Promise<Page<FoundRow>> {
  const asked = askedOf(query, account);
  const typed = query.q === undefined ? undefined : readQuery(query.q);
  const ids = typed && (await findRare(sql, account, typed));
  if (ids) return readList(sql, transactionsAmong(ids), asked);
  const after = await startOf(sql, account, query.status, asked);
  if (after === undefined) return { rows: [], next: null };
  const words = typed?.kind === 'words' ? [matchingWords(typed)] : [];
  return readList(sql, transactionList, { ...asked, after, matches: allOf([asked.matches, ...words]) });
}

/** What the text in the box names; undefined if too many begin with it. */
async function findRare(sql: Sql, { id: accountId }: Account, typed: Query): Promise<string[] | undefined> {
  if (typed.kind === 'id') return findByAnyId(sql, typed.id);
  if (typed.kind === 'title') return findByTitle(sql, typed.title);
  const found = await findByWords(sql, accountId, typed, rareAtMost + 1);
  const most = Math.max(0, ...[...Map.groupBy(found, ({ by }) => by).values()].map((rows) => rows.length));
  return most <= rareAtMost ? [...new Set(found.map(({ id }) => id))] : undefined;
}

/** Where to begin; of a rare status, at the newest bucket that has it. Undefined: there is nothing. */
async function startOf(
  sql: Sql,
  { id }: Account,
  status: TransactionQuery['status'],
  { after, period }: Pick<Asked, 'after' | 'period'>,
): Promise<Place | null | undefined> {
  if (status === undefined) return after;
  const ends = [after?.at ?? always.to, period?.to ?? always.to];
  const before = ends.reduce((one, other) => (Temporal.Instant.compare(one, other) < 0 ? one : other));
  const end = await findBucketEnd(sql, id, status, before);
  if (!end) return undefined;
  return Temporal.Instant.compare(end, before) < 0 ? { at: end, id: '' } : after;
}
