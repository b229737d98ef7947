// The ledger's part of verify: reads the chain in order, all of it or from where it was last found right, and reports the
// rows that are wrong.

import type { Finding } from '../../contract/codes/findings.ts';
import {
  type Books,
  findingsAtMost,
  headProblems,
  type Paged,
  type Verifying,
  verifyPages,
} from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { isAsCharted } from './accounts.ts';
import { chainStart, sealChain } from './chain.ts';
import { openCheckpoint, type Reached, signCheckpoint } from './checkpoint.ts';
import { type ReadChain, readChain } from './reading.ts';
import {
  type Founded,
  findSealSince,
  listAccounts,
  listJournalsSince,
  listStrays,
  listUnfounded,
  listWrongBalances,
  upsertCheckpoint,
} from './store.ts';

/** A journal is sealed within seconds, and every run begins with sealing what waits. */
const sealedWithin = Temporal.Duration.from({ minutes: 10 });

export type LedgerTools = Pick<Tools, 'config' | 'vault' | 'wall'>;

/** What reading the chain found, and what other rooms compare with. */
export interface ReadLedger {
  readonly found: Finding[];
  readonly books: Books;
  /** Of the journals that were read. */
  readonly sources: readonly string[];
  readonly journals: bigint;
  readonly entries: bigint;
  /** Keeps how far it was right, for the next run; only if nothing was wrong. */
  keep(): Promise<void>;
}

/** Each problem with its row. `since` an id: from the journals of that moment on, or from where it was last right. */
export async function readLedger(tools: LedgerTools, verifying: Verifying, sinceId?: string): Promise<ReadLedger> {
  const { sql } = verifying;
  const startedAt = tools.wall.now();
  const checkpoint = await openCheckpoint(tools, sql);
  const from = sinceId === undefined ? start : checkpoint.reached;
  const first = sinceId === undefined ? null : await findSealSince(sql, sinceId);
  // What is older than where it was last right is compared with its seals again, and not added up again.
  const after = first !== null && first - 1n < from.position ? first - 1n : from.position;
  const ordered = tools.config.mode === 'live';
  const { reached, verifiedAt } = checkpoint;
  const verified = ordered && verifiedAt ? { position: reached.position, at: verifiedAt } : undefined;
  const rules = { ordered, verified, gathers: sinceId !== undefined };
  const reading = await readChain(verifying, from, after, rules);
  const found = [...checkpoint.found, ...reading.found];
  found.push(...(await headProblems(tools.vault, sql, 'ledger', sealChain({ sql }))));
  found.push(...(await verifyAccounts(verifying, reading)));
  const recent = verifying.now.subtract(sealedWithin);
  found.push(...(await verifyPages(verifying, journalPages, (page) => listStrays(sql, page, recent))));
  return {
    found,
    books: { position: reading.position, sums: reading.byKind },
    sources: reading.sources,
    journals: reading.journals,
    entries: reading.entries,
    keep: async () => {
      if (reading.position === 0n) return;
      await upsertCheckpoint(sql, signCheckpoint(tools.vault, reading, startedAt));
    },
  };
}

const start: Reached = { position: 0n, hash: chainStart, sums: new Map() };

/** Journals, for a part of verify. */
export const journalPages = { table: 'journal', key: 'id', changed: listJournalsSince } satisfies Paged;

/** A part of verify from journals to rows: each journal of these kinds, and what its row says. */
export function verifyFounded(verifying: Verifying, founded: Founded): Promise<Finding[]> {
  return verifyPages(verifying, journalPages, (page) => listUnfounded(verifying.sql, page, founded));
}

/** Accounts that are not as the chart says, entries without one, and balances that are not what their entries give. */
async function verifyAccounts({ sql }: Verifying, reading: ReadChain): Promise<Finding[]> {
  const accounts = await listAccounts(sql);
  const known = new Set(accounts.map(({ name }) => name));
  const sums = Array.from(reading.sums, ([account, minor]) => ({ account, minor }));
  return [
    ...accounts.flatMap((account): Finding[] =>
      isAsCharted(account) ? [] : [{ code: 'account_wrong', parameters: { account: account.name } }],
    ),
    ...sums.flatMap(({ account }): Finding[] =>
      known.has(account) ? [] : [{ code: 'account_missing', parameters: { account } }],
    ),
    ...(await listWrongBalances(sql, reading.position, sums, findingsAtMost)).map(
      (parameters): Finding => ({ code: 'balance_wrong', parameters }),
    ),
  ].slice(0, findingsAtMost);
}
