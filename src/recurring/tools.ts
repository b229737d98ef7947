import type { Settlement } from '../banking/index.ts';
import type { Tools } from '../tools.ts';
import type { Turns } from './fairness.ts';
import type { Paces } from './pace.ts';

export interface MailingTools extends Tools {
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}

/** What charging and settling need. */
export interface ChargingTools extends MailingTools {
  drawTitle(): string;
}

/** Tools of the use cases of this room. */
export interface RecurringTools extends ChargingTools {
  /** Limits how many charges this node sends to each acquirer per second. */
  readonly paces: Paces;
  /** Whose turn it is when more is due than fits into a round. */
  readonly turns: Turns;
  /** Settles charges, each as soon as its result is there. */
  settleAll(settlements: readonly Promise<Settlement>[]): Promise<void>;
}
