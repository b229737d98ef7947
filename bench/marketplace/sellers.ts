// A partner with sellers, created by the service's own code on either side.

import { addSeller, createAccount, createCredential } from '../../src/accounts/index.ts';
import type { Tools } from '../../src/tools.ts';

export const sellers = 100;

export interface SeededPartner {
  readonly id: string;
  readonly posId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly sellerIds: readonly string[];
}

export function seedPartner(tools: Tools): Promise<SeededPartner> {
  return tools.db.atomic(async (sql) => {
    const details = { email: 'bench@example.com', testMode: true };
    const fees = { paymentFeeBasisPoints: 150, refundFeeMinor: 100n };
    const partner = await createAccount(tools, sql, { ...details, kind: 'partner', name: 'Market' });
    const credential = await createCredential(tools, sql, partner.id, 'full', 'Bench');
    const sellerIds: string[] = [];
    for (let index = 0; index < sellers; index += 1) {
      const seller = await createAccount(tools, sql, { ...details, ...fees, kind: 'seller', name: `Seller ${index}` });
      await addSeller(sql, partner.id, seller.id);
      sellerIds.push(seller.id);
    }
    return {
      id: partner.id,
      posId: partner.posId,
      clientId: credential.clientId,
      clientSecret: credential.clientSecret.reveal(),
      sellerIds,
    };
  });
}

/** The sellers of the children of a payment: others each time, so that all balances are used alike. */
export function sellersOf(ids: readonly string[], children: number, number: number): string[] {
  return Array.from({ length: children }, (_, index) => ids[(number * children + index) % ids.length] ?? '');
}
