// Lists of transactions.

import type { Merchant } from '../../accounts/index.ts';
import { type Fault, instantFromLocal, Refusal } from '../../kernel/index.ts';
import type { World } from '../../world.ts';
import type { Transaction, TransactionStatus } from '../store.ts';
import { quartersOf } from './rules.ts';
import { findPage, type TransactionFilter } from './store.ts';

export interface ListWish {
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

/** One page, newest first, with the number of all that fit the filter. */
export async function list(
  world: World,
  merchant: Pick<Merchant, 'id' | 'zone'>,
  wish: ListWish,
): Promise<TransactionPage> {
  const { page = 1, limit = 35 } = wish;
  const filter = filterOf(wish, merchant.zone);
  const quarters = quartersOf(filter.from, filter.to);
  const offset = (page - 1) * limit;
  const { list: found, total } = await findPage(world.db.sql, merchant.id, filter, quarters, limit, offset);
  return { list: found, page, limit, total };
}

function filterOf(wish: ListWish, zone: string): TransactionFilter {
  const faults: Fault[] = [];
  function instant(field: 'from' | 'to'): Temporal.Instant | null {
    const text = wish[field];
    if (text === undefined) return null;
    const at = instantFromLocal(text, zone);
    if (!at) faults.push({ code: 'not_valid', field, message: 'There is no such date or time.' });
    return at ?? null;
  }
  const from = instant('from');
  // Inclusive: the whole second that `to` names belongs to the list.
  const to = instant('to')?.add({ seconds: 1 }) ?? null;
  if (faults.length > 0) throw new Refusal(faults);
  return { from, to, status: wish.status ?? null };
}
