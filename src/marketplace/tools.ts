import type { Refunds } from '../refunds/index.ts';
import type { Tools } from '../tools.ts';
import type { Transactions } from '../transactions/index.ts';
import type { MethodTools } from './methods.ts';

/** Tools of the use cases of this room. */
export interface MarketplaceTools extends Tools, MethodTools {
  readonly transactions: Transactions;
  readonly refunds: Refunds;
  /** Whether a mail transport is configured; without one no mail is written. */
  readonly sendsMail: boolean;
}
