// M4: the payment methods that all sellers of a transaction have in common.

import { listSellerChannels, type Merchant, requireMarketplace } from '../accounts/index.ts';
import { Refusal, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { WalletTokens } from '../wallet/index.ts';

export interface MethodTools extends Pick<Tools, 'db'> {
  readonly wallet: Pick<WalletTokens, 'isAvailable'>;
}

const walletChannel = 75;

/** The channels that every one of these sellers has and can be paid with. Sellers of others are named. */
export async function commonChannels(
  tools: MethodTools,
  partner: Merchant,
  merchantIds: readonly string[],
): Promise<number[]> {
  requireMarketplace(partner);
  const wanted = [...new Set(merchantIds)];
  const sellers = await listSellerChannels(tools.db.sql, partner.id, wanted);
  const foreign = wanted.filter((id) => !sellers.some((seller) => seller.id === id));
  if (foreign.length > 0) refuseForeign(foreign);
  const blocked = sellers.find(({ active }) => !active);
  if (blocked) refuse('access_denied', 'merchantId', `The seller ${blocked.id} is blocked.`);
  const [first, ...others] = sellers;
  const common = (first?.channels ?? []).filter((id) => others.every(({ channels }) => channels.includes(id)));
  if (!common.includes(walletChannel) || (await tools.wallet.isAvailable(partner.id))) return common;
  return common.filter((id) => id !== walletChannel);
}

function refuseForeign(unassociatedMerchants: readonly string[]): never {
  throw new Refusal([
    {
      code: 'access_denied',
      field: 'merchantId',
      message: `These merchants are not sellers of your marketplace: ${unassociatedMerchants.join(', ')}.`,
      devMessage: 'GET /accounts lists your sellers.',
      details: { unassociatedMerchants },
    },
  ]);
}
