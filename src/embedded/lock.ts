// One process at a time initializes, starts or stops the database server of a data folder. The lock is an operating
// system file lock taken through SQLite: it is released when its process ends, however it ends, so there are no stale
// locks.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause, StartFault } from '../runtime/index.ts';

const busy = 5;
const looksEveryMilliseconds = 50;

/** Runs the work while no other process, and no other call in this one, holds the folder's lock. */
export async function inTurn<T>(dataDir: string, withinMilliseconds: number, work: () => Promise<T>): Promise<T> {
  const file = openFile(dataDir);
  try {
    await untilLocked(file, dataDir, withinMilliseconds);
    return await work();
  } finally {
    file.close();
  }
}

function openFile(dataDir: string): DatabaseSync {
  try {
    return new DatabaseSync(join(dataDir, 'postgres.lock.sqlite'), { timeout: 0 });
  } catch (error) {
    throw notWritable(dataDir, error);
  }
}

async function untilLocked(file: DatabaseSync, dataDir: string, withinMilliseconds: number): Promise<void> {
  const deadline = performance.now() + withinMilliseconds;
  while (!tryLock(file, dataDir)) {
    if (performance.now() > deadline) {
      throw new StartFault(`Another process has been starting or stopping the database of ${dataDir} for too long.`);
    }
    await pause(looksEveryMilliseconds);
  }
}

function tryLock(file: DatabaseSync, dataDir: string): boolean {
  try {
    file.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw notWritable(dataDir, error);
  }
}

function notWritable(dataDir: string, error: unknown): StartFault {
  return new StartFault(`The data folder ${dataDir} cannot be written: ${(error as Error).message}`, { cause: error });
}
