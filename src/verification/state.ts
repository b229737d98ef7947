// What is known from earlier runs. It is read from the newest run, which the head of their chain names, and trusted
// only if the vault signed both. A run that the vault did not sign counts for nothing; if one is removed or changed,
// the state is no longer whole.

import { hash } from 'node:crypto';
import type { Finding } from '../../contract/codes/findings.ts';
import { type ChainReader, findOwnHead, type Head, moveHead, type Sql } from '../database/index.ts';
import { canonicalRow } from '../kernel/index.ts';
import type { Vault } from '../runtime/index.ts';
import { afterRun, type Known } from './standing.ts';
import {
  countProblems,
  hashOfProblems,
  type KnownRun,
  listAt,
  listLast,
  listRuns,
  type Run,
  type VerifyRun,
} from './store.ts';

const purpose = 'run of verify';

/** The content of a run that has ended, which is signed; what it found is included as a hash. */
function contentOf({ mac: _mac, nodeId: _node, leaseUntil: _lease, codes: _codes, ...run }: KnownRun): string {
  return canonicalRow(run);
}

/** Whether the vault signed it. */
export function isOurs(vault: Vault, run: KnownRun): boolean {
  try {
    return run.mac !== null && vault.isMacOf(run.mac, contentOf(run), purpose);
  } catch {
    return false;
  }
}

export interface State extends Known {
  /** The run that ended last. */
  readonly newest: KnownRun | undefined;
  /** Whether it and the runs whose findings stand are there, as they were written. */
  readonly isWhole: boolean;
}

/** The runs whose findings stand, also those that cannot be read. */
export function idsOf({ standing, lost }: Known): string[] {
  return [...standing.map(({ id }) => id), ...lost];
}

const nothing = { standing: [], lost: [], rightUntil: null, newest: undefined } as const;

export async function readState(vault: Vault, sql: Sql): Promise<State> {
  const head = await findOwnHead(vault, sql, 'verification');
  if (!head) return { ...nothing, isWhole: head === undefined && (await listLast(sql)).length === 0 };
  const newest = await findRun(vault, sql, head.position);
  if (!newest || Buffer.compare(hashOf(newest), head.hash) !== 0) return { ...nothing, isWhole: false };
  const ids = newest.standing ?? [];
  const standing = (await listRuns(sql, ids)).filter((run) => isOurs(vault, run));
  const found = new Set(standing.map(({ id }) => id));
  const lost = ids.filter((id) => !found.has(id));
  return { standing, lost, rightUntil: newest.rightUntil, newest, isWhole: lost.length === 0 };
}

/** The run at this position that the vault signed. */
async function findRun(vault: Vault, sql: Sql, position: bigint): Promise<KnownRun | undefined> {
  return (await listAt(sql, position)).find((run) => isOurs(vault, run));
}

function hashOf(run: KnownRun): Buffer {
  return hash('sha256', contentOf(run), 'buffer');
}

/** How many findings no run has found gone; one more if it cannot be known. */
export async function countStanding(vault: Vault, sql: Sql): Promise<number> {
  const { standing, isWhole } = await readState(vault, sql);
  const ids = standing.map(({ id }) => id);
  return (ids.length === 0 ? 0 : await countProblems(sql, ids)) + (isWhole ? 0 : 1);
}

/** The run as it is written when it has ended. `write`, and so this, returns false if another process has taken it over. */
export async function appendRun(
  vault: Vault,
  sql: Sql,
  { run, problems }: { readonly run: Run; readonly problems: readonly Finding[] },
  write: (sql: Sql, ended: VerifyRun) => Promise<boolean>,
): Promise<boolean> {
  const state = await readState(vault, sql);
  const codes = [...new Set(problems.map(({ code }) => code))];
  const known = { ...run, codes, problemsHash: await hashOfProblems(sql, problems) };
  const before = state.newest ? headOf(state.newest) : await findEnd(vault, sql);
  const position = (before?.position ?? 0n) + 1n;
  const placed = { ...afterRun(state, known), position };
  const content = { ...known, ...placed };
  const mac = vault.mac(contentOf(content), purpose);
  if (!(await write(sql, { ...run, ...placed, problems, mac }))) return false;
  await moveHead(vault, sql, 'verification', before, { position, hash: hashOf(content) });
  return true;
}

function headOf(run: KnownRun): Head {
  return { position: run.position ?? 0n, hash: hashOf(run) };
}

/** The last run that the vault signed, of those that are left; if it signed none of them, a head that matches no run. */
async function findEnd(vault: Vault, sql: Sql): Promise<Head | undefined> {
  const last = await listLast(sql);
  const ours = last.find((run) => isOurs(vault, run));
  if (ours) return headOf(ours);
  return last.length > 0 ? { position: 1n, hash: new Uint8Array() } : undefined;
}

export function runChain(vault: Vault, sql: Sql): ChainReader {
  return {
    newest: async () => {
      const { newest } = await readState(vault, sql);
      return newest ? headOf(newest) : findEnd(vault, sql);
    },
    hashAt: async (position) => {
      const run = await findRun(vault, sql, position);
      return run && hashOf(run);
    },
  };
}
