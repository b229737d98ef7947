// How busy the machine was with other things, so that disturbed figures can be marked.

import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

/** The kernel counts in hundredths of a second. */
const tickMilliseconds = 10;

/** CPU milliseconds of all processes; undefined if the kernel does not provide it (not Linux). */
async function busyMilliseconds(): Promise<number | undefined> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  const counted = /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').map(Number);
  if (!counted) return undefined;
  // Everything except idle (4th) and iowait (5th); `steal` (8th) is what the host took.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = counted;
  return (user + nice + system + irq + softirq + steal) * tickMilliseconds;
}

/** CPU milliseconds of a process and its threads. */
export function processMilliseconds(pid: string | number): Promise<number> {
  return milliseconds(`/proc/${pid}/stat`);
}

/** The same for the threads of a process, by name; the first is the main thread. */
export async function threadMilliseconds(pid: string | number): Promise<ReadonlyMap<string, number>> {
  const spent = new Map<string, number>();
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const name = await readFile(`/proc/${pid}/task/${thread}/comm`, 'utf8').catch(() => '');
    const key = thread === String(pid) ? 'main' : name.trim();
    spent.set(key, (spent.get(key) ?? 0) + (await milliseconds(`/proc/${pid}/task/${thread}/stat`)));
  }
  return spent;
}

async function milliseconds(file: string): Promise<number> {
  const stat = await readFile(file, 'utf8').catch(() => '');
  // The name in parentheses may contain spaces; user and system time are the 12th and 13th fields after it.
  const counted = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(counted[11] ?? 0) + Number(counted[12] ?? 0)) * tickMilliseconds;
}

export interface Usage {
  /** The share of all cores used by other processes, from 0 to 1. */
  readonly othersShare: number | undefined;
  /** The CPU of our own processes. */
  readonly ownMilliseconds: number;
}

export interface Disturbance {
  /** Usage since the last call. */
  look(): Promise<Usage>;
  /** Only the share of other processes. */
  share(): Promise<number | undefined>;
}

/** Watches what others use. `pids` lists the processes of the benchmark, which may change. */
export async function watchOthers(pids: () => Promise<readonly (string | number)[]>): Promise<Disturbance> {
  const own = new Map<string, number>();
  let before = { at: performance.now(), busy: await busyMilliseconds() };
  for (const pid of await pids()) own.set(String(pid), await processMilliseconds(pid));
  async function look(): Promise<Usage> {
    const now = { at: performance.now(), busy: await busyMilliseconds() };
    let ours = 0;
    for (const pid of await pids()) {
      const had = await processMilliseconds(pid);
      ours += Math.max(0, had - (own.get(String(pid)) ?? 0));
      own.set(String(pid), had);
    }
    const passed = (now.at - before.at) * availableParallelism();
    const all = now.busy === undefined || before.busy === undefined ? undefined : now.busy - before.busy;
    before = now;
    const othersShare = all === undefined ? undefined : Math.min(1, Math.max(0, (all - ours) / passed));
    return { othersShare, ownMilliseconds: ours };
  }
  return { look, share: async () => (await look()).othersShare };
}
