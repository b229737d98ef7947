// The domain types of this room, independent of SQL and the wire.

import type { Charge, ChargeState } from '../banking/index.ts';
import type { RowOf } from '../database/index.ts';
import type { RecurringId } from '../kernel/index.ts';
import type { recurringTable } from './table.ts';

/** It is never surplus: a late capture is returned, and the charge stays failed. */
export type AttemptState = Exclude<ChargeState, 'surplus'>;

/** A charge for a recurring payment, in the words of the interface. */
export interface RecurringAttempt extends Charge {
  readonly purpose: 'recurring';
  readonly recurringId: RecurringId;
  readonly iteration: number;
  readonly attempt: number;
  readonly manual: boolean;
  readonly state: AttemptState;
}

type RecurringRow = RowOf<typeof recurringTable>;

export type Instrument = RecurringRow['instrument'];
/** The progress of a recurring payment. */
export type Progress = RecurringRow['progress'];

export type Plan = RecurringRow['plan'] & {
  /** The account's time zone. */
  readonly zone: string;
};

export type Recurring = Omit<RecurringRow, 'plan'> & { readonly plan: Plan };

export type {
  FailureReason,
  IntervalType,
  RecurringPayer,
  RecurringStatus,
  RetryInterval,
  RetryUnit,
} from './table.ts';
