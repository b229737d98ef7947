// The demo shop beside the service: a merchant's own site, on a port of its own, in the same process.

import { createServer } from 'node:net';
import { startShop } from '../../examples/shop/server.ts';
import type { Config } from '../config.ts';
import { StartFault } from '../platform/index.ts';
import { type DemoFile, openDemo } from '../sandbox/index.ts';
import type { World } from '../world.ts';

const portsAtMost = 20;

/** The demo and its shop; `close` stops the shop. */
export async function openDemoWithShop(world: World): Promise<{ demo: DemoFile; close: () => Promise<void> }> {
  const { config } = world;
  const port = await freePort(config);
  const demo = await openDemo(world, port);
  const shop = await startShop({
    host: config.host,
    port,
    dataDir: config.dataDir,
    grosz: { baseUrl: demo.baseUrl, ...demo.merchant },
    onError: (error) => world.log.error({ err: error }, 'the demo shop stumbled'),
  });
  return { demo, close: () => shop.close() };
}

/** The port after the service's own, or the next one that is free. */
async function freePort({ host, port }: Config): Promise<number> {
  for (let candidate = port + 1; candidate <= Math.min(port + portsAtMost, 65_535); candidate += 1) {
    if (await isFree(host, candidate)) return candidate;
  }
  throw new StartFault(`The demo shop found no free port after ${port}. Set PORT to another one.`);
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
