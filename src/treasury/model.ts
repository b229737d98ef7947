// The domain types of this room, independent of SQL and the wire.

import type { RowOf } from '../database/index.ts';
import type { bankAccountTable } from './table.ts';

/** Our account at a bank. */
export type BankAccount = RowOf<typeof bankAccountTable>;

/** One from which payouts are paid. */
export type Payer = BankAccount & { readonly holder: string; readonly profile: string };

export const isPayer = (account: BankAccount): account is Payer => account.holder !== null && account.profile !== null;
