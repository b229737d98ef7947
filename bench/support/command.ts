// A command of `grosz` as its own process: how long it takes, and the most memory that it has.

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const lookedEveryMilliseconds = 50;

export interface CommandRun {
  readonly isRight: boolean;
  readonly seconds: number;
  /** The most that the process had in memory. */
  readonly megabytes: number;
  /** Its last lines. */
  readonly said: string;
}

export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
  const begun = performance.now();
  const child = spawn('bin/grosz', args, { env: { ...process.env, ...environment } });
  let said = '';
  child.stdout.on('data', (text) => {
    said = (said + text).slice(-10_000);
    process.stdout.write(`  ${secondsSince(begun)} s  ${String(text).trim().split('\n').at(-1)?.slice(0, 100)}\n`);
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  let peak = 0;
  const looking = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, lookedEveryMilliseconds);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(looking);
  const last = said.split('\n').slice(-4).join('\n').slice(0, 2_000);
  return { isRight: code === 0, seconds: Number(secondsSince(begun)), megabytes: Math.round(peak / 1_024), said: last };
}

export function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1_000).toFixed(1);
}
