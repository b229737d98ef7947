import type { Settlement } from '../banking/index.ts';
import type { MethodTools } from '../methods/index.ts';
import type { PaymentRows, Settled } from './model.ts';
import type { Titles } from './titles.ts';

/** Tools of the use cases of this room. */
export interface TransactionTools extends MethodTools {
  readonly titles: Titles;
  /** Settles a result in a batch with others that arrive at the same time. */
  settle(settlement: Settlement<PaymentRows>): Promise<Settled>;
}
