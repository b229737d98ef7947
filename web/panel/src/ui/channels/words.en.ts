// The names of the payment methods.

import type { MethodName } from '../../../../../contract/methods.ts';

export default {
  transfer: 'Bank transfer',
  card: 'Card',
  blik: 'BLIK',
  wallet: 'Wallet',
  online_wallet: 'Online wallet',
} as const satisfies Readonly<Record<MethodName, string>>;
