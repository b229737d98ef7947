// Files, statements and lines as they are stored.

import type { RowOf } from '../database/index.ts';
import type {
  bankAccountTable,
  bankAllocationTable,
  bankAnswerTable,
  bankFileTable,
  bankLineTable,
  bankStatementTable,
} from './table.ts';

export type Account = RowOf<typeof bankAccountTable>;
export type File = RowOf<typeof bankFileTable>;
export type Stored = RowOf<typeof bankStatementTable>;
export type Line = RowOf<typeof bankLineTable>;
export type Allocation = RowOf<typeof bankAllocationTable>;
export type Answer = RowOf<typeof bankAnswerTable>;

/** What of a line is needed to book it. */
export type Bookable = Pick<Line, 'id' | 'amountMinor' | 'state' | 'target' | 'kind' | 'returnReason' | 'isReversal'>;
