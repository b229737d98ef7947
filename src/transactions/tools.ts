import type { MethodTools } from '../methods/index.ts';
import type { Settled, Settlement } from './model.ts';
import type { Titles } from './titles.ts';

/** Tools of the use cases of this room. */
export interface TransactionTools extends MethodTools {
  readonly titles: Titles;
  /** Settles a result in a batch with others that arrive at the same time. */
  settle(settlement: Settlement): Promise<Settled>;
}
