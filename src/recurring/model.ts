// The words of this room, without SQL and without the wire.

import type { ChargeResult } from '../banking/index.ts';
import type { AccountId, Currency, RecurringId } from '../kernel/index.ts';

/** What was learned of an attempt. */
export interface Settlement {
  readonly transactionId: string;
  readonly result: ChargeResult;
}

export type RecurringStatus = 'active' | 'finished' | 'failed' | 'canceled';

export type FailureReason =
  | 'insufficient funds'
  | 'instrument invalid'
  | 'instrument rejected'
  | 'payer rejected'
  | 'internal error';

/** Where a recurring payment stands. */
export interface Progress {
  readonly status: RecurringStatus;
  readonly iteration: number;
  /** Attempts that the open iteration has had. */
  readonly attempts: number;
  /** Scheduled retries among them. */
  readonly retriesUsed: number;
  readonly scheduledAt: Temporal.Instant | null;
  readonly lastState: 'correct' | 'failed' | null;
  readonly lastReason: FailureReason | null;
}

export type { ChargeResult as Result } from '../banking/index.ts';

export type AttemptState = 'sent' | 'waiting' | 'unknown' | 'correct' | 'failed' | 'canceled';

export interface RecurringAttempt {
  readonly transactionId: string;
  readonly recurringId: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly manual: boolean;
  readonly acquirer: string;
  readonly state: AttemptState;
  readonly reason: string | null;
  readonly instrument: Instrument;
  readonly createdAt: Temporal.Instant;
  readonly settledAt: Temporal.Instant | null;
  readonly checks: number;
  readonly timesNotFound: number;
  /** Whether not a byte of it left us so far. */
  readonly neverSent: boolean;
  readonly otherAmounts: number;
  readonly parkedAt: Temporal.Instant | null;
}

export interface AttemptInFull {
  readonly attempt: RecurringAttempt;
  readonly recurring: Recurring;
}

export interface RecurringPayer {
  readonly email: string;
  readonly name: string;
  readonly phone: string;
  readonly address: string;
  readonly code: string;
  readonly city: string;
  readonly country: string;
  readonly taxId: string;
}

export interface Instrument {
  readonly type: 'card_token' | 'blik_payid';
  /** Sealed by the vault for the recurring payment. */
  readonly sealed: string;
  readonly blikModel: 'A' | 'M' | 'O' | null;
  readonly blikNoDelay: boolean | null;
}

export interface Recurring {
  readonly id: RecurringId;
  readonly merchantId: AccountId;
  readonly requestHash: string;
  readonly description: string;
  readonly hiddenDescription: string | null;
  readonly payer: RecurringPayer;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly plan: Plan;
  readonly instrument: Instrument;
  readonly callbackUrl: string;
  readonly createdAt: Temporal.Instant;
  readonly progress: Progress;
  readonly manual: boolean;
  readonly liveTransactionId: string | null;
}

export type IntervalType = 'days' | 'months';

export type RetryUnit = 'minutes' | 'days' | 'months';

export interface RetryInterval {
  readonly value: number;
  readonly unit: RetryUnit;
}

export interface Plan {
  readonly firstChargeAt: Temporal.Instant;
  readonly interval: number;
  readonly intervalType: IntervalType;
  /** Null: until canceled. */
  readonly chargeCount: number | null;
  /** Null: the default policy. */
  readonly retryIntervals: readonly RetryInterval[] | null;
  /** The account's zone. */
  readonly zone: string;
}
