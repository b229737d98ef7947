// Local ports: whether one is free, and how to find one that stays free.

import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Listens for a moment; rejects with the system's error if that fails. */
export function tryPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

const firstQuiet = 10_000;
const leastQuiet = 5_000;
const triesAtMost = 100;

/** The first ephemeral port: as reported by Linux, or the lowest default of other systems. */
async function firstOutgoing(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768');
  return Number.parseInt(range, 10);
}

/**
 * A free port, with the next one free too, outside the ephemeral range: an outgoing connection could otherwise take the
 * port of a server that was killed and is about to restart.
 */
export async function quietPort(): Promise<number> {
  const end = Math.max(firstQuiet + leastQuiet, (await firstOutgoing()) - 1);
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(firstQuiet, end);
    try {
      await tryPort('127.0.0.1', port);
      await tryPort('127.0.0.1', port + 1);
      return port;
    } catch (error) {
      if (tries === triesAtMost) throw error;
    }
  }
}
