// Numbers of bank accounts, sealed by the vault: that of a bank account for the row that has it, that of a payout for the
// payout, so that none can be put in place of another.

import { ibanFault } from '../bankfiles/index.ts';
import { Secret } from '../kernel/index.ts';
import type { Vault } from '../runtime/index.ts';
import type { Payout, PayoutAccount } from './model.ts';

const ofAccount = (id: string) => `bank account ${id}`;
const ofPayout = (id: string) => `payout ${id}`;

export const sealNumber = (vault: Vault, id: string, number: Secret): string => vault.seal(number, ofAccount(id));

export const openNumber = (vault: Vault, { id, numberSealed }: Pick<PayoutAccount, 'id' | 'numberSealed'>): Secret =>
  vault.open(numberSealed, ofAccount(id));

export const sealNumberOf = (vault: Vault, payoutId: string, number: Secret): string =>
  vault.seal(number, ofPayout(payoutId));

/** The number that a payment file has. */
export const openNumberOf = (vault: Vault, { id, numberSealed }: Pick<Payout, 'id' | 'numberSealed'>): Secret =>
  vault.open(numberSealed, ofPayout(id));

const nrb = /^\d{26}$/;

/** An IBAN, or a Polish number without its country, with or without spaces; undefined if it is not valid. */
export function ibanFrom(given: string): Secret | undefined {
  const plain = given.replaceAll(/[\s-]/g, '').toUpperCase();
  const iban = nrb.test(plain) ? `PL${plain}` : plain;
  return iban.length <= 34 && ibanFault(iban) === undefined ? new Secret(iban) : undefined;
}
