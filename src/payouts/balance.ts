// The balance of an account, what of it is due, and the next payout.

import { type AccountId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type Due, dueOf, firstDayNotDue } from './due.ts';
import { dayOf, gateOf, settingsOf } from './holdings.ts';
import { bankZone, type NextPayout, nextPayout } from './rules.ts';
import { findAltered } from './signed.ts';
import { findHeld, type Held } from './store/held.ts';
import { findCandidate, hasRunPassed } from './store/run.ts';

export interface Balance extends Due, Pick<Held, 'availableMinor' | 'inTransitMinor' | 'owedMinor'> {
  readonly next: NextPayout;
}

export async function readBalance(
  tools: Pick<Tools, 'db' | 'clock' | 'vault'>,
  accountId: AccountId,
): Promise<Balance> {
  const { sql } = tools.db;
  const candidate = (await findCandidate(sql, accountId)) ?? refuse('not_found');
  const settings = settingsOf(candidate);
  const delay = { bankDays: settings.delayDays, currency: 'PLN' } as const;
  const now = tools.clock.now();
  const today = dayOf(now);
  const [held, isRunOver] = await Promise.all([
    findHeld(sql, accountId, firstDayNotDue(today, delay), today, bankZone),
    hasRunPassed(sql, today, accountId),
  ]);
  const from = isRunOver ? today.add({ days: 1 }) : today;
  const next = nextPayout(gateOf(candidate, await findAltered(tools, [candidate])), settings, held, { now, from });
  return { ...held, ...dueOf(held, delay), next };
}
