// The domain types of this room, independent of SQL and the wire.

import type { OutgoingResult, OutgoingStep } from '../banking/index.ts';
import type { RowOf } from '../database/index.ts';
import type { AccountId, FailureKind, RefundId, RefusalCode, TransactionId } from '../kernel/index.ts';
import type { Transaction, TransactionPart } from '../transactions/index.ts';
import type {
  lineRefundTotalTable,
  partRefundTotalTable,
  RefundStatus,
  refundPartTable,
  refundTable,
} from './table.ts';

export interface RefundRequest {
  readonly id: RefundId;
  readonly transactionId: TransactionId;
  readonly merchantId: AccountId;
  readonly requested: RequestedRefund;
}

export interface MadeRefund {
  readonly refund: Refund;
  /** As it is afterwards. */
  readonly transaction: Transaction;
  /** Whether it is the only refund of its transaction. */
  readonly only: boolean;
}

export type Outcome =
  | ({ readonly kind: 'made' } & MadeRefund)
  | { readonly kind: 'refused'; readonly why: RefundRefusal };

/** Why there is no refund; a fault without its field. */
export type RefundRefusal = (FailureKind | { readonly code: RefusalCode }) & { readonly message?: string };

export type { CanceledBy, RefundContext, RefundStatus } from './table.ts';

/** What the merchant requests. A full refund is a separate kind, so that no amount can become one by mistake. */
export type RequestedRefund = { readonly kind: 'full' } | { readonly kind: 'partial'; readonly amountMinor: bigint };

/** A result for an existing refund: from the bank, a lookup, the merchant or an operator. */
export type Result = OutgoingResult;

/** The effect of a result. `through`: the statuses that the refund passes, in order; each is reported. */
export type Step = OutgoingStep & { readonly through: readonly RefundStatus[] };

export type Refund = RowOf<typeof refundTable>;

export interface RefundWithTitle extends Refund {
  readonly title: string;
}

/** What a refund takes from one part of a marketplace transaction. */
export type RefundPart = RowOf<typeof refundPartTable>;
export type PartTotal = RowOf<typeof partRefundTotalTable>;
export type LineTotal = RowOf<typeof lineRefundTotalTable>;

/** A refunded product: the line of its part, how much of it in millionths, and at which price. */
export interface RefundedLine {
  readonly line: number;
  readonly quantity: bigint;
  readonly unitPriceMinor: bigint;
  /** How much of the product was sold, in millionths. */
  readonly sold: bigint;
}

/** The same with the price at which the product was sold: the limit of what can be refunded of it. */
export interface ChosenLine extends RefundedLine {
  readonly soldPriceMinor: bigint;
}

/** A part of a marketplace transaction as a refund finds it, under the transaction's lock. */
export interface RefundablePart {
  readonly part: TransactionPart;
  /** What can no longer be refunded. */
  readonly goneMinor: bigint;
  readonly refundedMinor: bigint;
  readonly commissionReturnedMinor: bigint;
  /** Millionths that were refunded, by line. */
  readonly refundedLines: ReadonlyMap<number, bigint>;
  /** Quantity times price of all refunded products, in millionths of a cent. */
  readonly productsValue: bigint;
  /** What of `refundedMinor` was refunded by products. */
  readonly productsMinor: bigint;
}

/** The decision how much of which part is refunded. */
export interface ChosenPart {
  readonly part: TransactionPart;
  readonly amountMinor: bigint;
  readonly commissionMinor: bigint;
  /** What of the amount is for products. */
  readonly productsMinor: bigint;
  /** The most that products of this part can be refunded with, in all. */
  readonly productsLimitMinor: bigint;
  readonly lines: readonly ChosenLine[];
}
