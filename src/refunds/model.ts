// The words of this room, without SQL and without the wire.

import type { AccountId, RefundId, RefusalCode, TransactionId } from '../kernel/index.ts';
import type { Transaction } from '../transactions/index.ts';
import type { RefundWish, Step, Word } from './rules.ts';
import type { Refund } from './store.ts';

export interface RefundRequest {
  readonly id: RefundId;
  readonly transactionId: TransactionId;
  readonly merchantId: AccountId;
  readonly wish: RefundWish;
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
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly message?: string };

export interface Said {
  readonly refundId: string;
  readonly word: Word;
}

/** The refund as it is afterwards, and what the word did; undefined when there is no such refund. */
export type Settled = { readonly refund: Refund; readonly step: Step } | undefined;
