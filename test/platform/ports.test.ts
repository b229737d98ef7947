import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { quietPort, tryPort } from '../../src/embedded/index.ts';

// Guarantee: a server that was killed can restart on its port: no outgoing connection has taken it in between.
test('a quiet port is free, and not one that outgoing connections get', async (context) => {
  const range = '/proc/sys/net/ipv4/ip_local_port_range';
  const firstOutgoing = existsSync(range) ? Number.parseInt(readFileSync(range, 'utf8'), 10) : 32_768;
  if (firstOutgoing < 15_001) return context.skip(`this machine gives ports from ${firstOutgoing} to connections`);
  for (let round = 0; round < 20; round += 1) {
    const port = await quietPort();
    assert.ok(port > 1_023 && port + 1 < firstOutgoing, `${port} is below ${firstOutgoing}`);
    await tryPort('127.0.0.1', port);
  }
});

// Guarantee: a port in use is reported with the system's own code.
test('a port in use is refused', async (context) => {
  const port = await quietPort();
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
  context.after(() => new Promise((resolve) => holder.close(resolve)));
  await assert.rejects(tryPort('127.0.0.1', port), { code: 'EADDRINUSE' });
});
