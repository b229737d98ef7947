// What a run compares, and what it finds.

import type { RowOf } from '../database/index.ts';
import type {
  Difference,
  Moved,
  reconciliationItemTable,
  reconciliationLineTable,
  reconciliationRunTable,
} from './table.ts';

export type { Difference, Moved, RunState } from './table.ts';

export type Run = RowOf<typeof reconciliationRunTable>;
export type Line = RowOf<typeof reconciliationLineTable>;
export type Item = RowOf<typeof reconciliationItemTable>;

/** What we have about a capture or a refund that the bank names. */
export interface Ours {
  /** The amount in the books; null: there is no journal. */
  readonly bookedMinor: bigint | null;
  /** What a refund asked for: a callback about it has no amount. Null for a capture, whose room compares amounts. */
  readonly askedMinor: bigint | null;
  /** What its row says; null: there is none. `open` and `ended` (without money) are the room's to settle. */
  readonly row: 'moved' | 'open' | 'ended' | null;
  /** Whether a refund is of the charge that it is for in our books. */
  readonly sameCharge: boolean;
  /** Whether everything else that belongs to it is there. */
  readonly whole: boolean;
}

/** Something of ours that the statement does not name. */
export interface Unconfirmed {
  readonly kind: Moved;
  /** Its key at the bank; null if the row that had it is gone. */
  readonly key: string | null;
  readonly source: string;
  readonly ourMinor: bigint;
}

export interface Found {
  readonly kind: Moved;
  readonly difference: Difference;
  readonly key: string;
  readonly bankMinor: bigint | null;
  readonly ourMinor: bigint | null;
}
