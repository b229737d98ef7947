import type { Tools } from '../tools.ts';
import type { Turns } from './fairness.ts';
import type { Settlement } from './model.ts';
import type { Pace } from './pace.ts';

/** Tools of the use cases of this room. */
export interface RecurringTools extends Tools {
  /** Limits how many charges this node sends per second. */
  readonly pace: Pace;
  /** Whose turn it is when more is due than fits into a round. */
  readonly turns: Turns;
  drawTitle(): string;
  /** Settles a result in a batch with others that arrive at the same time; returns whether the attempt is ours. */
  settle(settlement: Settlement): Promise<boolean>;
}
