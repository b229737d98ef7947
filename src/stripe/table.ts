// The tables of the connector, column by column.

import { type RefundDeclineReason, refundDeclineReasons } from '../../contract/codes/refund-declines.ts';
import { type DeclineReason, declineReasons } from '../acquirer/index.ts';
import { bigint, instant, nullable, smallint, table, text, textFrom } from '../database/index.ts';
import { type Currency, currencyFrom } from '../kernel/index.ts';

const oneOf =
  <T extends string>(known: readonly T[]) =>
  (given: string): T => {
    const found = known.find((word) => word === given);
    if (found === undefined) throw new Error(`Unknown word in storage: ${given}`);
    return found;
  };

/** The provider's names of what we take. */
export const methodTypes = ['blik', 'p24', 'card'] as const;
export type MethodType = (typeof methodTypes)[number];

export const stripeChargeTable = table('stripe_charge', {
  key: text,
  account: text,
  amountMinor: nullable(bigint),
  currency: nullable(textFrom<Currency>(currencyFrom)),
  merchant: nullable(text),
  method: nullable(textFrom<MethodType>(oneOf(methodTypes))),
  aliasMac: nullable(text),
  providerId: nullable(text),
  createTry: smallint,
  confirmTry: smallint,
  createdAt: instant,
  confirmSentAt: nullable(instant),
  canceledAt: nullable(instant),
  declineReason: nullable(textFrom<DeclineReason>(oneOf(declineReasons))),
  declineCode: nullable(text),
});

export const stripeRefundTable = table('stripe_refund', {
  key: text,
  chargeKey: text,
  amountMinor: bigint,
  currency: textFrom<Currency>(currencyFrom),
  intentId: nullable(text),
  providerId: nullable(text),
  sendTry: smallint,
  createdAt: instant,
  succeededAt: nullable(instant),
  declinedAt: nullable(instant),
  declineWhy: nullable(textFrom<RefundDeclineReason>(oneOf(refundDeclineReasons))),
  declineCode: nullable(text),
});
