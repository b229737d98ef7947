import type { CardKeys } from '../cards/index.ts';
import type { Tools } from '../tools.ts';
import type { WalletTokens } from '../wallet/index.ts';
import type { Settled, Settlement } from './model.ts';
import type { Titles } from './titles.ts';

/** Tools of the use cases of this room. */
export interface TransactionTools extends Tools {
  readonly cards: CardKeys;
  readonly wallet: WalletTokens;
  readonly titles: Titles;
  /** Settles a result in a batch with others that arrive at the same time. */
  settle(settlement: Settlement): Promise<Settled>;
}
