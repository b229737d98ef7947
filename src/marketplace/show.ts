// M6 and M7: showing and listing marketplace transactions.

import { type Merchant, requireMarketplace } from '../accounts/index.ts';
import { listCharges } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { periodOf, type TransactionId } from '../kernel/index.ts';
import {
  listLineCounts,
  listOfTransaction,
  listRefundable,
  listRefundParts,
  type Refund,
  type RefundPart,
} from '../refunds/index.ts';
import {
  findTransactions,
  type ListedAttempt,
  type Transaction,
  type TransactionStatus,
} from '../transactions/index.ts';
import { findSplit } from './create.ts';
import { productsInTurns } from './products.ts';
import type { OpenPart } from './rules.ts';
import { countSplits, listSplits } from './store/transactions.ts';
import type { MarketplaceTools } from './tools.ts';

export const refundsShown = 100;

/** Of all refunds shown. A single one may have as many products as a body of 1 MiB. */
const linesShown = 32_768;

/** A transaction with everything that belongs to it. */
export interface ShownSplit {
  readonly transaction: Transaction;
  readonly parts: readonly OpenPart[];
  readonly attempts: readonly ListedAttempt[];
  readonly refunds: readonly { readonly refund: Refund; readonly parts: readonly RefundPart[] }[];
}

export async function showSplit(tools: MarketplaceTools, partner: Merchant, id: TransactionId): Promise<ShownSplit> {
  requireMarketplace(partner);
  const transaction = await findSplit(tools, partner, id);
  const { sql } = tools.db;
  const [parts, attempts, refunds] = await Promise.all([
    listRefundable(sql, id),
    listCharges(sql, id),
    listLatestRefunds(sql, id),
  ]);
  const products = await productsInTurns(parts.map(({ part }) => part.products));
  return {
    transaction,
    parts: parts.map((part, index) => ({ ...part, products: products[index] ?? [] })),
    attempts,
    refunds,
  };
}

/** Newest first, as many as a response has room for, at least one. */
async function listLatestRefunds(sql: Sql, id: TransactionId): Promise<ShownSplit['refunds']> {
  const latest = await listOfTransaction(sql, id, { from: null, to: null }, refundsShown, 0);
  if (latest.length === 0) return [];
  const lines = await listLineCounts(
    sql,
    latest.map((refund) => refund.id),
  );
  let sum = 0;
  const shown = latest.filter((refund, index) => {
    sum += lines.get(refund.id) ?? 0;
    return index === 0 || sum <= linesShown;
  });
  const parts = await listRefundParts(
    sql,
    shown.map((refund) => refund.id),
  );
  const partsOf = Map.groupBy(parts, ({ refundId }) => refundId);
  return shown.map((refund) => ({ refund, parts: partsOf.get(refund.id) ?? [] }));
}

export interface SplitQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly from?: string;
  readonly to?: string;
  readonly status?: TransactionStatus;
  readonly merchantId?: readonly string[];
  readonly hiddenDescription?: string;
}

/** One page, newest first. */
export async function listOwnSplits(tools: Pick<MarketplaceTools, 'db'>, partner: Merchant, query: SplitQuery) {
  requireMarketplace(partner);
  const { page = 1, limit = 35, status = null, merchantId: sellerIds = null, hiddenDescription = null } = query;
  const filter = { ...periodOf(query, partner.zone), status, sellerIds, hiddenDescription };
  const { sql } = tools.db;
  const [rows, total] = await Promise.all([
    listSplits(sql, partner.id, filter, limit, (page - 1) * limit),
    countSplits(sql, partner.id, filter),
  ]);
  const found = await findTransactions(
    sql,
    partner.id,
    rows.map(({ id }) => id),
  );
  const byId = new Map(found.map((transaction) => [transaction.id, transaction]));
  const list = rows.flatMap(({ id, children }) => {
    const transaction = byId.get(id);
    return transaction ? [{ transaction, children }] : [];
  });
  return { list, page, limit, total };
}
