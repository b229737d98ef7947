// The tables of refunds, column by column. The types of the model come from here.

import type { refundContexts, refundStatuses } from '../../contract/refunds.ts';
import {
  bigint,
  group,
  instant,
  integer,
  named,
  nullable,
  table,
  text,
  textAs,
  textFrom,
  whole,
} from '../database/index.ts';
import { type AccountId, currencyFrom, type RefundId, type TransactionId } from '../kernel/index.ts';

export type RefundStatus = (typeof refundStatuses)[number];
export type RefundContext = (typeof refundContexts)[number];
export type CanceledBy = 'merchant' | 'operator' | 'bank';

export const refundTable = table('refund', {
  id: textAs<RefundId>(),
  transactionId: textAs<TransactionId>(),
  merchantId: textAs<AccountId>(),
  /** Without gaps from 1 for each merchant. */
  number: integer,
  /** How many of the merchant's refunds up to this one are by card. */
  cardCount: integer,
  context: textAs<RefundContext>(),
  form: textAs<'full' | 'partial'>(),
  /** Which statuses it has: payment methods differ. */
  statuses: textAs<'usual' | 'blik'>(),
  status: textAs<RefundStatus>(),
  /** How many statuses it has had, including the current one. */
  steps: integer,
  amount: group({ minor: named('amount_minor', bigint), currency: textFrom(currencyFrom) }),
  feeMinor: bigint,
  /** The price that the fee is; null of one over several sellers. */
  priceId: nullable(bigint),
  channelId: integer,
  cardToken: nullable(text),
  /** In lower case. */
  payerEmail: text,
  createdAt: instant,
  processedAt: nullable(instant),
  endedAt: nullable(instant),
  canceledBy: nullable(textAs<CanceledBy>()),
  paidLateAt: nullable(instant),
  cameBackAt: nullable(instant),
});

export const refundCounterTable = table('refund_counter', {
  merchantId: textAs<AccountId>(),
  refunds: integer,
  cardRefunds: integer,
  lastCreatedAt: instant,
});

export const refundTotalTable = table('refund_total', {
  transactionId: textAs<TransactionId>(),
  paidMinor: bigint,
  refundedMinor: bigint,
  paidLateMinor: bigint,
  refunds: integer,
});

/** What a refund of a marketplace transaction takes from each of its parts. */
export const refundPartTable = table('refund_part', {
  refundId: textAs<RefundId>(),
  partId: text,
  /** The seller. */
  merchantId: textAs<AccountId>(),
  amountMinor: bigint,
  feeMinor: bigint,
  commissionMinor: bigint,
  /** What of the amount was refunded by products. */
  productsMinor: bigint,
  /** JSON of `RefundedLine`s. */
  lines: text,
});

export const partRefundTotalTable = table('part_refund_total', {
  partId: text,
  amountMinor: bigint,
  commissionMinor: bigint,
  refundedMinor: bigint,
  commissionReturnedMinor: bigint,
  paidLateMinor: bigint,
  /** What all products of the part are worth, rounded half up once, and at most its amount. */
  productsLimitMinor: bigint,
  /** What of `refundedMinor` was refunded by products. */
  productsRefundedMinor: bigint,
});

export const lineRefundTotalTable = table('line_refund_total', {
  partId: text,
  line: integer,
  quantity: bigint,
  refunded: bigint,
  unitPriceMinor: bigint,
  /** Quantity times price of what was refunded, in millionths of a cent. */
  refundedValue: whole,
});
