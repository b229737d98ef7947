// A process of the service, as `start`, `serve` or `work` runs it, which can profile itself.

import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { startEngine } from '../../src/engine/index.ts';
import { openService } from '../../src/open.ts';
import { openDemo } from '../../src/sandbox/index.ts';
import { given, portOf, serveParent } from '../support/child.ts';
import { type Shares, sharesOf } from './stages.ts';

export interface NodeGiven {
  readonly name: 'start' | 'serve' | 'work';
  readonly dataDir: string;
  readonly databaseUrl: string;
}

export interface NodeReady {
  /** 0 if it does not serve. */
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Starts or stops a profile of the main thread. */
export interface NodeAsk {
  readonly profile: boolean;
}

export interface NodeSeen {
  readonly shares: Shares;
}

const sampleMicroseconds = 500;

const { name, dataDir, databaseUrl } = given<NodeGiven>();
const config = readConfig({
  MODE: 'sandbox',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  REQUESTS_PER_SECOND: '1000000',
  ADDRESS_REQUESTS_PER_SECOND: '1000000',
  ALLOW_HTTP_CALLBACKS: 'true',
  ALLOW_PRIVATE_CALLBACKS: 'true',
});
const service = await openService(config, databaseUrl, { name, logFile: join(dataDir, 'grosz.log') });
const { merchant } = await openDemo(service.tools);
const app = name === 'work' ? undefined : await build(service.tools, service.rooms);
const engine = name === 'serve' ? undefined : startEngine(service.tools, service.rooms.works, 1_000);
await app?.listen({ host: '127.0.0.1', port: 0 });

const inspector = new Session();
inspector.connect();

async function profile({ profile: begins }: NodeAsk): Promise<NodeSeen> {
  if (begins) {
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.setSamplingInterval', { interval: sampleMicroseconds });
    await inspector.post('Profiler.start');
    return { shares: {} };
  }
  const { profile: seen } = await inspector.post('Profiler.stop');
  return { shares: sharesOf(seen) };
}

const { clientId, clientSecret } = merchant;
const ready: NodeReady = { port: app ? portOf(app) : 0, clientId, clientSecret };
serveParent(ready, profile, async () => {
  await app?.close();
  await engine?.stop();
  await service.close();
});
