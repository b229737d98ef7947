// Wire to domain and back.

import type { RefundGiven } from '../../contract/refunds.ts';
import type { Static } from '../../contract/schema.ts';
import { decimalFromMinor, localText, minorFromDecimal } from '../kernel/index.ts';
import type { Refund, RefundWithTitle, RequestedRefund } from './model.ts';

/** The body is validated and has no unknown keys: only an empty body is a full refund. */
export function readRequested(given: Static<typeof RefundGiven>): RequestedRefund {
  if (!Object.hasOwn(given, 'amount') || given.amount === undefined) return { kind: 'full' };
  const amountMinor = minorFromDecimal(given.amount);
  if (amountMinor === undefined) throw new Error('The validator let an amount through that has no minor units.');
  return { kind: 'partial', amountMinor };
}

/** A refund as lists of one transaction show it. */
export function serializeRefund(refund: Refund, zone: string) {
  return {
    refundId: refund.id,
    status: refund.status,
    amount: decimalFromMinor(refund.amount.minor),
    currency: refund.amount.currency,
    date: {
      schedule: localText(refund.createdAt, zone),
      processed: refund.processedAt && localText(refund.processedAt, zone),
    },
  };
}

/** The same with the transaction that it belongs to. */
export function serializeLinked(refund: RefundWithTitle, zone: string) {
  return { ...serializeRefund(refund, zone), transactionId: refund.transactionId, transactionTitle: refund.title };
}

/** The three lists of E4 and E5. Money is returned the way it came, so every refund has an account. */
export function serializeLists(refunds: readonly Refund[], zone: string) {
  return {
    refundsList: refunds.map((refund) => serializeRefund(refund, zone)),
    refundsNoAccountList: [],
    refundsCardsList: refunds
      .filter(({ context }) => context === 'card')
      .map((refund) => serializeRefund(refund, zone)),
  };
}
