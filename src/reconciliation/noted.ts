// How many lines of statements are noted, and what they come to, signed: a note that is changed, removed or made up by SQL
// would hide that money moved twice. Whoever changed thousands of notes at once could make up such a sum.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import type { Noted } from './model.ts';
import { type Counted, countNoted, lockNoted, updateNoted } from './store/noted.ts';

const purpose = 'noted lines of statements';

type Sum = Omit<Noted, 'mac'>;

const textOf = ({ acquirer, lines, digest }: Sum) => `${acquirer} ${lines} ${digest}`;

const signed = (vault: Tools['vault'], sum: Sum): Noted => ({ ...sum, mac: vault.mac(textOf(sum), purpose) });

function isOurs(vault: Tools['vault'], noted: Noted): boolean {
  try {
    return vault.isMacOf(noted.mac, textOf(noted), purpose);
  } catch {
    return false;
  }
}

/** What notes that were added or changed add to what all come to. */
export interface NotedChange {
  readonly lines: bigint;
  readonly digest: bigint;
}

/**
 * Writes notes of the acquirer's lines, and in the same database transaction what all of them come to. Nobody else notes
 * lines of this acquirer meanwhile. What the vault did not sign stays unsigned, so that `verify` still finds it.
 */
export async function noting<T extends { readonly change: NotedChange }>(
  { vault }: Pick<Tools, 'vault'>,
  sql: Sql,
  acquirer: string,
  write: () => Promise<T>,
): Promise<T> {
  const before = await lockNoted(sql, signed(vault, { acquirer, lines: 0n, digest: 0n }));
  const written = await write();
  const { lines, digest } = written.change;
  if (lines === 0n && digest === 0n) return written;
  const sum = { acquirer, lines: before.lines + lines, digest: before.digest + digest };
  await updateNoted(sql, isOurs(vault, before) ? signed(vault, sum) : { ...sum, mac: before.mac });
  return written;
}

/** Acquirers whose notes are not those that were written. Reads all of them. */
export async function verifyNoted({ vault }: Pick<Tools, 'vault'>, sql: Sql): Promise<Finding[]> {
  const isRight = ({ noted, lines, digest }: Counted) =>
    noted !== undefined && noted.lines === lines && noted.digest === digest && isOurs(vault, noted);
  return (await countNoted(sql))
    .filter((counted) => !isRight(counted))
    .map(({ acquirer }) => ({ code: 'statement_notes_differ', parameters: { acquirer } }));
}
