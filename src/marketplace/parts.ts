// What each seller gets of a payment, signed by the vault when it is created: until it is paid, no journal says it.

import type { Tools } from '../tools.ts';
import type { TransactionPart } from '../transactions/index.ts';

const purpose = 'part of a marketplace transaction';

type Unsigned = Omit<TransactionPart, 'mac'>;

function textOf({ id, transactionId, merchantId, products, ...part }: Unsigned): string {
  const { amountMinor, feeMinor, commissionMinor } = part;
  return `${id} ${transactionId} ${merchantId} ${amountMinor} ${feeMinor} ${commissionMinor} ${products}`;
}

export function signPart(vault: Tools['vault'], part: Unsigned): TransactionPart {
  return { ...part, mac: vault.mac(textOf(part), purpose) };
}

/** Whether the vault signed it. */
export function isPartOf(vault: Tools['vault'], part: TransactionPart): boolean {
  try {
    return vault.isMacOf(part.mac, textOf(part), purpose);
  } catch {
    return false;
  }
}
