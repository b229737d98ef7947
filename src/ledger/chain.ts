// The hash chain over the journals: each seal covers the previous one, so changing, removing or inserting a journal
// breaks every later seal. The engine seals journals in batches, shortly after they are posted.

import { hash } from 'node:crypto';
import { type ChainReader, moveHead, type Sql } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import {
  dequeueUnsealed,
  findLastSeal,
  findSealHash,
  insertSeals,
  type Seal,
  type SealableJournal,
  trySealLock,
} from './store.ts';

const markDigits = 16;
export const sealedAtOnce = 1_000;

/** The predecessor of the first seal. */
export const chainStart = '00'.repeat(32);

/** In hexadecimal digits: digests as text are much cheaper than as bytes. */
function mark(text: string): string {
  return hash('sha256', text, 'hex').slice(0, markDigits);
}

/** A hash of the journal's own row, then one for each entry; in hexadecimal digits. */
export function marksOf(journal: SealableJournal): string {
  const { id, source, kind, currency, postedAt, entries } = journal;
  let marks = mark(JSON.stringify([id, source, kind, currency, postedAt.toString()]));
  for (const [line, account, amount] of entries) marks += mark(JSON.stringify([id, line, account, amount]));
  return marks;
}

const sealed = Buffer.alloc(65_536);
const hashBytes = 32;

/**
 * All in hexadecimal digits. Over bytes in one place: a buffer for each of millions of seals was most of the memory of
 * `verify`.
 */
export function sealHash(before: string, position: bigint, journalId: string, marks: string): string {
  const place = `${position} ${journalId}\n`;
  const bytes = hashBytes + place.length + marks.length / 2;
  const buffer = bytes > sealed.length ? Buffer.alloc(bytes) : sealed;
  buffer.write(before, 0, 'hex');
  buffer.write(place, hashBytes, 'latin1');
  buffer.write(marks, hashBytes + place.length, 'hex');
  return hash('sha256', buffer.subarray(0, bytes), 'hex');
}

/** Seals the next journals and returns how many. One node at a time. */
export function sealJournals({ db, vault }: Pick<Tools, 'db' | 'vault'>): Promise<number> {
  return db.atomic(async (sql) => {
    if (!(await trySealLock(sql))) return 0;
    const journals = await dequeueUnsealed(sql, sealedAtOnce);
    if (journals.length === 0) return 0;
    const last = await findLastSeal(sql);
    let before = last ? hexOf(last.hash) : chainStart;
    let position = last?.position ?? 0n;
    const seals = journals.map((journal): Seal => {
      const marks = marksOf(journal);
      position += 1n;
      before = sealHash(before, position, journal.id, marks);
      return { position, journalId: journal.id, hash: Buffer.from(before, 'hex'), marks: Buffer.from(marks, 'hex') };
    });
    await insertSeals(sql, seals);
    await moveHead(vault, sql, 'ledger', last, { position, hash: Buffer.from(before, 'hex') });
    return seals.length;
  });
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const setsAtMost = 1_000;

/** Seals everything that waits for it, unless another node is at it. */
export async function sealAll(tools: Pick<Tools, 'db' | 'vault'>): Promise<void> {
  for (let sets = 0; sets < setsAtMost && (await sealJournals(tools)) > 0; sets += 1);
}

export function sealChain({ sql }: { readonly sql: Sql }): ChainReader {
  return { newest: () => findLastSeal(sql), hashAt: (position) => findSealHash(sql, position) };
}
