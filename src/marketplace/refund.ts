// M3: refunding a marketplace transaction.

import { type Merchant, requireMarketplace } from '../accounts/index.ts';
import type { RefundId, TransactionId } from '../kernel/index.ts';
import type { RefundablePart, SplitRefund } from '../refunds/index.ts';
import { inTurns } from '../runtime/index.ts';
import type { RequestedRefund } from './model.ts';
import { productsInTurns } from './products.ts';
import { chooseParts, type OpenPart } from './rules.ts';
import type { MarketplaceTools } from './tools.ts';

/** Amounts and fees have left the balances of all sellers concerned when this resolves, or nothing happened. */
export function refundSplit(
  tools: Pick<MarketplaceTools, 'refunds'>,
  partner: Merchant,
  transactionId: TransactionId,
  requested: RequestedRefund,
  { id, dryRun }: { readonly id: RefundId; readonly dryRun: boolean },
): Promise<SplitRefund> {
  requireMarketplace(partner);
  return tools.refunds.createSplit(partner, {
    id,
    transactionId,
    form: requested.kind === 'full' ? 'full' : 'partial',
    dryRun,
    choose: async (parts, leftMinor) => inTurns(chooseParts(await withProducts(parts), requested, leftMinor)),
  });
}

async function withProducts(parts: readonly RefundablePart[]): Promise<OpenPart[]> {
  const products = await productsInTurns(parts.map(({ part }) => part.products));
  return parts.map((part, index) => ({ ...part, products: products[index] ?? [] }));
}
