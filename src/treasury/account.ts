// Opening an account, and saying how payouts are paid from it. Either may come first: it is one account.

import { ibanFault } from '../bankfiles/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Payer } from './model.ts';
import { type ProfileName, profileFor } from './profile.ts';
import { insertBankAccount, upsertPayer } from './store.ts';

type AccountTools = Pick<Tools, 'clock' | 'db' | 'ids'>;

/** As an IBAN: banks write Polish numbers without the country too. Undefined: it is none. */
function ibanFrom(number: string): string | undefined {
  const plain = number.replaceAll(/[\s-]/g, '').toUpperCase();
  const iban = /^\d{26}$/.test(plain) ? `PL${plain}` : plain;
  return /^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban) && ibanFault(iban) === undefined ? iban : undefined;
}

/** Null: the number is none. False: it is open already. */
export async function openBankAccount(
  { clock, db, ids }: AccountTools,
  number: string,
  name: string,
): Promise<boolean | null> {
  const iban = ibanFrom(number);
  if (iban === undefined) return null;
  const openedAt = clock.now();
  const payer = { holder: null, profile: null, givenBy: null, givenAt: null };
  return insertBankAccount(db.sql, { id: ids.ulid(openedAt), number: iban, currency: 'PLN', name, openedAt, ...payer });
}

export interface GivenPayer {
  readonly number: string;
  readonly holder: string;
  readonly profile: ProfileName;
  /** An email address, or a code of contract/codes/actors.ts. */
  readonly givenBy: string;
}

/** An account that pays, or another holder or profile for one of ours. A batch keeps those that it was made with. */
export async function givePayer({ clock, db, ids }: AccountTools, given: GivenPayer): Promise<Payer> {
  const number = ibanFrom(given.number) ?? refuse('not_valid', 'number', 'It is no valid IBAN.');
  await profileFor(db.sql, given.profile, 'PLN');
  const at = clock.now();
  const account = { ...given, number, id: ids.ulid(at), currency: 'PLN' as const, name: given.holder };
  return upsertPayer(db.sql, { ...account, openedAt: at, givenAt: at });
}
