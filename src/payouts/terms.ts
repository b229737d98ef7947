// When an account is paid, and how much of its balance.

import type { Sql } from '../database/index.ts';
import { type AccountId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { payeeAltered } from './failures.ts';
import type { PayoutTerms } from './model.ts';
import { areTermsOurs, signing, signTerms } from './signed.ts';
import { lockTerms, upsertTerms } from './store/settings.ts';

export type Settings = Pick<PayoutTerms, 'schedule' | 'days' | 'delayDays' | 'minimumMinor' | 'keepBackMinor'>;

/** Of accounts that have chosen nothing. */
export const usualSettings: Settings = {
  schedule: 'daily',
  days: [],
  delayDays: 1,
  minimumMinor: 0n,
  keepBackMinor: 0n,
};

type TermsTools = Pick<Tools, 'clock' | 'vault'>;

/** The terms as they would be written first. */
const firstTerms = (accountId: AccountId) => ({
  accountId,
  ...usualSettings,
  blockedAt: null,
  blockedBy: null,
});

/** Locks the terms of an account, which are written first if there are none: so that its payouts stand still. */
export async function openTerms(tools: TermsTools, sql: Sql, accountId: AccountId): Promise<PayoutTerms> {
  const known = await lockTerms(sql, accountId);
  return known ?? changeTermsIn(tools, sql, accountId, () => ({}));
}

type Changed = Partial<Omit<PayoutTerms, 'accountId' | 'modifiedAt' | 'mac'>>;

/**
 * Changes what is given of the terms; never those that somebody else wrote, which would be signed by it. These stop every
 * payout of the account anyway. In the
 * caller's database transaction; `change` gets the time when nobody else does.
 */
export function changeTermsIn(
  tools: TermsTools,
  sql: Sql,
  accountId: AccountId,
  change: (now: Temporal.Instant, before: Pick<PayoutTerms, 'blockedAt'>) => Changed,
): Promise<PayoutTerms> {
  return signing(tools, sql, 'payout_terms', async () => {
    const before = await lockTerms(sql, accountId);
    if (before && !areTermsOurs(tools, before)) refuse(payeeAltered);
    const { mac: _mac, ...row } = before ?? { ...firstTerms(accountId), mac: '' };
    const now = tools.clock.now();
    const terms = signTerms(tools, { ...row, ...change(now, row), modifiedAt: now });
    await upsertTerms(sql, terms);
    return { before: before ? [before] : [], after: [terms], result: terms };
  });
}
