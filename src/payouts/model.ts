// The domain types of this room, independent of SQL and the wire.

import type { PayoutStop } from '../../contract/codes/payouts.ts';
import type { RowOf } from '../database/index.ts';
import type {
  payoutAccountTable,
  payoutBlockTable,
  payoutMoveTable,
  payoutRunTable,
  payoutTable,
  payoutTermsTable,
} from './table.ts';

export type { PayoutReason, PayoutState, Schedule } from './table.ts';

/** Where the payouts of an account go. */
export type PayoutAccount = RowOf<typeof payoutAccountTable>;
export type PayoutTerms = RowOf<typeof payoutTermsTable>;
export type PayoutBlock = RowOf<typeof payoutBlockTable>;
export type PayoutRun = RowOf<typeof payoutRunTable>;
export type Payout = RowOf<typeof payoutTable>;
/** What our bank moved, or what took it back. */
export type PayoutMove = RowOf<typeof payoutMoveTable>;
/** What of an account's rows is not what was signed. */
export type Altered = Extract<PayoutStop['code'], 'bank_account_altered' | 'terms_altered'>;
