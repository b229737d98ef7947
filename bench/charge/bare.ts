// The first peer: bare SQL that writes the same rows in batches.

import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import { sessionOptions } from '../../src/database/index.ts';
import { openService } from '../../src/open.ts';
import { given, serveParent } from '../support/child.ts';
import type { EngineGiven, RoundSeen } from './engine.ts';
import { firstAt, seed } from './seed.ts';
import { endCharges, startDueCharges } from './sql.ts';

export interface BareOptions {
  readonly setSize: number;
  /** Concurrent loops, each on its own connection. */
  readonly loops: number;
}

const { name, dataDir, databaseUrl, stored, due } = given<EngineGiven>();
const config = readConfig({ MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
const service = await openService(config, databaseUrl, { name, logFile: join(dataDir, 'grosz.log') });
await seed(service.tools, databaseUrl, stored, due);
const clients = [0, 1].map(() => new pg.Client({ connectionString: databaseUrl, options: sessionOptions }));
await Promise.all(clients.map((client) => client.connect()));

let now = firstAt;

async function loop(client: pg.Client, setSize: number, next: Temporal.Instant): Promise<number> {
  let charges = 0;
  for (;;) {
    const ids = await startDueCharges(client, now.toString(), setSize);
    if (ids.length === 0) return charges;
    await endCharges(client, now.toString(), ids, next.toString());
    charges += ids.length;
  }
}

async function round({ setSize, loops }: BareOptions): Promise<RoundSeen> {
  const next = now.toZonedDateTimeISO('Europe/Warsaw').add({ months: 1 }).toInstant();
  const started = performance.now();
  const made = await Promise.all(clients.slice(0, loops).map((client) => loop(client, setSize, next)));
  const milliseconds = performance.now() - started;
  const charges = made.reduce((sum, count) => sum + count, 0);
  now = next;
  return { charges, milliseconds };
}

serveParent({ ready: true }, round, async () => {
  for (const client of clients) await client.end();
  await service.close();
});
