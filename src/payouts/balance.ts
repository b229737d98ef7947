// The balance of an account, and what of it is due.

import type { AccountId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type Due, dueOf, firstDayNotDue } from './due.ts';
import { findHeld, type Held } from './store/held.ts';

/** Polish banks, whose days count. */
const bankZone = 'Europe/Warsaw';
const delay = { bankDays: 1, currency: 'PLN' } as const;

export type Balance = Due & Pick<Held, 'availableMinor' | 'inTransitMinor' | 'owedMinor'>;

export async function readBalance({ db, clock }: Pick<Tools, 'db' | 'clock'>, accountId: AccountId): Promise<Balance> {
  const today = clock.now().toZonedDateTimeISO(bankZone).toPlainDate();
  const held = await findHeld(db.sql, accountId, firstDayNotDue(today, delay), today, bankZone);
  return { ...held, ...dueOf(held, delay) };
}
