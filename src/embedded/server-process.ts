// The process of a PostgreSQL server, found by its pid file.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../runtime/index.ts';

const stopWithinMilliseconds = 20_000;

/** The server running in a folder, if any. */
export async function findServer(folder: string): Promise<Server | undefined> {
  const running = await readPid(folder);
  return running && isServer(running.pid) ? running : undefined;
}

/**
 * After a reboot the pid in the pid file may belong to another process, and PostgreSQL would refuse to start forever.
 * Removing the file is safe: PostgreSQL also checks the shared memory.
 */
export async function forgetStranger(folder: string): Promise<void> {
  const running = await readPid(folder);
  if (running && isAlive(running.pid) && !isServer(running.pid)) await rm(pidFile(folder), { force: true });
}

/** Stops the server of a folder, if any, and waits until it has ended. */
export async function endServer(folder: string): Promise<void> {
  const running = await findServer(folder);
  if (!running) return;
  process.kill(running.pid, 'SIGINT');
  const deadline = performance.now() + stopWithinMilliseconds;
  while (isAlive(running.pid) && performance.now() < deadline) await pause(30);
}

function pidFile(folder: string): string {
  return join(folder, 'postmaster.pid');
}

interface Server {
  readonly pid: number;
  readonly port: number;
}

/** The pid file has the process id in line 1 and the port in line 4. */
async function readPid(folder: string): Promise<Server | undefined> {
  const lines = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is alive and is PostgreSQL, not one that reused its pid. */
function isServer(pid: number): boolean {
  return isAlive(pid) && /postgres/.test(commandOf(pid) ?? 'postgres');
}

/** The command line of a process; undefined if the system does not provide it. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    const { status, stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return status === 0 ? stdout : undefined;
  }
}
