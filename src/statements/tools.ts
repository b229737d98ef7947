import type { Nodes, Sql } from '../database/index.ts';
import type { Tools } from '../tools.ts';

/** A payout that the bank says has left, or is back. */
export interface Moved {
  readonly lineId: string;
  readonly payoutId: string;
  /** Positive in both directions. */
  readonly amountMinor: bigint;
  /** The bank itself says that a payment came back. */
  readonly isReturn: boolean;
  readonly returnCode: string | null;
  /** An operator says that the line is this payout. */
  readonly isDecided: boolean;
}

/** What the room of payouts does when the bank has moved one, in the caller's database transaction. */
export interface PayoutsBelow {
  /**
   * Books those that wait to be paid, or that the bank pays after all, and are just this much; returns their lines. Others
   * change nothing.
   */
  settlePaid(sql: Sql, moved: readonly Moved[]): Promise<ReadonlySet<string>>;
  /** Books those that were paid and came back, whole or without what the bank kept; returns their lines. */
  settleReturned(sql: Sql, moved: readonly Moved[]): Promise<ReadonlySet<string>>;
  /** Takes back what this line did to the payout; false: the bank has moved it again since. */
  undoMoved(sql: Sql, undone: Pick<Moved, 'lineId' | 'payoutId'>): Promise<boolean>;
}

export interface StatementTools extends Pick<Tools, 'db' | 'clock' | 'wall' | 'ids' | 'log' | 'metrics'> {
  readonly nodes: Pick<Nodes, 'self' | 'isDead'>;
  readonly payouts: PayoutsBelow;
  /** How many lines are written and booked in one database transaction; tests take few. */
  readonly linesAtOnce?: number;
}
