// The domain types of this room, independent of SQL and the wire.

import type { RowOf, Sql } from '../../database/index.ts';
import type { Journal } from '../../ledger/index.ts';
import type { Patience } from '../rules.ts';
import type { chargeTable } from '../table.ts';
import type { ChargeResult, ChargeStep } from './rules.ts';

export type Charge = RowOf<typeof chargeTable>;
export type { ChargePurpose, ChargeState, FinalState, OpenState } from '../table.ts';

/** The columns of a charge that settling reads and changes; batches are large, so a room may read no others. */
export type SettlingCharge = Pick<
  Charge,
  | 'id'
  | 'merchantId'
  | 'acquirer'
  | 'amountMinor'
  | 'currency'
  | 'state'
  | 'reason'
  | 'link'
  | 'createdAt'
  | 'settledAt'
  | 'nextCheckAt'
  | 'checks'
  | 'timesNotFound'
  | 'otherAmounts'
  | 'neverSent'
  | 'parkedAt'
  | 'parkedWhy'
> & { readonly priceId?: bigint | null };

/** What was learned about a charge. */
export interface Settlement<Known = unknown> {
  readonly chargeId: string;
  readonly result: ChargeResult;
  /** When it was looked up; the next lookup is scheduled from then. Now, unless the sandbox clock jumps. */
  readonly lookedAt?: Temporal.Instant;
  /** Who says so, if it came by itself: about a charge of another acquirer it changes nothing. */
  readonly acquirer?: string;
  /** What the caller knows about its rows, for the room's `lock`. */
  readonly known?: Known;
}

/** A locked charge with what its room needs to know about it. */
export interface LockedRows<C extends SettlingCharge, Facts> {
  readonly charge: C;
  readonly facts: Facts;
}

/** With whether its money is already booked as surplus. */
export interface LockedCharge<C extends SettlingCharge, Facts> extends LockedRows<C, Facts> {
  readonly surplusBooked: boolean;
}

/** A charge after a result, and the step that led there. */
export interface Settled<C extends SettlingCharge, Facts> extends LockedCharge<C, Facts> {
  readonly step: Exclude<ChargeStep, { kind: 'none' }>;
}

/** What looking up a charge needs from its room. */
export interface LookUpFacts {
  /** No longer wanted: it is canceled at the bank first, so that it cannot succeed during the lookup. */
  readonly unwanted: boolean;
  /** What to do if the bank has never received it. */
  absent(): Promise<ChargeResult>;
}

/** What a room hands in about the charges that are made for it. */
export interface ChargeRoom<C extends SettlingCharge, Facts, Known = unknown> {
  readonly patience: Patience;
  /** A waiting charge is settled by callback; lookups are for lost callbacks. */
  readonly waitingLook: Temporal.Duration;
  /** Batches that are settled at the same time; one, if each caller waits for its own result. */
  readonly setsAtOnce?: number;
  /**
   * Locks the charges and the rows that they change, these first and all in id order. Asked for keys of unknown purpose it
   * leaves out those of another.
   */
  lock(sql: Sql, settlements: readonly Settlement<Known>[]): Promise<readonly LockedRows<C, Facts>[]>;
  /** The step after a result. Pure. */
  after(locked: LockedCharge<C, Facts>, result: ChargeResult): ChargeStep;
  /** When a charge ended that ends now. */
  endedAt(charge: C, now: Temporal.Instant): Temporal.Instant;
  /** Whether a charge that waits now is to be canceled at the bank. Pure. */
  unwanted(locked: LockedCharge<C, Facts>): boolean;
  /** The price of what it knows: a charge that is paid names it. */
  priceOf(facts: Facts): bigint | null;
  /** What the room knows after a step: the next result of the same batch and `applySteps` see it. */
  next(settled: Settled<C, Facts>): Facts;
  /**
   * Writes what the steps change in the rows of the room, and notifies; returns what moves in the ledger, which is
   * posted last. The charges are written already.
   */
  applySteps(sql: Sql, settled: readonly Settled<C, Facts>[], now: Temporal.Instant): Promise<readonly Journal[]>;
  /** For each charge that is due for a lookup, in the same order; undefined leaves it to the next lookup. */
  findForLookUp(charges: readonly Charge[]): Promise<readonly (LookUpFacts | undefined)[]>;
}
