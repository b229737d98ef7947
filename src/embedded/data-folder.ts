// The data folder of an installation. The folder and every file in it are accessible only to the owner: they contain
// payments, keys and passwords. Checked at every start, because backups and people change file modes.

import { chmodSync, closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFault } from '../runtime/index.ts';
import { inTurn } from './lock.ts';

/** The files of the embedded database. */
export const postgresFiles = [
  'postgres',
  'postgres.making',
  'postgres.password',
  'postgres.password.making',
  'postgres.log',
] as const;

/** Never removed: the lock belongs to the process that has the file open. */
const lockFiles = ['postgres.lock.sqlite', 'postgres.lock.sqlite-journal'];

/** A database file, and those that SQLite keeps next to it. */
export const sqliteFiles = (file: string) => [file, ...sqliteEnds.map((end) => file + end)];

const sqliteEnds = ['-shm', '-wal'];

const others = 0o077;
const writableByOthers = 0o022;
const sticky = 0o1000;

/** Longer than any process holds the lock of the folder. */
const turnWithinMilliseconds = 70_000;

/**
 * Creates the folder, or restricts access to an existing one; throws with the reason if it cannot. `files`: the names of
 * everything that the service keeps in it.
 */
export async function makeDataFolder(
  dataDir: string,
  files: readonly string[],
  withinMilliseconds = turnWithinMilliseconds,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartFault(`The data folder ${dataDir} cannot be created: ${error.message}`, { cause: error });
  });
  const names = await readdir(dataDir).catch((error: Error) => {
    throw new StartFault(`The data folder ${dataDir} cannot be read: ${error.message}`, { cause: error });
  });
  const ours = names.filter((name) => files.includes(name) || lockFiles.includes(name));
  if (!(await isClosed(dataDir))) {
    await mayBeClosed(dataDir, ours.length > 0 || names.length === 0);
    await refusePlanted(dataDir, ours);
    // Under the lock, because another process may be creating the server, with access for the server's user.
    await inTurn(dataDir, withinMilliseconds, () => closeDataFolder(dataDir));
  }
  for (const name of [...files, ...lockFiles]) closeToOthers(join(dataDir, name));
}

/** A mistyped DATA_DIR must not close a folder that the whole machine uses. */
async function mayBeClosed(dataDir: string, isOurs: boolean): Promise<void> {
  const { mode } = await stat(dataDir);
  if (isOurs && (mode & sticky) === 0) return;
  throw new StartFault(
    `The data folder ${dataDir} is open to other users and contains foreign files. ` +
      `Set DATA_DIR to a separate folder, or close it: chmod 700 ${dataDir}`,
  );
}

/** Files that belong to the embedded server's user, if it is another user. */
const serversFiles = ['postgres', 'postgres.making', 'postgres.password.making'];

/**
 * In a folder that others could write to, they may have planted a key that they know, or a link to a file elsewhere
 * that we would change and write to. A folder that is already closed has been the owner's all along.
 */
async function refusePlanted(dataDir: string, ours: readonly string[]): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if ((mode & writableByOthers) === 0) return;
  for (const name of ours) {
    const found = await lstat(join(dataDir, name)).catch(() => undefined);
    const foreign = found && found.uid !== uid && found.uid !== process.getuid?.() && !serversFiles.includes(name);
    if (!foreign && !found?.isSymbolicLink()) continue;
    throw new StartFault(
      `Other users can write to the data folder ${dataDir}, and ${name} in it ` +
        `${foreign ? 'belongs to another user' : 'is a link'}. Find out who put it there, then close the folder: chmod 700 ${dataDir}`,
    );
  }
}

/** Only the owner has access, and the embedded server if it runs as another user. */
async function isClosed(dataDir: string): Promise<boolean> {
  const { mode, gid } = await stat(dataDir);
  if ((mode & others) === 0) return true;
  return (mode & 0o777) === 0o710 && (await serversGroup(dataDir)) === gid;
}

async function closeDataFolder(dataDir: string): Promise<void> {
  if (await isClosed(dataDir)) return;
  const gid = await serversGroup(dataDir);
  await (gid === undefined ? chmod(dataDir, 0o700) : letThrough(dataDir, gid)).catch((error: unknown) => {
    throw cannotClose(dataDir, error);
  });
}

/** The group of the embedded server if it runs as another user, which only root can arrange. */
async function serversGroup(dataDir: string): Promise<number | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const server = await stat(join(dataDir, 'postgres')).catch(() => undefined);
  return server && server.uid !== 0 ? server.gid : undefined;
}

/**
 * Lets a group traverse the folder to its own files: it can list nothing and open nothing else. Only under the lock.
 */
export async function letThrough(dataDir: string, gid: number): Promise<void> {
  const { uid } = await stat(dataDir);
  await chown(dataDir, uid, gid);
  await chmod(dataDir, 0o710);
}

/**
 * Creates a file that only its owner can access, whatever the umask, or restricts an existing one, including SQLite's
 * files next to it.
 */
export function makePrivateFile(file: string): void {
  const opened = openSync(file, 'a', 0o600);
  try {
    if ((fstatSync(opened).mode & others) !== 0) fchmodSync(opened, 0o600);
  } catch (error) {
    throw cannotClose(file, error);
  } finally {
    closeSync(opened);
  }
  for (const end of sqliteEnds) closeToOthers(`${file}${end}`);
}

function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & others) === 0) return;
  try {
    chmodSync(path, found.isDirectory() ? 0o700 : 0o600);
  } catch (error) {
    // Another process may have removed it meanwhile, as SQLite does with its log.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw cannotClose(path, error);
  }
}

function cannotClose(path: string, error: unknown): StartFault {
  return new StartFault(`${path} is open to other users and cannot be closed: ${(error as Error).message}`, {
    cause: error,
  });
}
