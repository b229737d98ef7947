// Runs the real command line as processes, which are ended by id when the test file ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause, within } from '../../src/runtime/index.ts';
import { atEnd } from './service.ts';

export { quietPort } from '../../src/embedded/index.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const readyWithinMilliseconds = 60_000;

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves with everything printed once it matches; rejects if the process ends first. */
  until(shape: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Asks it to stop and waits. */
  stop(): Promise<Ended>;
}

/**
 * Starts `grosz` with only these settings, as a sandbox unless they say otherwise: the test's own environment is
 * ignored.
 */
export function startGrosz(args: readonly string[], environment: Environment): Running {
  return startScript(main, args, environment);
}

/** The same for a test's own process. */
export function startScript(script: string, args: readonly string[], environment: Environment): Running {
  // Not a setting of Grosz: without the cache a test's own process would compile everything again.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, HOME, MODE: 'sandbox', ...(script === main ? {} : { NODE_COMPILE_CACHE }), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return watch(child);
}

function watch(child: ChildProcess): Running {
  let [stdout, stderr] = ['', ''];
  const watchers = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
    for (const look of watchers) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  atEnd(async () => {
    if (isRunning()) child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    until: (shape) =>
      within(
        readyWithinMilliseconds,
        `"${shape.source}" was not printed within a minute`,
        new Promise((resolve, reject) => {
          function look(): void {
            if (!shape.test(stdout)) return;
            watchers.delete(look);
            resolve(stdout);
          }
          watchers.add(look);
          ended.then(() => reject(new Error(`It ended before "${shape.source}":\n${stdout}\n${stderr}`)));
          look();
        }),
      ),
    kill: (signal) => void child.kill(signal),
    stop() {
      if (isRunning()) child.kill('SIGTERM');
      return ended;
    },
  };
}

/** `npm start` itself: npm, its shell, and the service under them. */
export function startByNpm(environment: Environment): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that all of them can be ended whatever happens in the test.
    detached: true,
  });
  const running = watch(child);
  atEnd(async () => {
    if (isAlive(-running.pid)) process.kill(-running.pid, 'SIGKILL');
  });
  return running;
}

/** Runs a command to its end. */
export function runGrosz(args: readonly string[], environment: Environment): Promise<Ended> {
  return startGrosz(args, environment).ended;
}

/** A separate data folder; when the test file ends, its database server is stopped and the folder removed. */
export function aDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grosz-start-'));
  atEnd(async () => {
    const pid = postmasterOf(folder);
    if (pid !== undefined && isAlive(pid)) {
      process.kill(pid, 'SIGQUIT');
      await untilGone(pid);
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The process id of the embedded database server, from its pid file. */
export function postmasterOf(dataDir: string): number | undefined {
  const [pid] = postmasterLines(dataDir);
  return pid ? Number(pid) : undefined;
}

function postmasterLines(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The URL of the embedded database, to inspect it from outside. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
  return `postgresql://grosz:${password}@127.0.0.1:${postmasterLines(dataDir)[3]}/grosz`;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits for the end of a process that is not our child. */
export async function untilGone(pid: number): Promise<void> {
  const deadline = performance.now() + readyWithinMilliseconds;
  while (isAlive(pid)) {
    if (performance.now() > deadline) throw new Error(`Process ${pid} did not end within a minute.`);
    await pause(10);
  }
}
