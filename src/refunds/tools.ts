import type { OutgoingRefunds } from '../banking/index.ts';
import type { Tools } from '../tools.ts';
import type { Outcome, RefundRequest } from './model.ts';

export interface MailingTools extends Tools {
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** Tools of the use cases of this room. */
export interface RefundTools extends MailingTools {
  /** Decides a request in a batch with others that arrive at the same time. */
  create(request: RefundRequest): Promise<Outcome>;
  /** Sends them to the payers. */
  readonly outgoing: Pick<OutgoingRefunds, 'settleIn'>;
}
