// Bank accounts and terms are signed, each row by itself and all of them together: who writes another number, another schedule
// or `verified` into the database pays nobody by it, and a row that is removed or put back as it once was is noticed.

import { hash } from 'node:crypto';
import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql } from '../database/index.ts';
import { type AccountId, canonicalRow } from '../kernel/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import type { Altered, PayoutAccount, PayoutBlock, PayoutTerms } from './model.ts';
import { openNumber } from './number.ts';
import { countUnbooked } from './store/booked.ts';
import { type Deciding, listDecidingOf } from './store/deciding.ts';
import { countSigned, lockSigned, type Signed, updateSigned } from './store/signed.ts';
import type { SignedTable } from './table.ts';

type Vault = Pick<Tools, 'vault'>;
type Unsigned<T> = Omit<T, 'mac'>;

const accountPurpose = 'bank account of payouts';
const termsPurpose = 'terms of payouts';
const blockPurpose = 'block of payouts';
const allPurpose = 'signed rows of payouts';

function isMac(vault: Tools['vault'], mac: string, text: string, purpose: string): boolean {
  try {
    return vault.isMacOf(mac, text, purpose);
  } catch {
    return false;
  }
}

const textOf = <T extends { readonly mac: string }>({ mac: _mac, ...row }: T) => canonicalRow(row);

export const signAccount = ({ vault }: Vault, row: Unsigned<PayoutAccount>): PayoutAccount => ({
  ...row,
  mac: vault.mac(canonicalRow(row), accountPurpose),
});

export const signTerms = ({ vault }: Vault, row: Unsigned<PayoutTerms>): PayoutTerms => ({
  ...row,
  mac: vault.mac(canonicalRow(row), termsPurpose),
});

export const signBlock = ({ vault }: Vault, row: Unsigned<PayoutBlock>): PayoutBlock => ({
  ...row,
  mac: vault.mac(canonicalRow(row), blockPurpose),
});

export const isAccountOurs = ({ vault }: Vault, row: PayoutAccount) =>
  isMac(vault, row.mac, textOf(row), accountPurpose);
export const areTermsOurs = ({ vault }: Vault, row: PayoutTerms) => isMac(vault, row.mac, textOf(row), termsPurpose);
export const isBlockOurs = ({ vault }: Vault, row: PayoutBlock) => isMac(vault, row.mac, textOf(row), blockPurpose);

function isReadable({ vault }: Vault, place: PayoutAccount): boolean {
  try {
    openNumber(vault, place);
    return true;
  } catch {
    return false;
  }
}

/** What must be ours before an account is paid. Whoever has a bank account has terms too. */
function alteredOf(tools: Vault, { place, terms, isBlocked }: Omit<Deciding, 'accountId'>): Altered | undefined {
  if (!place) return undefined;
  if (!isAccountOurs(tools, place) || !isReadable(tools, place)) return 'bank_account_altered';
  const agree = terms && areTermsOurs(tools, terms) && (terms.blockedAt !== null) === isBlocked;
  return agree ? undefined : 'terms_altered';
}

/** Which of these accounts have a bank account or terms that are not what was signed, or a number that cannot be opened. */
export async function findAltered(tools: Vault, those: readonly Deciding[]): Promise<Map<AccountId, Altered>> {
  const found = await mapInTurns(those, (one) => [one.accountId, alteredOf(tools, one)] as const);
  return new Map(found.flatMap(([id, altered]): [AccountId, Altered][] => (altered ? [[id, altered]] : [])));
}

const namedAtMost = 10;

export function reportAltered({ log }: Pick<Tools, 'log'>, altered: ReadonlyMap<AccountId, Altered>): void {
  if (altered.size === 0) return;
  const accounts = [...altered.keys()].slice(0, namedAtMost);
  log.error({ count: altered.size, accounts }, 'bank accounts or terms of payouts were altered: grosz verify');
}

const pageRows = 5_000;

/** Whether these payouts go to bank accounts that were signed, of accounts with terms that were; says in the log who does not. */
export async function haveOurSettings(
  tools: Vault & Pick<Tools, 'log'>,
  sql: Sql,
  payoutIds: readonly string[],
): Promise<boolean> {
  for (let from = 0; from < payoutIds.length; from += pageRows) {
    const altered = await findAltered(tools, await listDecidingOf(sql, payoutIds.slice(from, from + pageRows)));
    reportAltered(tools, altered);
    if (altered.size > 0) return false;
  }
  return true;
}

/** Whether each of these payouts is in the books as it says: its row alone is signed only with its batch. */
export async function areBooked(sql: Sql, payoutIds: readonly string[]): Promise<boolean> {
  for (let from = 0; from < payoutIds.length; from += pageRows)
    if ((await countUnbooked(sql, payoutIds.slice(from, from + pageRows))) > 0) return false;
  return true;
}

const sumText = ({ name, rows, digest }: Omit<Signed, 'mac'>) => `${name} ${rows} ${digest}`;

const signAll = ({ vault }: Vault, sum: Omit<Signed, 'mac'>): Signed => ({
  ...sum,
  mac: vault.mac(sumText(sum), allPurpose),
});

const isSumOurs = ({ vault }: Vault, signed: Signed) => isMac(vault, signed.mac, sumText(signed), allPurpose);

/** As the database adds it up: two halves of the hash, each a signed number of 64 bits. */
function digestOf(mac: string): bigint {
  const digest = hash('sha256', mac);
  const half = (from: number) => BigInt.asIntN(64, BigInt(`0x${digest.slice(from, from + 16)}`));
  return half(0) * 18_446_744_073_709_551_616n + half(16);
}

/** Rows that are written instead of others; a new one stands for none. */
export interface Written {
  readonly before: readonly { readonly mac: string }[];
  readonly after: readonly { readonly mac: string }[];
}

/**
 * Writes rows of a signed table, and in the same database transaction what all of them come to. Writers take turns. What the
 * vault did not sign stays unsigned, so that `verify` still finds it.
 */
export async function signing<T>(
  tools: Vault,
  sql: Sql,
  name: SignedTable,
  write: () => Promise<Written & { readonly result: T }>,
): Promise<T> {
  const sum = await lockSigned(sql, signAll(tools, { name, rows: 0n, digest: 0n }));
  const { before, after, result } = await write();
  const total = (rows: Written['after']) => rows.reduce((digest, { mac }) => digest + digestOf(mac), 0n);
  const next = {
    name,
    rows: sum.rows + BigInt(after.length - before.length),
    digest: sum.digest + total(after) - total(before),
  };
  await updateSigned(sql, isSumOurs(tools, sum) ? signAll(tools, next) : { ...next, mac: sum.mac });
  return result;
}

/** Tables whose rows are not those that were written. Reads all of them. */
export async function verifySigned(tools: Vault, sql: Sql): Promise<Finding[]> {
  return (await countSigned(sql))
    .filter(({ signed, rows, digest }) =>
      signed ? signed.rows !== rows || signed.digest !== digest || !isSumOurs(tools, signed) : rows > 0n,
    )
    .map(({ name }) => ({ code: 'payout_rows_differ', parameters: { table: name } }));
}
