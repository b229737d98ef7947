// The fees of an account, signed by the vault whenever they change: every later payment is booked with them, and no journal
// tells what they should have been.

import type { Tools } from '../tools.ts';
import type { Account } from './store.ts';

const purpose = 'fees of an account';

export type Fees = Pick<Account, 'id' | 'paymentFeeBasisPoints' | 'paymentFeeMinor' | 'refundFeeMinor'>;

function textOf({ id, paymentFeeBasisPoints, paymentFeeMinor, refundFeeMinor }: Fees): string {
  return `${id} ${paymentFeeBasisPoints} ${paymentFeeMinor} ${refundFeeMinor}`;
}

export function signFees(vault: Tools['vault'], fees: Fees): string {
  return vault.mac(textOf(fees), purpose);
}

/** Whether the vault signed them. */
export function areFeesOf(vault: Tools['vault'], fees: Fees & Pick<Account, 'feesMac'>): boolean {
  try {
    return vault.isMacOf(fees.feesMac, textOf(fees), purpose);
  } catch {
    return false;
  }
}
