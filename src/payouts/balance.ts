// The balance of an account, and what of it is due.

import type { AccountId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type Due, dueOf, firstDayNotDue } from './due.ts';
import { bankZone } from './rules.ts';
import { findHeld, type Held } from './store/held.ts';
import { findTerms } from './store/settings.ts';
import { usualSettings } from './terms.ts';

export type Balance = Due & Pick<Held, 'availableMinor' | 'inTransitMinor' | 'owedMinor'>;

export async function readBalance({ db, clock }: Pick<Tools, 'db' | 'clock'>, accountId: AccountId): Promise<Balance> {
  const { delayDays } = (await findTerms(db.sql, accountId)) ?? usualSettings;
  const delay = { bankDays: delayDays, currency: 'PLN' } as const;
  const today = clock.now().toZonedDateTimeISO(bankZone).toPlainDate();
  const held = await findHeld(db.sql, accountId, firstDayNotDue(today, delay), today, bankZone);
  return { ...held, ...dueOf(held, delay) };
}
