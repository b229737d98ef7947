// The hash chain over the journals: each seal covers the previous one, so changing, removing or inserting a journal
// breaks every later seal. The engine seals journals in batches, shortly after they are posted.

import { hash } from 'node:crypto';
import { type ChainReader, type Database, moveHead } from '../database/index.ts';
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

const markBytes = 8;
const markDigits = 2 * markBytes;
export const sealedAtOnce = 1_000;

/** The predecessor of the first seal. */
export const chainStart = new Uint8Array(32);

/** In hexadecimal digits: digests as text are much cheaper than as bytes. */
function mark(text: string): string {
  return hash('sha256', text, 'hex').slice(0, markDigits);
}

/** A hash of the journal's own row, then one for each entry. */
export function marksOf(journal: SealableJournal): Buffer {
  const own = JSON.stringify([journal.id, journal.source, journal.kind, journal.currency, journal.postedAt.toString()]);
  const entries = journal.entries.map((entry) => mark(JSON.stringify([journal.id, ...entry])));
  return Buffer.from(mark(own) + entries.join(''), 'hex');
}

export function sealHash(before: Uint8Array, position: bigint, journalId: string, marks: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([before, Buffer.from(`${position} ${journalId}\n`), marks]), 'buffer');
}

/**
 * The rows of a sealed journal that differ from their marks: 'row' for the journal itself, otherwise the entry's line.
 */
export function changedRows(journal: SealableJournal, marks: Uint8Array): ('row' | number)[] {
  const now = marksOf(journal);
  const sealed = Buffer.from(marks);
  const count = Math.max(now.length, sealed.length) / markBytes;
  const changed: ('row' | number)[] = [];
  for (let index = 0; index < count; index += 1) {
    const [start, end] = [index * markBytes, (index + 1) * markBytes];
    if (!now.subarray(start, end).equals(sealed.subarray(start, end))) changed.push(index === 0 ? 'row' : index);
  }
  return changed;
}

/** Seals the next journals and returns how many. One node at a time. */
export function sealJournals({ db, vault }: Pick<Tools, 'db' | 'vault'>): Promise<number> {
  return db.atomic(async (sql) => {
    if (!(await trySealLock(sql))) return 0;
    const journals = await dequeueUnsealed(sql, sealedAtOnce);
    if (journals.length === 0) return 0;
    const last = await findLastSeal(sql);
    let before: Uint8Array = last?.hash ?? chainStart;
    let position = last?.position ?? 0n;
    const seals = journals.map((journal): Seal => {
      const marks = marksOf(journal);
      position += 1n;
      before = sealHash(before, position, journal.id, marks);
      return { position, journalId: journal.id, hash: before, marks };
    });
    await insertSeals(sql, seals);
    await moveHead(vault, sql, 'ledger', last, { position, hash: before });
    return seals.length;
  });
}

export function sealChain({ sql }: Database): ChainReader {
  return { newest: () => findLastSeal(sql), hashAt: (position) => findSealHash(sql, position) };
}
