// E5 and E6: lists of refunds, newest first, one page at a time.

import type { Merchant } from '../accounts/index.ts';
import { tokenReferences } from '../cards/index.ts';
import { type Fault, periodOf, refuse, type TransactionId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { findTransaction, findTransactionByTitle, type Transaction } from '../transactions/index.ts';
import type { Refund, RefundContext, RefundWithTitle } from './model.ts';
import {
  countOfTransaction,
  type Ends,
  findEnds,
  listAll,
  listCards,
  listOfTransaction,
  listTransactional,
  type Mark,
  type Places,
  pageOfPayer,
  pageOfToken,
  pageOfTransaction,
  type Slice,
} from './store/lists.ts';

export interface PageQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly from?: string;
  readonly to?: string;
}

export interface ListQuery extends PageQuery {
  readonly payerEmail?: string;
  readonly transactionTitle?: string;
  readonly context?: RefundContext;
  readonly token?: string;
}

export interface RefundPage<T> {
  readonly refunds: readonly T[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

export type { Refund, RefundWithTitle };

/** One page of the refunds of a transaction, with the transaction itself. */
export async function listOfOne(
  tools: Pick<Tools, 'db'>,
  merchant: Pick<Merchant, 'id' | 'zone'>,
  id: TransactionId,
  query: PageQuery,
): Promise<RefundPage<Refund> & { readonly transaction: Transaction }> {
  const period = periodOf(query, merchant.zone);
  const transaction = (await findTransaction(tools.db.sql, merchant.id, id)) ?? refuse('not_found');
  const { page, limit, offset } = pageOf(query);
  const [refunds, total] = await Promise.all([
    listOfTransaction(tools.db.sql, id, period, limit, offset),
    countOfTransaction(tools.db.sql, id, period),
  ]);
  return { transaction, refunds, page, limit, total };
}

/** The position of a mark in a list of the merchant. */
const placeIn = {
  all: (mark: Mark) => mark.number,
  card: (mark: Mark) => mark.cardCount,
  transactional: (mark: Mark) => mark.number - mark.cardCount,
} as const;

/** One page of the merchant's refunds. Its cost does not grow with their number. */
export async function listRefunds(
  tools: Pick<Tools, 'db' | 'vault'>,
  merchant: Pick<Merchant, 'id' | 'zone'>,
  query: ListQuery,
): Promise<RefundPage<RefundWithTitle>> {
  const period = periodOf(query, merchant.zone, tokenFaults(query));
  const { page, limit, offset } = pageOf(query);
  const ends = await findEnds(tools.db.sql, merchant.id, period);
  const { refunds, total } = await (isNarrow(query)
    ? listNarrow(tools, merchant, query, { ...placesOf(ends, placeIn.all), limit, offset })
    : listWide(tools, merchant, query.context, ends, { limit, offset }));
  return { refunds, page, limit, total };
}

function isNarrow(query: ListQuery): boolean {
  return query.payerEmail !== undefined || query.transactionTitle !== undefined || query.token !== undefined;
}

/** By the narrowest filter: a transaction, then a card, then a payer. */
async function listNarrow(
  tools: Pick<Tools, 'db' | 'vault'>,
  merchant: Pick<Merchant, 'id'>,
  query: ListQuery,
  slice: Slice,
) {
  const { sql } = tools.db;
  const narrow = {
    context: query.context ?? null,
    payerEmail: query.payerEmail?.toLowerCase() ?? null,
    tokens: query.token === undefined ? null : tokenReferences(tools, query.token),
  };
  if (query.transactionTitle !== undefined) {
    const id = await findTransactionByTitle(sql, merchant.id, query.transactionTitle);
    if (!id) return { refunds: [], total: 0 };
    return pageOfTransaction(sql, merchant.id, id, narrow, slice);
  }
  if (narrow.tokens !== null) return pageOfToken(sql, merchant.id, narrow.tokens, narrow, slice);
  return pageOfPayer(sql, merchant.id, narrow.payerEmail ?? '', narrow.context, slice);
}

async function listWide(
  tools: Pick<Tools, 'db'>,
  merchant: Pick<Merchant, 'id'>,
  context: RefundContext | undefined,
  ends: Ends,
  { limit, offset }: Pick<Slice, 'limit' | 'offset'>,
) {
  const list = { all: listAll, card: listCards, transactional: listTransactional }[context ?? 'all'];
  const { after, upTo } = placesOf(ends, placeIn[context ?? 'all']);
  const total = Math.max(0, upTo - after);
  const pageEnd = upTo - offset;
  if (pageEnd <= after) return { refunds: [], total };
  const refunds = await list(tools.db.sql, merchant.id, { after: Math.max(after, pageEnd - limit), upTo: pageEnd });
  return { refunds, total };
}

function placesOf({ before, last }: Ends, place: (mark: Mark) => number): Places {
  return { after: place(before), upTo: place(last) };
}

function pageOf({ page = 1, limit = 35 }: PageQuery): { page: number; limit: number; offset: number } {
  return { page, limit, offset: (page - 1) * limit };
}

function tokenFaults({ context, token }: ListQuery): Fault[] {
  if (token === undefined || context === 'card') return [];
  return [{ code: 'not_valid', field: 'token', message: 'Allowed only with context=card.' }];
}
