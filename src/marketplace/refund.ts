// M3: refunding a marketplace transaction.

import { type Merchant, requireMarketplace } from '../accounts/index.ts';
import type { RefundId, TransactionId } from '../kernel/index.ts';
import type { SplitRefund } from '../refunds/index.ts';
import type { RequestedRefund } from './model.ts';
import { chooseParts } from './rules.ts';
import type { MarketplaceTools } from './tools.ts';
import { readProducts } from './wire.ts';

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
    choose: (parts, leftMinor) =>
      chooseParts(
        parts.map((part) => ({ ...part, products: readProducts(part.part.products) })),
        requested,
        leftMinor,
      ),
  });
}
