// Lists of transactions.

import type { Merchant } from '../accounts/index.ts';
import { periodOf } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Transaction, TransactionStatus } from './model.ts';
import { sixHourBucketsOf } from './rules.ts';
import { findPage } from './store/lists.ts';

export interface ListQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly from?: string;
  readonly to?: string;
  readonly status?: TransactionStatus;
}

export interface TransactionPage {
  readonly list: readonly Transaction[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

/** One page, newest first, with the total number of matches. */
export async function list(
  tools: Pick<Tools, 'db'>,
  merchant: Pick<Merchant, 'id' | 'zone'>,
  query: ListQuery,
): Promise<TransactionPage> {
  const { page = 1, limit = 35 } = query;
  const period = periodOf(query, merchant.zone);
  const filter = { ...period, status: query.status ?? null };
  const offset = (page - 1) * limit;
  const { list: found, total } = await findPage(tools.db.sql, merchant.id, filter, sixHourBucketsOf(period), {
    limit,
    offset,
  });
  return { list: found, page, limit, total };
}
