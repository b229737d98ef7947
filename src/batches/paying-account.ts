// Our own accounts, from which payouts are paid.

import { type BankProfile, type builtInProfiles, ibanFault } from '../bankfiles/index.ts';
import type { Sql } from '../database/index.ts';
import { type Currency, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { profileMissing } from './failures.ts';
import type { PayingAccount } from './model.ts';
import { insertPayingAccount } from './store/batches.ts';
import { findProfileRow } from './store/files.ts';

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

export interface GivenPayer {
  readonly number: string;
  readonly holder: string;
  readonly profile: ProfileName;
  /** An email address, or a code of contract/codes/actors.ts. */
  readonly givenBy: string;
}

/** An account of ours, or another holder or profile for one of them. Files of a batch have what it was made with. */
export async function givePayingAccount(
  { clock, db, ids }: Pick<Tools, 'clock' | 'db' | 'ids'>,
  given: GivenPayer,
): Promise<PayingAccount> {
  const number = given.number.replaceAll(/[\s-]/g, '').toUpperCase();
  const iban = /^\d{26}$/.test(number) ? `PL${number}` : number;
  if (iban.length > 34 || ibanFault(iban) !== undefined) refuse('not_valid', 'number', 'It is no valid IBAN.');
  await profileFor(db.sql, given.profile, 'PLN');
  const givenAt = clock.now();
  const account = { ...given, id: ids.ulid(givenAt), number: iban, givenAt };
  await insertPayingAccount(db.sql, account);
  return account;
}
