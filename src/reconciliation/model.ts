// What a run compares, and what it finds.

import type { RowOf } from '../database/index.ts';
import type {
  acquirerLineTable,
  acquirerNotedTable,
  acquirerPayoutTable,
  Moved,
  RecordStep,
  reconciliationItemTable,
  reconciliationLineTable,
  reconciliationRecordTable,
  reconciliationRunTable,
  reconciliationTotalTable,
} from './table.ts';

export type { Difference, ItemKind, ItemState, Moved, Outcome, RecordStep, RunState, TotalKind } from './table.ts';

export type Run = RowOf<typeof reconciliationRunTable>;
export type Total = RowOf<typeof reconciliationTotalTable>;
export type Line = RowOf<typeof reconciliationLineTable>;
export type Item = RowOf<typeof reconciliationItemTable>;
/** How many lines of an acquirer's statements are noted, and what they come to. */
export type Noted = RowOf<typeof acquirerNotedTable>;
export type Payout = RowOf<typeof acquirerPayoutTable>;
/** A line of its own that is in the books. */
export type BookedLine = RowOf<typeof acquirerLineTable>;
export type StepRecord = RowOf<typeof reconciliationRecordTable>;

/** What is compared by key, with everything that is booked for it. */
export type Keyed = Exclude<Moved, 'payout'>;

/** What is looked up by our own key at the acquirer. */
export type Asked = 'capture' | 'refund' | 'refund_returned';

/** Lines that nobody here asked for and that are booked as the acquirer names them, once: they have rows. */
export type OwnKind = BookedLine['kind'];

/** Everything that is booked for a key. Amounts of a refund are positive, as the acquirer names them. */
export interface Booked {
  /** By the rooms of payments and refunds; null: nothing. */
  readonly ownMinor: bigint | null;
  /** By reconciliation: what nobody asked for, corrections and their reversals; null: never. */
  readonly correctedMinor: bigint | null;
  /** Of that, what is our loss. */
  readonly lossMinor: bigint;
  /** Of that, what belongs to payers and was not returned to them; of a line that nobody knows, what is in suspense. */
  readonly unallocatedMinor: bigint;
}

/** What a key is, at the bank and in our rows. */
export interface Facts {
  readonly kind: Keyed;
  readonly key: string;
  /** Of a refund: the charge that the bank gave back; of a fee or a dispute: the one that it was taken for. */
  readonly chargeKey: string | null;
  /** The acquirer's word for what nobody here knows. */
  readonly what: string | null;
  /** Null: the bank does not have it. */
  readonly bankMinor: bigint | null;
  readonly bankAt: Temporal.Instant | null;
  /** What our row asked for; of a payout that came back, what was paid out. Null: there is none. */
  readonly askedMinor: bigint | null;
  /**
   * What its row says; null: there is none. `open` and `ended` (without money) are the room's to settle; of a line of the
   * acquirer's own, `ended` is a row that says something else than the journals.
   */
  readonly row: 'moved' | 'open' | 'ended' | null;
  /** Of a dispute: the charge that it is about in our books; null: it is not known yet. */
  readonly ourChargeKey: string | null;
  /** Whether a refund or a dispute is of the charge that it is of in our books. */
  readonly isSameCharge: boolean;
  /** Whether everything else that belongs to it is there. */
  readonly isWhole: boolean;
  /** Whether the room was told in this run. */
  readonly isApplied: boolean;
  /** Whether the row was read after what is booked. */
  readonly isReadAgain?: true;
}

/** The differences that were named about a key. */
export interface KnownItems {
  /** Not closed. */
  readonly open: readonly Item[];
  /** The last closed one of each difference. */
  readonly closed: readonly Item[];
}

/** A step in the life of a difference: the row afterwards, and what it moves in the books. */
export interface Change {
  readonly item: Item;
  readonly isNew: boolean;
  readonly step: Exclude<RecordStep, 'run_started' | 'run_ended'>;
  readonly moves?: Moves | undefined;
}

/** What a step books: the change of the acquirer's account, against the others. */
export interface Moves {
  readonly kind: string;
  readonly receivableMinor: bigint;
  readonly lossMinor: bigint;
  readonly unallocatedMinor: bigint;
  readonly bankMinor: bigint;
  readonly feeMinor: bigint;
  /** What disputes have taken from accounts, and what nobody knows: credits. */
  readonly disputeMinor: bigint;
  readonly suspenseMinor: bigint;
}
