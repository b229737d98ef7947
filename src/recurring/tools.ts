import type { Tools } from '../tools.ts';
import type { Turns } from './fairness.ts';
import type { Settlement } from './model.ts';
import type { Pace } from './pace.ts';

export interface MailingTools extends Tools {
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** Tools of the use cases of this room. */
export interface RecurringTools extends MailingTools {
  /** Limits how many charges this node sends per second. */
  readonly pace: Pace;
  /** Whose turn it is when more is due than fits into a round. */
  readonly turns: Turns;
  drawTitle(): string;
  /** Settles a result in a batch with others that arrive at the same time; returns whether the attempt is ours. */
  settle(settlement: Settlement): Promise<boolean>;
}
