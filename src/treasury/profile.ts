// How banks take files.

import type { BankProfile, builtInProfiles } from '../bankfiles/index.ts';
import type { Sql } from '../database/index.ts';
import { type Currency, refuse } from '../kernel/index.ts';
import { profileMissing } from './failures.ts';
import { findProfileRow } from './store.ts';

/** With the amount as text, because JSON has no such numbers. */
type Stored = Omit<BankProfile, 'name' | 'amountAtMostMinor'> & { readonly amountAtMostMinor: string };

export type ProfileName = keyof typeof builtInProfiles | (string & {});

/** How a bank takes files; undefined if there is no such profile. */
export async function findProfile(sql: Sql, name: string): Promise<BankProfile | undefined> {
  const row = await findProfileRow(sql, name);
  if (!row) return undefined;
  const { amountAtMostMinor, ...settings } = row.settings as Stored;
  return { ...settings, name: row.name, amountAtMostMinor: BigInt(amountAtMostMinor) };
}

/** The same, for files in this currency; refuses another one. */
export async function profileFor(sql: Sql, name: string, currency: Currency): Promise<BankProfile> {
  const profile = await findProfile(sql, name);
  return profile?.currency === currency ? profile : refuse(profileMissing, 'profile');
}
