// The simulated device: its cards, and the tokens that it makes for a confirmed payment.

import type { Money } from '../../kernel/index.ts';
import type { Random } from '../../runtime/index.ts';
import { mintBadToken } from './kinds/index.ts';
import { mintToken, type TokenOrder } from './mint.ts';
import type { Vendor } from './vendor.ts';

/** Test cards by what the simulated bank does with them. The last four digits decide. */
export const deviceCards = {
  approved: { number: '4111111111111111', expires: '391231', network: 'Visa' },
  declined: { number: '5200000000050002', expires: '391231', network: 'Mastercard' },
  insufficient_funds: { number: '4000000000009995', expires: '391231', network: 'Visa' },
  callback: { number: '5200000000050341', expires: '391231', network: 'Mastercard' },
} as const;
export type DeviceCardName = keyof typeof deviceCards;

/** The recipient of a token: a payment-processing key and its identifier. */
export interface Recipient {
  readonly publicKey: Buffer;
  readonly merchantIdentifierHash: Buffer;
}

export interface Confirmed {
  readonly amount: Money;
  readonly card: DeviceCardName;
  /** The kind of bad token to make instead of a good one. */
  readonly badKind?: string | undefined;
  readonly signedAt: Temporal.Instant;
}

/** `walletPayPaymentData` for a payment; undefined if there is no such kind of bad token. */
export function mintConfirmed(
  vendor: Vendor,
  { amount, card, badKind, signedAt }: Confirmed,
  recipient: Recipient,
  random: Random,
): string | undefined {
  const order: TokenOrder = { amount, card: deviceCards[card], signedAt, ...recipient, random };
  return badKind === undefined ? mintToken(vendor, order) : mintBadToken(vendor, order, badKind);
}
