// How far the chain was last found right, and what it came to: the next run goes on from there. Signed, so that whoever
// writes to the database cannot make up a sum.

import type { Finding } from '../../contract/codes/findings.ts';
import type { Sql } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { chainStart, hexOf } from './chain.ts';
import { type Checkpoint, findCheckpoint, findSealHash } from './store.ts';

/** A place of the chain, and the sum of the entries of each account up to there. */
export interface Reached {
  readonly position: bigint;
  /** In hexadecimal digits. */
  readonly hash: string;
  readonly sums: ReadonlyMap<string, bigint>;
}

const purpose = 'checkpoint of the ledger';

function textOf({ position, hash, sums, verifiedAt }: Omit<Checkpoint, 'mac'>): string {
  return `${position} ${hexOf(hash)} ${verifiedAt} ${sums}`;
}

/**
 * `verifiedAt`: a time just before the chain was read. What is sealed later was also posted later, or only shortly
 * before.
 */
export function signCheckpoint(vault: Tools['vault'], reached: Reached, verifiedAt: Temporal.Instant): Checkpoint {
  const { position } = reached;
  const hash = Buffer.from(reached.hash, 'hex');
  const sums = JSON.stringify(Array.from(reached.sums, ([account, minor]) => [account, `${minor}`]));
  const signed = { position, hash, sums, verifiedAt };
  return { ...signed, mac: vault.mac(textOf(signed), purpose) };
}

const start: Reached = { position: 0n, hash: chainStart, sums: new Map() };

/** The checkpoint, or the beginning of the chain if there is none that can be trusted. */
export async function openCheckpoint(
  { vault }: Pick<Tools, 'vault'>,
  sql: Sql,
): Promise<{ readonly reached: Reached; readonly verifiedAt?: Temporal.Instant; readonly found: Finding[] }> {
  const checkpoint = await findCheckpoint(sql);
  if (!checkpoint) return { reached: start, found: [] };
  if (!isSigned(vault, checkpoint)) return { reached: start, found: [{ code: 'checkpoint_changed', parameters: {} }] };
  const { position } = checkpoint;
  const hash = await findSealHash(sql, position);
  if (!hash || Buffer.compare(hash, checkpoint.hash) !== 0) {
    const parameters = { position: `${position}` };
    return { reached: start, found: [{ code: 'chain_differs_from_checkpoint', parameters }] };
  }
  const sums: [string, string][] = JSON.parse(checkpoint.sums);
  return {
    reached: { position, hash: hexOf(hash), sums: new Map(sums.map(([account, minor]) => [account, BigInt(minor)])) },
    verifiedAt: checkpoint.verifiedAt,
    found: [],
  };
}

function isSigned(vault: Tools['vault'], checkpoint: Checkpoint): boolean {
  try {
    return vault.isMacOf(checkpoint.mac, textOf(checkpoint), purpose);
  } catch {
    return false;
  }
}
