// The domain types of this room, independent of SQL and the wire.

import type { Charge, ListedCharge } from '../banking/index.ts';
import type { RowOf } from '../database/index.ts';
import type { PaymentData } from '../methods/index.ts';
import type { PaymentMethod, transactionPartTable, transactionTable } from './table.ts';

export type Transaction = RowOf<typeof transactionTable>;
export type TransactionPart = RowOf<typeof transactionPartTable>;
export type Payer = Transaction['payer'];
/** A charge of a transaction, in the words of the interface. */
export type Attempt = Charge;
export type ListedAttempt = ListedCharge;
export type { ChargeState as AttemptState } from '../banking/index.ts';
export type { PaymentMethod, PaymentStatus, TransactionOrigin, TransactionStatus } from './table.ts';

/** An attempt and its transaction. */
export interface PaymentRows {
  readonly attempt: Attempt;
  readonly transaction: Transaction;
}

/** The attempt and its transaction afterwards; undefined if there is no such attempt. */
export type Settled = PaymentRows | undefined;

/** How to pay a transaction: the method, and data for paying immediately. */
export interface PayRequest extends PaymentData {
  readonly groupId?: number;
  readonly channelId?: number;
  readonly method?: PaymentMethod;
}

/** Columns that the service decides, whoever makes the transaction. */
type Decided =
  | 'id'
  | 'origin'
  | 'merchantId'
  | 'posId'
  | 'title'
  | 'createdAt'
  | 'payKey'
  | 'channelId'
  | 'status'
  | 'paymentStatus'
  | 'amountPaidMinor';
/** Columns that everybody who makes one must give. */
type Given =
  | 'amount'
  | 'description'
  | 'hiddenDescription'
  | 'lang'
  | 'successUrl'
  | 'errorUrl'
  | 'notificationUrl'
  | 'notificationEmail';

/** What a new transaction is made from: its columns as they are stored, by whom it is paid, and how. */
export type TransactionCommand = Pick<Transaction, Given> &
  Partial<Omit<Transaction, Decided | Given | 'payer' | 'paymentMethod'>> & {
    readonly payer: Omit<Payer, 'payerId'>;
    readonly pay: PayRequest | undefined;
  };

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
