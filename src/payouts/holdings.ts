// What accounts have, by their balances and what was credited lately: for runs, and for payouts on demand.

import type { Sql } from '../database/index.ts';
import { ledgerAccounts } from '../ledger/index.ts';
import { firstDayNotDue, type Holding } from './due.ts';
import type { Altered } from './model.ts';
import { bankZone, type Gate } from './rules.ts';
import { type Candidate, listCredits } from './store/run.ts';
import { usualSettings } from './terms.ts';

export const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(bankZone).toPlainDate();

export const nothing: Holding = { availableMinor: 0n, owedMinor: 0n, credited: [] };

/** In name order, as the ledger locks them. */
export const accountsOf = (id: Candidate['accountId']) => [
  ledgerAccounts.available(id),
  ledgerAccounts.owed(id),
  ledgerAccounts.payoutTransit(id),
];

export const settingsOf = ({ terms }: Candidate) => terms ?? usualSettings;

/** `altered`: of which accounts something is not what was signed. */
export const gateOf = (one: Candidate, altered: ReadonlyMap<string, Altered>): Gate => ({
  ...one,
  altered: altered.get(one.accountId),
  arePayoutsBlocked: Boolean(one.terms?.blockedAt),
});

/** What each of these accounts has, as of these balances. */
export async function holdingsOf(
  sql: Sql,
  candidates: readonly Candidate[],
  balances: ReadonlyMap<string, bigint>,
  now: Temporal.Instant,
): Promise<Map<string, Holding>> {
  const today = dayOf(now);
  const firstDays = new Map<number, Temporal.PlainDate>();
  const firstOf = (bankDays: number) => {
    const first = firstDays.get(bankDays) ?? firstDayNotDue(today, { bankDays, currency: 'PLN' });
    firstDays.set(bankDays, first);
    return first;
  };
  const held = candidates.filter(({ accountId }) => (balances.get(ledgerAccounts.available(accountId)) ?? 0n) > 0n);
  const from = held.map((one) => ({ accountId: one.accountId, first: firstOf(settingsOf(one).delayDays) }));
  const credits = await listCredits(sql, from, today, bankZone);
  return new Map(
    held.map(({ accountId }) => [
      accountId,
      {
        availableMinor: balances.get(ledgerAccounts.available(accountId)) ?? 0n,
        owedMinor: balances.get(ledgerAccounts.owed(accountId)) ?? 0n,
        credited: credits.get(accountId) ?? [],
      },
    ]),
  );
}
