// Who gets a file. Only the first one may send it: from then on the bank may have it, and its payouts are sent.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Sql } from '../database/index.ts';
import { refuse } from '../kernel/index.ts';
import { areBooked, markSent } from '../payouts/index.ts';
import { batchAltered, batchInOtherState } from './failures.ts';
import type { FileTools } from './file.ts';
import type { Handover, PayoutFile, Way } from './model.ts';
import { isSignedFile } from './signed.ts';
import { findBatch, listPayoutIds, lockBatch, updateBatch } from './store/batches.ts';
import { findFileOf, insertHandover, isHandedOver, readBytesOf } from './store/files.ts';

export interface Receiver {
  readonly way: Way;
  /** An email address, or a code of contract/codes/actors.ts. */
  readonly person: string;
  /** The folder. */
  readonly place?: string;
}

export interface Handed {
  readonly file: PayoutFile;
  readonly handover: Handover;
  /** The bytes, piece by piece. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

const unpack = (packed: Uint8Array): AsyncIterable<Uint8Array> => Readable.from([packed]).pipe(createGunzip());

/** The bytes of a file that were made, as they were made; refuses others. */
export async function contentOf(vault: FileTools['vault'], sql: Sql, file: PayoutFile) {
  if (file.sha256 === null || !isSignedFile(vault, file)) return refuse(batchAltered);
  const packed = await readBytesOf(sql, file.id);
  const hash = createHash('sha256');
  try {
    for await (const piece of unpack(packed)) hash.update(piece);
  } catch {
    return refuse(batchAltered);
  }
  return Buffer.compare(hash.digest(), file.sha256) === 0 ? () => unpack(packed) : refuse(batchAltered);
}

/** `prepare` runs with the bytes before anything is handed over; if it fails, nothing is. */
export async function handOver(
  tools: FileTools,
  batchId: string,
  { way, person, place }: Receiver,
  prepare?: (handed: Pick<Handed, 'content'> & { readonly id: string }) => Promise<void>,
): Promise<Handed> {
  const { sql: outside } = tools.db;
  if (!(await findBatch(outside, batchId))) refuse('not_found');
  const file = (await findFileOf(outside, batchId)) ?? refuse(batchInOtherState);
  if (file.sha256 === null) refuse(batchInOtherState);
  const content = await contentOf(tools.vault, outside, file);
  const at = tools.clock.now();
  const id = tools.ids.ulid(at);
  await prepare?.({ content, id });
  const handover = await tools.db.atomic(async (sql) => {
    const batch = (await lockBatch(sql, batchId)) ?? refuse('not_found');
    if (batch.state !== 'made' && batch.state !== 'handed_over' && batch.state !== 'settled')
      return refuse(batchInOtherState);
    const isCopy = await isHandedOver(sql, file.id);
    // Whatever watches the folder sends what it finds there.
    if (isCopy && way === 'folder') return refuse(batchInOtherState);
    const row: Handover = { id, fileId: file.id, way, isCopy, person, place: place ?? null, at, placedAt: null };
    if (batch.state === 'made') {
      const ids = await listPayoutIds(sql, batchId);
      if (!(await areBooked(sql, ids))) return refuse(batchAltered);
      const sent = await markSent(tools, sql, ids);
      if (sent.length !== ids.length) return refuse(batchAltered);
      await updateBatch(sql, { ...batch, state: 'handed_over', handedOverAt: at });
    }
    await insertHandover(sql, row);
    return row;
  });
  return { file, handover, content };
}

/** A copy says so in its name. */
export function fileNameOf({ messageId, profile }: PayoutFile, isCopy: boolean): string {
  return `${messageId}${isCopy ? '-copy' : ''}.${profile.startsWith('elixir') ? 'pli' : 'xml'}`;
}
