// The heads of the chains of hashes: what each ends with, signed by the vault. A chain alone does not tell that its end was
// cut off; see docs/security.md for what this does and does not find.

import { type ChainName, chainNames, type Finding } from '../../../contract/codes/findings.ts';
import type { Vault } from '../../runtime/index.ts';
import type { Sql } from '../sql.ts';
import { findHead, type Head, type SignedHead, upsertHead } from './store.ts';

export { findHead, type Head } from './store.ts';

const purpose = 'head of a chain';

function textOf(chain: ChainName, { position, hash }: Head): string {
  return `${chain}:${position}:${Buffer.from(hash).toString('hex')}`;
}

const isSame = (one: Head, other: Head) =>
  one.position === other.position && Buffer.compare(one.hash, other.hash) === 0;

/** Whether the vault signed it; undefined if it does not have the key that the head names. */
function isSigned(vault: Vault, chain: ChainName, head: SignedHead): boolean | undefined {
  try {
    return vault.isMacOf(head.mac, textOf(chain, head), purpose);
  } catch {
    return undefined;
  }
}

const signed = (vault: Vault, chain: ChainName, head: Head): SignedHead => ({
  ...head,
  mac: vault.mac(textOf(chain, head), purpose),
});

/**
 * Moves the head from the row that was the newest to the one that is appended, in the database transaction that appends
 * it. A head that was not the newest row stays as it is, so that `verify` still finds what was cut off: appending goes on.
 */
export async function moveHead(
  vault: Vault,
  sql: Sql,
  chain: ChainName,
  before: Head | undefined,
  after: Head,
): Promise<void> {
  const stored = await findHead(sql, chain);
  const isNewest = stored && before ? isSame(stored, before) : stored === before;
  if (!isNewest || (stored && !isSigned(vault, chain, stored))) return;
  await upsertHead(sql, chain, signed(vault, chain, after));
}

/** The head; undefined if there is none, null if the vault did not sign it. */
export async function findOwnHead(vault: Vault, sql: Sql, chain: ChainName): Promise<Head | null | undefined> {
  const head = await findHead(sql, chain);
  if (!head) return undefined;
  return isSigned(vault, chain, head) ? head : null;
}

/** What a room reads of its own chain. */
export interface ChainReader {
  /** The newest row. */
  newest(): Promise<Head | undefined>;
  /** The hash of a row; undefined if there is none. */
  hashAt(position: bigint): Promise<Uint8Array | undefined>;
}

/** Compares a chain with its head. Rows may be appended meanwhile: the head is read after the newest row. */
export async function headProblems(vault: Vault, sql: Sql, chain: ChainName, reader: ChainReader): Promise<Finding[]> {
  const newest = await reader.newest();
  const head = await findHead(sql, chain);
  const end = newest?.position ?? 0n;
  if (!head) return newest ? [{ code: 'head_missing', parameters: { chain, end: `${end}` } }] : [];
  const ours = isSigned(vault, chain, head);
  if (ours === undefined) return [{ code: 'head_key_missing', parameters: { chain } }];
  if (!ours) return [{ code: 'head_changed', parameters: { chain } }];
  const hash = await reader.hashAt(head.position);
  if (hash && Buffer.compare(hash, head.hash) === 0 && head.position >= end) return [];
  return [{ code: 'chain_cut_off', parameters: { chain, head: `${head.position}`, end: `${end}` } }];
}

/** What an operator notes down: `ledger:120:4f...,audit:17:9c...`. */
export function formatHeads(heads: readonly (readonly [ChainName, Head])[]): string {
  return heads.map(([chain, head]) => textOf(chain, head)).join(',');
}

/** The reverse; undefined if it is not such a text. */
export function parseHeads(text: string): (readonly [ChainName, Head])[] | undefined {
  const heads = text.split(',').map((part) => {
    const [, name, position = '', hash = ''] = /^([a-z]+):([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(part.trim()) ?? [];
    const chain = chainNames.find((one) => one === name);
    return chain && ([chain, { position: BigInt(position), hash: Buffer.from(hash, 'hex') }] as const);
  });
  return heads.every((head) => head !== undefined) ? heads : undefined;
}

/** What a noted head says about a chain. */
export async function notedProblems(chain: ChainName, noted: Head, reader: ChainReader): Promise<Finding[]> {
  const parameters = { chain, position: `${noted.position}` };
  const hash = await reader.hashAt(noted.position);
  if (!hash) return [{ code: 'chain_ends_before_note', parameters }];
  const isSameHash = Buffer.compare(hash, noted.hash) === 0;
  return isSameHash ? [] : [{ code: 'chain_differs_from_note', parameters }];
}

/** For a file: with a MAC, so that nobody without the key makes one. */
export function signHeads(vault: Vault, heads: string): string {
  return `${heads} ${vault.mac(heads, 'noted heads')}\n`;
}

export function openSignedHeads(vault: Vault, text: string): (readonly [ChainName, Head])[] | undefined {
  const [heads = '', mac = ''] = text.trim().split(' ', 2);
  try {
    return vault.isMacOf(mac, heads, 'noted heads') ? parseHeads(heads) : undefined;
  } catch {
    return undefined;
  }
}
