// M4: the payment methods that all sellers of a transaction have in common.

import { listSellerTerms, type Merchant, requireMarketplace, type SellerTerms } from '../accounts/index.ts';
import { type Fault, Refusal } from '../kernel/index.ts';
import { unavailableChannels } from '../methods/index.ts';
import type { Tools } from '../tools.ts';
import type { WalletTokens } from '../wallet/index.ts';

export interface MethodTools extends Pick<Tools, 'acquirers' | 'clock' | 'db'> {
  readonly wallet: Pick<WalletTokens, 'isAvailable'>;
}

/** The channels that every one of these sellers has and can be paid with. Sellers of others are named. */
export async function commonChannels(
  tools: MethodTools,
  partner: Merchant,
  merchantIds: readonly string[],
  fieldOf: (index: number) => string,
): Promise<number[]> {
  return channelsOf(tools, partner, await findSellers(tools, partner, merchantIds, fieldOf));
}

/**
 * These sellers of the partner; refuses if some belong to others or are blocked. `fieldOf` names the field of the
 * request.
 */
export async function findSellers(
  tools: Pick<Tools, 'clock' | 'db'>,
  partner: Merchant,
  merchantIds: readonly string[],
  fieldOf: (index: number) => string,
): Promise<SellerTerms[]> {
  requireMarketplace(partner);
  const wanted = [...new Set(merchantIds)];
  const sellers = await listSellerTerms(tools.db.sql, partner.id, wanted, tools.clock.now());
  const known = new Set<string>(sellers.map(({ id }) => id));
  const field = (id: string) => fieldOf(merchantIds.indexOf(id));
  const foreign = wanted.filter((id) => !known.has(id));
  const [first] = foreign;
  if (first !== undefined) refuseForeign(foreign, field(first));
  const blocked = sellers.filter(({ active }) => !active);
  if (blocked.length > 0) throw new Refusal(blocked.map(({ id }) => blockedFault(id, field(id))));
  return sellers;
}

function blockedFault(id: string, field: string): Fault {
  const devMessage = 'POST /accounts/{id} with the status active unblocks it.';
  return { code: 'access_denied', field, message: `The seller ${id} is blocked.`, devMessage };
}

export async function channelsOf(
  tools: MethodTools,
  partner: Pick<Merchant, 'id'>,
  [first, ...others]: readonly SellerTerms[],
): Promise<number[]> {
  const common = (first?.channels ?? []).filter((id) => others.every(({ channels }) => channels.includes(id)));
  const unavailable = await unavailableChannels(tools, common, partner.id);
  return common.filter((id) => !unavailable.includes(id));
}

function refuseForeign(unassociatedMerchants: readonly string[], field: string): never {
  throw new Refusal([
    {
      code: 'access_denied',
      field,
      message: `These merchants are not sellers of your marketplace: ${unassociatedMerchants.join(', ')}.`,
      devMessage: 'GET /accounts lists your sellers.',
      details: { unassociatedMerchants },
    },
  ]);
}
