// The domain types of this room, independent of SQL and the wire.

import type { RowOf } from '../database/index.ts';
import type { AccountId, DisputeId } from '../kernel/index.ts';
import type { DisputeState, disputeStepTable, disputeTable, disputeUnclaimedTable, StepKind } from './table.ts';

export type { DisputeState, StepKind } from './table.ts';

export type Dispute = RowOf<typeof disputeTable>;
export type DisputeStep = RowOf<typeof disputeStepTable>;
/** A dispute of a charge that no merchant was paid for. */
export type Unclaimed = RowOf<typeof disputeUnclaimedTable>;

/** Which dispute of which charge, in the acquirer's words. */
export interface About {
  readonly acquirer: string;
  readonly key: string;
  readonly chargeKey: string;
}

/** What the acquirer says about a dispute, by a message or by a line of its statement. */
export interface News {
  readonly stage: DisputeState;
  readonly amountMinor: bigint;
  readonly reason: string;
  readonly respondUntil: Temporal.Instant | null;
  /** Since when it is so, by the acquirer's clock. */
  readonly at: Temporal.Instant | null;
  /** A line of the statement: the amount is what the acquirer took or gave back. */
  readonly isMoved: boolean;
}

/** What news can change of a dispute. */
export type Facts = Pick<Dispute, 'state' | 'amountMinor' | 'returnedMinor' | 'reason' | 'respondUntil' | 'saidAt'>;

/**
 * The effect of news. `step`: something happened. `noted`: it is known better. `contradicted`: it had ended in another
 * way, and nothing says that this is newer.
 */
export type Decided =
  | { readonly kind: 'step'; readonly step: StepKind; readonly facts: Facts }
  | { readonly kind: 'noted'; readonly facts: Facts }
  | { readonly kind: 'none' }
  | { readonly kind: 'contradicted' };

/** What an account is to bear. */
export interface Share {
  readonly accountId: AccountId;
  readonly minor: bigint;
}

/** A part of a payment, as a dispute finds it. */
export interface Part {
  /** The seller. */
  readonly accountId: AccountId;
  readonly amountMinor: bigint;
  /**
   * What of it the seller has not given by refunds that stand, and the commission that belongs to that. What the bank paid
   * late the seller had back: it is ours.
   */
  readonly leftMinor: bigint;
  readonly commissionLeftMinor: bigint;
}

/** A dispute as its payment shares it. */
export interface Shared {
  readonly id: DisputeId;
  /** What accounts are to bear of it. */
  readonly minor: bigint;
  /** Who bears what of it. */
  readonly borne: readonly Share[];
}

/** A payment as its disputes are shared. */
export interface Sharing {
  /** The merchant, or the partner of a payment over several sellers. */
  readonly merchantId: AccountId;
  /** None: the merchant was paid all of it. */
  readonly parts: readonly Part[];
  /** In the order of their ids. */
  readonly disputes: readonly Shared[];
}
