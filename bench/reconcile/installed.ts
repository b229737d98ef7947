// The PostgreSQL that is installed on this machine, for what may differ between versions.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, readMigrations } from '../../src/database/index.ts';
import { quietPort } from '../../src/embedded/index.ts';
import { pause, systemClock } from '../../src/runtime/index.ts';
import { type BenchDatabase, query } from '../support/postgres.ts';

const startTries = 200;

/** Undefined if none is installed, or none can be started by this user. */
export async function openInstalledDatabase(
  settings: Readonly<Record<string, string>>,
): Promise<(BenchDatabase & { readonly version: string }) | undefined> {
  const programs = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
  const as = userOf();
  if (programs === undefined || as === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'grosz-bench-'));
  if ('uid' in as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const words = ['-D', data, '-U', 'grosz', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  if (spawnSync(join(programs, 'initdb'), words, as).status !== 0) return undefined;
  const port = await quietPort();
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...options], {
    ...as,
    stdio: 'ignore',
  });
  const urlOf = (name: string) => `postgresql://grosz@127.0.0.1:${port}/${name}`;
  await whenReady(urlOf('postgres'));
  return {
    version: programs.split('/').at(-2) ?? '',
    folder,
    pids: async () => [String(server.pid)],
    async create(name) {
      await query(urlOf('postgres'), `create database ${name}`);
      await migrate(urlOf(name), await readMigrations(), systemClock.now().toString());
      return urlOf(name);
    },
    async stop() {
      await end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: then as its own user, if there is one. */
function userOf(): { readonly uid: number; readonly gid: number } | object | undefined {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

async function whenReady(url: string): Promise<void> {
  for (let tries = 0; tries < startTries; tries += 1) {
    if (await query(url, 'select 1').catch(() => undefined)) return;
    await pause(50);
  }
  throw new Error('The installed PostgreSQL did not start.');
}

function end(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    // Immediately: what it holds is thrown away.
    server.kill('SIGQUIT');
  });
}
