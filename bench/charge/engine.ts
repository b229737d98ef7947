// The recurring engine, as `work` runs it, with the simulated bank in the same process. Its clock jumps from month to
// month, so that the same recurring payments become due again and again.

import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { type BusinessClock, idsFrom } from '../../src/runtime/index.ts';
import type { Tools } from '../../src/tools.ts';
import { chargeDue } from '../../test/support/rooms.ts';
import { given, serveParent } from '../support/child.ts';
import { firstAt, seed } from './seed.ts';

export interface EngineGiven {
  readonly name: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly stored: number;
  readonly due: number;
}

export interface RoundSeen {
  readonly charges: number;
  readonly milliseconds: number;
}

const { name, dataDir, databaseUrl, stored, due } = given<EngineGiven>();
const config = readConfig({ MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
const service = await openService(config, databaseUrl, { name, logFile: join(dataDir, 'grosz.log') });
await seed(service.tools, databaseUrl, stored, due);

let now = firstAt;
const clock: BusinessClock = { now: () => now, momentOf: () => now };
const tools: Tools = { ...service.tools, clock, ids: idsFrom(clock, service.tools.random) };
const world = { ...tools, bank: service.bank };

/** Charges everything that is due, then jumps to the next month. */
async function round(): Promise<RoundSeen> {
  const started = performance.now();
  let charges = 0;
  for (let done = await chargeDue(world); done > 0; done = await chargeDue(world)) charges += done;
  const milliseconds = performance.now() - started;
  now = now.toZonedDateTimeISO('Europe/Warsaw').add({ months: 1 }).toInstant();
  return { charges, milliseconds };
}

serveParent({ ready: true }, round, () => service.close());
