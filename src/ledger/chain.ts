// The hash chain over the journals: each seal covers the previous one, so changing, removing or inserting a journal
// breaks every later seal. The engine seals journals in batches, shortly after they are posted.

import { createHash } from 'node:crypto';
import type { Database } from '../platform/index.ts';
import { findLastSeal, insertSeals, listUnsealed, type Seal, type SealableJournal, trySealLock } from './store.ts';

const markBytes = 8;
export const sealedAtOnce = 1_000;

/** The predecessor of the first seal. */
export const chainStart = new Uint8Array(32);

function mark(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, markBytes);
}

/** A hash of the journal's own row, then one for each entry. */
export function marksOf(journal: SealableJournal): Buffer {
  const own = JSON.stringify([journal.id, journal.source, journal.kind, journal.currency, journal.postedAt.toString()]);
  return Buffer.concat([mark(own), ...journal.entries.map((entry) => mark(JSON.stringify([journal.id, ...entry])))]);
}

export function sealHash(before: Uint8Array, position: bigint, journalId: string, marks: Uint8Array): Buffer {
  return createHash('sha256').update(before).update(`${position} ${journalId}\n`).update(marks).digest();
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
export function sealJournals(db: Database): Promise<number> {
  return db.atomic(async (sql) => {
    if (!(await trySealLock(sql))) return 0;
    const journals = await listUnsealed(sql, sealedAtOnce);
    if (journals.length === 0) return 0;
    const last = await findLastSeal(sql);
    let hash: Uint8Array = last?.hash ?? chainStart;
    let position = last?.position ?? 0n;
    const seals = journals.map((journal): Seal => {
      const marks = marksOf(journal);
      position += 1n;
      hash = sealHash(hash, position, journal.id, marks);
      return { position, journalId: journal.id, hash, marks };
    });
    await insertSeals(sql, seals);
    return seals.length;
  });
}
