// The panel's files: as `npm run build` made them, or made by Vite at the first start where it is installed. They are kept
// in a folder named by what they were built from.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StartFault } from '../runtime/index.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const source = join(project, 'web/panel');

/** What the files are built from, besides their sources: what they import, the versions of all packages, and how. */
const ingredients = [
  'package-lock.json',
  'contract/codes/actors.ts',
  'contract/codes/bank-files.ts',
  'contract/codes/dispute-reasons.ts',
  'contract/codes/english/bank-files.ts',
  'contract/codes/english/domains.ts',
  'contract/codes/english/findings.ts',
  'contract/codes/english/parking.ts',
  'contract/codes/english/refund-declines.ts',
  'contract/codes/english/schedule.ts',
  'contract/codes/english/statements.ts',
  'contract/codes/english/values.ts',
  'contract/codes/parking.ts',
  'contract/codes/message.ts',
  'contract/faults.ts',
  'contract/languages.ts',
  'contract/methods.ts',
  'src/panel/build.ts',
  'src/panel/vite.ts',
];

/** Older builds that are kept: a node of the previous version may still serve them. */
const kept = 3;

const unfinished = '.making-';

export interface Place {
  /** The folder of the installation, if the project's own is not writable. */
  readonly dataDir: string;
}

/** Where the files may be, and whether they can be built. */
interface Installation {
  /** Where `npm run build` puts them. */
  readonly distribution: string;
  /** Where compiled code is cached as well, next to the packages. */
  readonly cache: string;
  canBuild(): boolean;
}

const installation: Installation = {
  distribution: join(project, 'dist/panel'),
  cache: join(project, 'node_modules/.cache/grosz/panel'),
  canBuild() {
    try {
      return import.meta.resolve('vite') !== '';
    } catch {
      return false;
    }
  },
};

/** The folder with the panel's files: index.html, and assets with a compressed copy beside each. */
export async function panelFolder(place: Place): Promise<string> {
  return (await builtFolder(place, installation)) ?? buildIn(await cacheFolder(place, installation));
}

/** Throws where the panel is neither built nor can be: an installation without the development packages. */
export async function checkPanel(place: Place, at: Installation = installation): Promise<void> {
  if (at.canBuild() || (await builtFolder(place, at)) !== undefined) return;
  throw new StartFault(
    'The panel is not built: run npm run build where the development packages are installed (npm ci) and copy dist here.',
  );
}

async function builtFolder(place: Place, at: Installation): Promise<string | undefined> {
  const name = await fingerprint();
  const shipped = join(at.distribution, name);
  if (await isThere(join(shipped, 'index.html'))) return shipped;
  const cached = join(await cacheFolder(place, at), name);
  return (await isThere(join(cached, 'index.html'))) ? cached : undefined;
}

/** Builds them in a folder of this one, unless they are there. */
export async function buildIn(home: string): Promise<string> {
  await mkdir(home, { recursive: true });
  const name = await fingerprint();
  const folder = join(home, name);
  if (await isThere(join(folder, 'index.html'))) return folder;
  // Concurrent processes each build in a folder of their own; the first one to rename it wins.
  const making = await mkdtemp(join(home, unfinished));
  try {
    await runVite(making);
    await compress(making);
    // A temporary folder is its owner's alone, but these files may be built by one user and served by another.
    await chmod(making, 0o755);
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await isThere(join(folder, 'index.html')))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  await forgetOld(home, name);
  return folder;
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Next to the packages; a read-only installation uses its data folder. */
async function cacheFolder({ dataDir }: Place, { cache: usual }: Installation): Promise<string> {
  const other = join(dataDir, 'panel');
  try {
    await mkdir(usual, { recursive: true });
    await access(usual, constants.W_OK);
    return usual;
  } catch {
    await mkdir(other, { recursive: true });
    return other;
  }
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function fingerprint(): Promise<string> {
  const digest = createHash('sha256');
  const files = [...(await filesUnder(source)), ...ingredients.map((file) => join(project, file))];
  for (const file of files) digest.update(`${file.slice(project.length)}\0`).update(await readFile(file));
  return digest.digest('hex').slice(0, 16);
}

/** In a process of its own: neither the API's requests nor the memory of the service should notice it. */
async function runVite(outDir: string): Promise<void> {
  const script = fileURLToPath(new URL('./vite.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script, outDir], { cwd: project, env: { NODE_ENV: 'production' } });
}

const zipped = promisify(gzip);

async function compress(folder: string): Promise<void> {
  for (const file of await filesUnder(join(folder, 'assets'))) {
    await writeFile(`${file}.gz`, await zipped(await readFile(file), { level: 9 }));
  }
}

const hour = 3_600_000;

/** Removes all but the last few builds, and what a process that was killed left unfinished. */
async function forgetOld(home: string, current: string): Promise<void> {
  const { mtimeMs: newest } = await stat(join(home, current));
  const found = await Promise.all(
    (await readdir(home)).map(async (name) => ({ name, at: (await stat(join(home, name))).mtimeMs })),
  );
  const built = found.filter(({ name }) => /^[0-9a-f]{16}$/.test(name) && name !== current);
  const left = found.filter(({ name, at }) => name.startsWith(unfinished) && newest - at > hour);
  const old = built.sort((one, other) => other.at - one.at).slice(kept);
  for (const { name } of [...old, ...left]) await rm(join(home, name), { recursive: true, force: true });
}

// `npm run build`
if (import.meta.main) process.stdout.write(`The panel is built: ${await buildIn(installation.distribution)}\n`);
