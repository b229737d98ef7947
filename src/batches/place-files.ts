// Files in a folder, where another program takes them to the bank. A file is there under another name first; then it is
// handed over in the books; then it gets its name, in one step. So it is there once or not at all, whenever a process dies: a
// file that has still the other name was never visible, one that has not was.

import { open, rename, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal, refuse } from '../kernel/index.ts';
import { type FileTools, makeFile } from './file.ts';
import { fileNameOf, handOver } from './hand-over.ts';
import type { Handover, PayoutFile } from './model.ts';
import { findFileById, listToHandOver, listUnplaced, markPlaced } from './store/files.ts';

export interface Placed {
  readonly batchId: string;
  readonly name: string;
  /** Why it is not there. */
  readonly refused?: string;
}

const hiddenName = (folder: string, handoverId: string) => join(folder, `.${handoverId}.part`);

const readable = 0o600;

async function writeHidden(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', readable);
  try {
    for await (const piece of content) await file.write(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives the file its name, unless it has it: then the other name is gone. */
async function show(tools: FileTools, { id, place }: Handover, file: PayoutFile): Promise<string> {
  const name = fileNameOf(file, false);
  const folder = place ?? '';
  await rename(hiddenName(folder, id), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await syncFolder(folder);
  await markPlaced(tools.db.sql, id, tools.clock.now());
  return name;
}

/** What was handed over to a folder when a process died. */
async function finishPlacing(tools: FileTools, folder: string): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const handover of await listUnplaced(tools.db.sql, folder)) {
    const file = (await findFileById(tools.db.sql, handover.fileId)) ?? refuse('not_found');
    placed.push({ batchId: file.batchId, name: await show(tools, handover, file) });
  }
  return placed;
}

/** Makes the files of all signed batches and puts them into the folder; a batch that is refused does not stop the others. */
export async function placeFiles(tools: FileTools, { folder, person }: PlaceOrder): Promise<Placed[]> {
  const place = resolve(folder);
  const placed = await finishPlacing(tools, place);
  for (const batchId of await listToHandOver(tools.db.sql)) {
    try {
      placed.push({ batchId, name: await placeFile(tools, batchId, { folder: place, person }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [{ message, usual }] = error.faults;
      placed.push({ batchId, name: '', refused: message ?? usual?.message ?? error.code });
    }
  }
  return placed;
}

interface PlaceOrder {
  readonly folder: string;
  readonly person: string;
}

async function placeFile(tools: FileTools, batchId: string, { folder, person }: PlaceOrder): Promise<string> {
  const file = await makeFile(tools, batchId);
  const receiver = { way: 'folder', person, place: folder } as const;
  let hidden: string | undefined;
  try {
    const { handover } = await handOver(tools, batchId, receiver, async ({ id, content }) => {
      hidden = hiddenName(folder, id);
      await writeHidden(hidden, content());
      await syncFolder(folder);
    });
    return await show(tools, handover, file);
  } catch (error) {
    // After any other error it may be handed over all the same.
    if (hidden !== undefined && error instanceof Refusal) await unlink(hidden).catch(() => undefined);
    throw error;
  }
}
