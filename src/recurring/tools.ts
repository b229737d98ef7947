import type { Tools } from '../tools.ts';
import type { Turns } from './fairness.ts';
import type { Settlement } from './model.ts';
import type { Pace } from './pace.ts';

/** Tools of the use cases of this room. */
export interface RecurringTools extends Tools {
  /** How many charges this node may still send in this second. */
  readonly pace: Pace;
  /** Whose turn it is when more is due than one round can do. */
  readonly turns: Turns;
  drawTitle(): string;
  /** Settles one result together with those that arrive at the same time; returns whether the attempt is ours. */
  settle(settlement: Settlement): Promise<boolean>;
}
