import type { OutgoingRefunds } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import type { RefundableTransaction } from '../transactions/index.ts';
import type { Outcome, RefundRequest } from './model.ts';

export interface MailingTools extends Tools {
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** What a room above books when refunds are made, or end unpaid. */
export interface Consequence {
  /** The accounts whose balances it changes: they are locked before. */
  readonly accounts: readonly string[];
  /** Called under the locks of those balances. */
  post(): Promise<void>;
}

/**
 * What refunds that were made, or that ended without the payer, mean for rooms above, in the same database transaction; it
 * holds the locks of the transactions, and what is left of them is right already. Undefined: nothing.
 */
export type AfterRefunds = (
  sql: Sql,
  transactions: readonly RefundableTransaction[],
  now: Temporal.Instant,
) => Promise<Consequence | undefined>;

/** Tools of the use cases of this room. */
export interface RefundTools extends MailingTools {
  /** Decides a request in a batch with others that arrive at the same time. */
  create(request: RefundRequest): Promise<Outcome>;
  /** Sends them to the payers. */
  readonly outgoing: Pick<OutgoingRefunds, 'settleIn'>;
}
