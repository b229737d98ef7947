// The folder where everything of an installation lies. It is its owner's alone, and so is every file in it: they hold
// payments, keys and passwords. Checked at every start, because backups and people change modes.

import { chmodSync, closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from './start-fault.ts';

/** What the demo makes in it, and takes away again to begin anew. */
export const dataFiles = [
  'bank.sqlite',
  'bank.sqlite-shm',
  'bank.sqlite-wal',
  'postgres',
  'postgres.making',
  'postgres.password',
  'postgres.log',
  'vault.key',
  'demo.json',
  'shop.sqlite',
  'shop.sqlite-shm',
  'shop.sqlite-wal',
  'grosz.log',
];

/** Never taken away: whoever has it open holds the lock. */
const lockFiles = ['postgres.lock.sqlite', 'postgres.lock.sqlite-journal'];

const others = 0o077;
const sticky = 0o1000;

/** Makes the folder, or closes the one that is there; says why when it cannot. */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartFault(`The data folder ${dataDir} cannot be made: ${error.message}`, { cause: error });
  });
  const names = await readdir(dataDir).catch((error: Error) => {
    throw new StartFault(`The data folder ${dataDir} cannot be read: ${error.message}`, { cause: error });
  });
  const ours = names.filter((name) => dataFiles.includes(name) || lockFiles.includes(name));
  await closeDataFolder(dataDir, ours.length > 0 || names.length === 0);
  for (const name of ours) closeToOthers(join(dataDir, name));
}

async function closeDataFolder(dataDir: string, isOurs: boolean): Promise<void> {
  const { mode, gid } = await stat(dataDir);
  if ((mode & others) === 0 || (await isServersGroup(dataDir, mode, gid))) return;
  // A mistyped DATA_DIR must not close a folder that the whole machine uses.
  if (!isOurs || (mode & sticky) !== 0) {
    throw new StartFault(
      `The data folder ${dataDir} is open to other users and holds files that are not ours. ` +
        `Give DATA_DIR a folder of its own, or close it: chmod 700 ${dataDir}`,
    );
  }
  await chmod(dataDir, 0o700).catch((error: unknown) => {
    throw cannotClose(dataDir, error);
  });
}

/** As `letThrough` leaves it. */
async function isServersGroup(dataDir: string, mode: number, gid: number): Promise<boolean> {
  if ((mode & 0o777) !== 0o710) return false;
  const server = await stat(join(dataDir, 'postgres')).catch(() => undefined);
  return server?.gid === gid && server.uid !== process.getuid?.();
}

/** Lets a group pass through the folder to what is its own: it can list nothing, and open nothing else. */
export async function letThrough(dataDir: string, gid: number): Promise<void> {
  const { uid } = await stat(dataDir);
  await chown(dataDir, uid, gid);
  await chmod(dataDir, 0o710);
}

/** A file for its owner alone, whatever the umask: made when it is not there, and closed with what SQLite puts beside it. */
export function makePrivateFile(file: string): void {
  const opened = openSync(file, 'a', 0o600);
  try {
    if ((fstatSync(opened).mode & others) !== 0) fchmodSync(opened, 0o600);
  } catch (error) {
    throw cannotClose(file, error);
  } finally {
    closeSync(opened);
  }
  for (const end of ['-wal', '-shm']) closeToOthers(`${file}${end}`);
}

function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & others) === 0) return;
  try {
    chmodSync(path, found.isDirectory() ? 0o700 : 0o600);
  } catch (error) {
    throw cannotClose(path, error);
  }
}

function cannotClose(path: string, error: unknown): StartFault {
  return new StartFault(`${path} is open to other users and cannot be closed: ${(error as Error).message}`, {
    cause: error,
  });
}
