import type { Tools } from '../tools.ts';
import type { Outcome, RefundRequest, Settled, Settlement } from './model.ts';

export interface MailingTools extends Tools {
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** Tools of the use cases of this room. */
export interface RefundTools extends MailingTools {
  /** Decides a request in a batch with others that arrive at the same time. */
  create(request: RefundRequest): Promise<Outcome>;
  /** Settles a result in a batch with others that arrive at the same time. */
  settle(settlement: Settlement): Promise<Settled>;
}
