// The words of this room, without SQL and without the wire.

import type { ChargeResult } from '../banking/index.ts';
import type { RowOf } from '../platform/index.ts';
import type { PaymentMethod, paymentAttemptTable, surplusRefundTable, transactionTable } from './table.ts';

export type Transaction = RowOf<typeof transactionTable>;
export type Payer = Transaction['payer'];
export type Attempt = RowOf<typeof paymentAttemptTable>;
export type Surplus = RowOf<typeof surplusRefundTable>;
export type {
  AttemptState,
  FinalState,
  OpenState,
  PaymentMethod,
  PaymentStatus,
  TransactionOrigin,
  TransactionStatus,
} from './table.ts';

/** What was learned of an attempt. */
export interface Settlement {
  readonly attemptId: string;
  readonly result: ChargeResult;
  /** When it was looked up; the time of the next look counts from it. Now, unless the sandbox's clock jumps. */
  readonly lookedAt?: Temporal.Instant;
}

/** The attempt and its transaction as they are afterwards; undefined when there is no such attempt. */
export type Settled = { readonly attempt: Attempt; readonly transaction: Transaction } | undefined;

/** How a transaction is to be paid: the method, and data that pays at once. */
export interface PayRequest {
  readonly groupId?: number;
  readonly channelId?: number;
  readonly method?: PaymentMethod;
  readonly blikPaymentData?: {
    readonly blikToken: string;
    readonly aliases?: readonly { readonly value: string; readonly type: 'UID' | 'PAYID'; readonly label?: string }[];
  };
  readonly cardPaymentData?: { readonly card?: string; readonly token?: string; readonly save?: boolean };
  readonly walletPayPaymentData?: string;
}

export type { ChargeResult as Result } from '../banking/index.ts';

/** A part of a six-hour bucket, at the beginning or the end of a period: its rows are counted one by one. */
export interface Edge {
  readonly sixHourBucket: Temporal.Instant;
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/** A period as whole buckets, from the first up to but not including the last, and what it has beside them. */
export interface SixHourBuckets {
  readonly first: Temporal.Instant | null;
  readonly end: Temporal.Instant | null;
  readonly edges: readonly Edge[];
}
