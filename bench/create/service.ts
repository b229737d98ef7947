// The service, as `serve` runs it: the real build() with authentication, limits, metrics and log.

import { join } from 'node:path';
import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { BatchLimits } from '../../src/database/index.ts';
import { startEngine } from '../../src/engine/index.ts';
import { openService } from '../../src/open.ts';
import { openDemo } from '../../src/sandbox/index.ts';
import { given, portOf, serveParent } from '../support/child.ts';

export interface ServiceGiven {
  readonly name: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly batchLimits?: BatchLimits;
  /** Also runs the engine, as `start` does, and allows notifications to this machine. */
  readonly engine?: boolean;
}

export interface ServiceReady {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ServiceMemory {
  readonly peakBytes: number;
}

const { name, dataDir, databaseUrl, batchLimits, engine } = given<ServiceGiven>();
const config = readConfig({
  MODE: 'sandbox',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  REQUESTS_PER_SECOND: '1000000',
  ADDRESS_REQUESTS_PER_SECOND: '1000000',
  ...(engine ? { ALLOW_HTTP_CALLBACKS: 'true', ALLOW_PRIVATE_CALLBACKS: 'true' } : {}),
});
const service = await openService(config, databaseUrl, {
  name,
  logFile: join(dataDir, 'grosz.log'),
  ...(batchLimits ? { batchLimits } : {}),
});
const { merchant } = await openDemo(service.tools);
const app = await build(service.tools, service.rooms);
const running = engine ? startEngine(service.tools, service.rooms.works, 1_000) : undefined;
await app.listen({ host: '127.0.0.1', port: 0 });
const ready: ServiceReady = {
  port: portOf(app),
  clientId: merchant.clientId,
  clientSecret: merchant.clientSecret,
};
serveParent(
  ready,
  // maxRSS is in KiB, and is the peak since the process started.
  (): ServiceMemory => ({ peakBytes: process.resourceUsage().maxRSS * 1_024 }),
  async () => {
    await app.close();
    await running?.stop();
    await service.close();
  },
);
