import type { Tools } from '../tools.ts';
import type { Outcome, RefundRequest, Settled, Settlement } from './model.ts';

export interface MailingTools extends Tools {
  /** Whether there is a way to send mail; without one none is written. */
  readonly sendsMail: boolean;
}

/** Tools of the use cases of this room. */
export interface RefundTools extends MailingTools {
  /** Decides one request together with those that arrive at the same time. */
  create(request: RefundRequest): Promise<Outcome>;
  /** Settles one result together with those that arrive at the same time. */
  settle(settlement: Settlement): Promise<Settled>;
}
