// What an account chooses of its payouts: when, from how much on, and what stays. Where they go is in place.ts.

import { type AccountId, type Fault, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { stopFailures } from './failures.ts';
import type { PayoutAccount, PayoutTerms, Schedule } from './model.ts';
import { areTermsOurs } from './signed.ts';
import { findPlace, findTerms } from './store/settings.ts';
import { changeTermsIn, usualSettings } from './terms.ts';

export interface GivenSettings {
  readonly schedule?: Schedule;
  readonly days?: readonly number[];
  readonly minimumMinor?: bigint;
  readonly keepBackMinor?: bigint;
}

/** What is wrong between a schedule and its days, whatever else is wrong with a body. Pure. */
export function scheduleFaults(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null) return [];
  const { schedule, days } = body as { readonly schedule?: unknown; readonly days?: unknown };
  if (days !== undefined && !Array.isArray(days)) return [];
  if (schedule === undefined) return days === undefined ? [] : [{ code: 'field_required', field: 'schedule' }];
  if (schedule === 'daily' || schedule === 'manual')
    return days === undefined || days.length === 0 ? [] : [{ code: 'too_many', field: 'days' }];
  if (schedule !== 'weekdays' && schedule !== 'month_days') return [];
  if (days === undefined) return [{ code: 'field_required', field: 'days' }];
  if (days.length === 0) return [{ code: 'too_few', field: 'days' }];
  const isTooHigh = schedule === 'weekdays' && days.some((day) => day > 5 && day <= 31);
  return isTooHigh ? [{ code: 'too_high', field: 'days' }] : [];
}

export interface SettingsShown {
  readonly terms: Pick<PayoutTerms, 'schedule' | 'days' | 'delayDays' | 'minimumMinor' | 'keepBackMinor' | 'blockedAt'>;
  readonly place: PayoutAccount | undefined;
}

export async function readSettings({ db }: Pick<Tools, 'db'>, accountId: AccountId): Promise<SettingsShown> {
  const [terms, place] = await Promise.all([findTerms(db.sql, accountId), findPlace(db.sql, accountId)]);
  return { terms: terms ?? { ...usualSettings, blockedAt: null }, place };
}

/** Changes what is given. Terms that somebody else wrote are not changed, because they would be signed by it. */
export async function changeSettings(
  tools: Pick<Tools, 'clock' | 'db' | 'vault'>,
  accountId: AccountId,
  { schedule, days, ...amounts }: GivenSettings,
): Promise<SettingsShown> {
  const known = await findTerms(tools.db.sql, accountId);
  if (known && !areTermsOurs(tools, known)) refuse(stopFailures.terms_altered);
  const sorted = (days ?? []).toSorted((one, other) => one - other);
  const chosen = schedule === undefined ? {} : { schedule, days: sorted };
  await tools.db.atomic((sql) => changeTermsIn(tools, sql, accountId, () => ({ ...chosen, ...amounts })));
  return readSettings(tools, accountId);
}
