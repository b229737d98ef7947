// The domain types of this room, independent of SQL and the wire.

import type { ChargeResult } from '../banking/index.ts';
import type { PaymentData } from '../methods/index.ts';
import type { RowOf } from '../platform/index.ts';
import type { PaymentMethod, paymentAttemptTable, transactionPartTable, transactionTable } from './table.ts';

export type Transaction = RowOf<typeof transactionTable>;
export type TransactionPart = RowOf<typeof transactionPartTable>;
export type Payer = Transaction['payer'];
export type Attempt = RowOf<typeof paymentAttemptTable>;
/** With whether its money was given back, as one captured too late or a second time. */
export type ListedAttempt = Attempt & { readonly givenBack: boolean };
export type {
  AttemptState,
  FinalState,
  OpenState,
  PaymentMethod,
  PaymentStatus,
  TransactionOrigin,
  TransactionStatus,
} from './table.ts';

/** An attempt and its transaction. */
export interface PaymentRows {
  readonly attempt: Attempt;
  readonly transaction: Transaction;
}

/** The rows as this process inserted them; they are still so if they have this xmin. */
export interface InsertedRows extends PaymentRows {
  readonly xmin: Promise<string>;
}

/** What was learned about an attempt. */
export interface Settlement {
  readonly attemptId: string;
  readonly result: ChargeResult;
  /** Need not be read if nobody has changed them since. */
  readonly inserted?: InsertedRows;
  /** When it was looked up; the next lookup is scheduled from then. Now, unless the sandbox clock jumps. */
  readonly lookedAt?: Temporal.Instant;
}

/** The attempt and its transaction afterwards; undefined if there is no such attempt. */
export type Settled = PaymentRows | undefined;

/** How to pay a transaction: the method, and data for paying immediately. */
export interface PayRequest extends PaymentData {
  readonly groupId?: number;
  readonly channelId?: number;
  readonly method?: PaymentMethod;
}

export type { ChargeResult as Result } from '../banking/index.ts';

/** Part of a six-hour bucket at the beginning or end of a period, whose rows are counted one by one. */
export interface Edge {
  readonly sixHourBucket: Temporal.Instant;
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
}

/** A period as whole buckets, from the first (inclusive) to the last (exclusive), plus the edges. */
export interface SixHourBuckets {
  readonly first: Temporal.Instant | null;
  readonly end: Temporal.Instant | null;
  readonly edges: readonly Edge[];
}
