// Files, statements and lines as they are stored.

import type { RowOf } from '../database/index.ts';
import type {
  bankAllocationTable,
  bankAnswerTable,
  bankFileTable,
  bankLineTable,
  bankStatementTable,
} from './table.ts';

export type File = RowOf<typeof bankFileTable>;
export type Stored = RowOf<typeof bankStatementTable>;
export type Line = RowOf<typeof bankLineTable>;
export type Allocation = RowOf<typeof bankAllocationTable>;
export type Answer = RowOf<typeof bankAnswerTable>;

/** What of a line is needed to book it. */
export type Bookable = Pick<Line, 'id' | 'amountMinor' | 'state' | 'target' | 'kind' | 'returnReason' | 'isReversal'>;

/** A file that was handed over, and that the bank is said never to have had. */
export interface Lost {
  readonly payerNumber: string;
  readonly messageId: string;
  /** Since then the bank may have had it. */
  readonly madeOn: Temporal.PlainDate;
  /** A bank day by which it would have. */
  readonly until: Temporal.PlainDate;
  readonly totalMinor: bigint;
  readonly payouts: readonly { readonly id: string; readonly amountMinor: bigint }[];
}
