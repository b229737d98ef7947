// The tables of recurring payments, column by column. The types of the model come from here.

import {
  bigint,
  boolean,
  group,
  instant,
  integer,
  json,
  named,
  nullable,
  table,
  text,
  textAs,
  textFrom,
} from '../database/index.ts';
import { type AccountId, currencyFrom, type RecurringId } from '../kernel/index.ts';

export type RecurringStatus = 'active' | 'finished' | 'failed' | 'canceled';
export type IntervalType = 'days' | 'months';
export type RetryUnit = 'minutes' | 'days' | 'months';
export type FailureReason =
  | 'insufficient funds'
  | 'instrument invalid'
  | 'instrument rejected'
  | 'payer rejected'
  | 'internal error';

export interface RetryInterval {
  readonly value: number;
  readonly unit: RetryUnit;
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

const instrument = group({
  type: named('instrument_type', textAs<'card_token' | 'blik_payid'>()),
  /** Encrypted by the vault for this recurring payment. */
  sealed: named('instrument_sealed', text),
  /** Who alone can charge it: the acquirer that keeps the card. */
  acquirer: named('instrument_acquirer', nullable(text)),
  blikModel: nullable(textAs<'A' | 'M' | 'O'>()),
  blikNoDelay: nullable(boolean),
});

export const plan = group({
  firstChargeAt: instant,
  interval: integer,
  intervalType: textAs<IntervalType>(),
  /** Null: until canceled. */
  chargeCount: nullable(integer),
  /** Null: the default policy. */
  retryIntervals: nullable(json<readonly RetryInterval[]>()),
});

/** The progress of a recurring payment. */
export const progress = group({
  status: textAs<RecurringStatus>(),
  iteration: integer,
  /** Attempts made in the open iteration. */
  attempts: integer,
  /** Scheduled retries among them, since it was last restored. */
  retriesUsed: integer,
  /** Attempts of the open iteration that were made before it was last restored. */
  restoredAfter: integer,
  /** The iteration that follows the open one, if dates between them passed while it had failed. */
  nextIteration: nullable(integer),
  /** Dates passed over in this way so far; they count for `chargeCount`. */
  passed: integer,
  scheduledAt: nullable(instant),
  lastState: nullable(textAs<'correct' | 'failed'>()),
  lastReason: nullable(textAs<FailureReason>()),
});

export const recurringTable = table('recurring', {
  id: textAs<RecurringId>(),
  merchantId: textAs<AccountId>(),
  requestHash: text,
  /** Of what is charged and when, by the vault. */
  planMac: text,
  description: text,
  hiddenDescription: nullable(text),
  payer: json<RecurringPayer>(),
  amountMinor: bigint,
  currency: textFrom(currencyFrom),
  plan,
  instrument,
  callbackUrl: text,
  /** In which the payer saved the card; null if it is not known. */
  language: nullable(text),
  createdAt: instant,
  endedAt: nullable(instant),
  progress,
  dueAt: nullable(instant),
  manual: boolean,
  liveTransactionId: nullable(text),
});
