// Files in a folder, where another program takes them to the bank. A file is there under another name first; then it is
// handed over in the books; then it gets its name, in one step. So it is there once or not at all, whenever a process dies: a
// file that has still the other name was never visible, and one that has its name was. If it has neither, a program may have taken
// it to the bank, or the folder is another one: then only the bank knows, and it is put there by nobody.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal, refuse } from '../kernel/index.ts';
import { fileNotInFolder } from './failures.ts';
import { type FileTools, makeFile } from './file.ts';
import { fileNameOf, handOver } from './hand-over.ts';
import type { Handover, PayoutFile } from './model.ts';
import { findFileById, isPlaced, listToHandOver, listUnplaced, markPlaced } from './store/files.ts';

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

async function isThere(path: string, { sha256 }: PayoutFile): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path)) hash.update(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  return sha256 !== null && Buffer.compare(hash.digest(), sha256) === 0;
}

/** Gives the file its name, unless it has it. Refuses if it has neither: to write it again could be to pay twice. */
async function show(tools: FileTools, { id, place }: Handover, file: PayoutFile): Promise<string> {
  const name = fileNameOf(file, false);
  const folder = place ?? '';
  await rename(hiddenName(folder, id), join(folder, name)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    if (await isThere(join(folder, name), file)) return;
    // Another process has shown it, and it was taken since.
    if (!(await isPlaced(tools.db.sql, id))) refuse(fileNotInFolder);
  });
  await syncFolder(folder);
  await markPlaced(tools.db.sql, id, tools.clock.now());
  return name;
}

/** A refusal stops no other file. */
async function outcomeOf(batchId: string, place: () => Promise<string>): Promise<Placed> {
  try {
    return { batchId, name: await place() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [{ message, usual }] = error.faults;
    return { batchId, name: '', refused: message ?? usual?.message ?? error.code };
  }
}

/** What was handed over to a folder when a process died. */
async function finishPlacing(tools: FileTools, folder: string): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const handover of await listUnplaced(tools.db.sql, folder)) {
    const file = (await findFileById(tools.db.sql, handover.fileId)) ?? refuse('not_found');
    placed.push(await outcomeOf(file.batchId, () => show(tools, handover, file)));
  }
  return placed;
}

/** Makes the files of all signed batches and puts them into the folder; a batch that is refused does not stop the others. */
export async function placeFiles(tools: FileTools, { folder, person }: PlaceOrder): Promise<Placed[]> {
  const place = resolve(folder);
  const placed = await finishPlacing(tools, place);
  for (const batchId of await listToHandOver(tools.db.sql)) {
    placed.push(await outcomeOf(batchId, () => placeFile(tools, batchId, { folder: place, person })));
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
