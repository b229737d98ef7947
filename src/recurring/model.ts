// The domain types of this room, independent of SQL and the wire.

import type { ChargeResult } from '../banking/index.ts';
import type { RowOf } from '../platform/index.ts';
import type { recurringAttemptTable, recurringTable } from './table.ts';

/** What was learned about an attempt. */
export interface Settlement {
  readonly transactionId: string;
  readonly result: ChargeResult;
}

export type { ChargeResult as Result } from '../banking/index.ts';

export interface AttemptInFull {
  readonly attempt: RecurringAttempt;
  readonly recurring: Recurring;
}

type RecurringRow = RowOf<typeof recurringTable>;

export type RecurringAttempt = RowOf<typeof recurringAttemptTable>;
export type Instrument = RecurringRow['instrument'];
/** The progress of a recurring payment. */
export type Progress = RecurringRow['progress'];

export type Plan = RecurringRow['plan'] & {
  /** The account's time zone. */
  readonly zone: string;
};

export type Recurring = Omit<RecurringRow, 'plan'> & { readonly plan: Plan };

export type {
  AttemptState,
  FailureReason,
  IntervalType,
  RecurringPayer,
  RecurringStatus,
  RetryInterval,
  RetryUnit,
} from './table.ts';
