// Ports of this machine: whether one is free, and one that stays free.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Listens for a moment; rejects with the machine's own error when that cannot be. */
export function tryPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

// Below the numbers that systems give to outgoing connections (Linux from 32768, gVisor from 16000, the others from
// 49152): such a connection would hold the port of a server that was killed and is to come back.
const firstQuiet = 10_000;
const afterLastQuiet = 15_999;
const triesAtMost = 100;

/** A free port of this machine, with the one after it free too, that no outgoing connection gets by itself. */
export async function quietPort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(firstQuiet, afterLastQuiet);
    try {
      await tryPort('127.0.0.1', port);
      await tryPort('127.0.0.1', port + 1);
      return port;
    } catch (error) {
      if (tries === triesAtMost) throw error;
    }
  }
}
