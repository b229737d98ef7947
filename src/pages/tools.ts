import type { CardKeys } from '../cards/index.ts';
import type { FailureKind } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Transactions } from '../transactions/index.ts';
import type { Wallet } from '../wallet/index.ts';

/** Tools of the pages. */
export interface PageTools extends Tools {
  readonly cards: CardKeys;
  /** Every error code of the service. */
  readonly failures: readonly FailureKind[];
  readonly transactions: Pick<Transactions, 'cancel' | 'findForPayer' | 'payAsPayer'>;
  readonly wallet: Pick<Wallet, 'initOwnSession' | 'isOnWeb' | 'scripts'>;
}
