// The second peer: a general job queue (graphile-worker) on the same database, one job per charge. Each job writes the
// same rows as the engine does for one charge, and calls the same simulated bank between its two database transactions.

import { join } from 'node:path';
import { Logger, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import { sessionOptions } from '../../src/database/index.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import { openService } from '../../src/open.ts';
import { given, serveParent } from '../support/child.ts';
import type { EngineGiven, RoundSeen } from './engine.ts';
import { firstAt, seed } from './seed.ts';
import { endCharges, startOneCharge } from './sql.ts';

export interface QueueOptions {
  readonly jobs: number;
  readonly concurrency: number;
}

const { name, dataDir, databaseUrl, stored, due } = given<EngineGiven>();
const config = readConfig({ MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
const service = await openService(config, databaseUrl, { name, logFile: join(dataDir, 'grosz.log') });
const bank = service.tools.acquirers.named('simulator');
const { dueIds } = await seed(service.tools, databaseUrl, stored, due);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 24, options: sessionOptions });
pool.on('error', () => undefined);
pool.on('connect', (client) => client.on('error', () => undefined));
const logger = new Logger(() => () => undefined);
await runMigrations({ pgPool: pool, logger });

let now = firstAt;
let next = now.toZonedDateTimeISO('Europe/Warsaw').add({ months: 1 }).toInstant();

async function charge(id: string): Promise<void> {
  const client = await pool.connect();
  let key = '';
  try {
    [key = ''] = await startOneCharge(client, now.toString(), id);
  } finally {
    client.release();
  }
  if (key === '') throw new Error(`${id} was not due.`);
  const answer = await bank.charge({
    key,
    merchant: 'bench',
    initiator: 'merchant',
    amount: money(4_990n, 'PLN'),
    instrument: { kind: 'recurring', value: new Secret('tok'), iteration: 1, attempt: 1, blik: null },
    description: 'Monthly box',
    returnUrl: '',
    deadlineMilliseconds: 10_000,
    at: now,
  });
  if (answer.kind !== 'approved') throw new Error(`The bank answered ${answer.kind}.`);
  const settling = await pool.connect();
  try {
    await endCharges(settling, now.toString(), [key], next.toString());
  } finally {
    settling.release();
  }
}

/** Queues a job per charge, in one statement, before the clock starts; then works through them. */
async function round({ jobs, concurrency }: QueueOptions): Promise<RoundSeen> {
  await pool.query(
    `select graphile_worker.add_job('charge', json_build_object('id', id)) from unnest($1::text[]) as id`,
    [dueIds.slice(0, jobs)],
  );
  const done = Promise.withResolvers<void>();
  let charges = 0;
  const started = performance.now();
  const runner = await run({
    pgPool: pool,
    logger,
    noHandleSignals: true,
    pollInterval: 100,
    preset: { worker: { concurrentJobs: concurrency, localQueue: { size: 500 }, completeJobBatchDelay: 0 } },
    taskList: {
      charge: async (payload) => {
        await charge((payload as { id: string }).id);
        charges += 1;
        if (charges === jobs) done.resolve();
      },
    },
  });
  await done.promise;
  const milliseconds = performance.now() - started;
  await runner.stop();
  // Those without a job are due with the others next time.
  await pool.query('update recurring set due_at = $1, scheduled_at = $1 where due_at <= $2', [
    next.toString(),
    now.toString(),
  ]);
  now = next;
  next = now.toZonedDateTimeISO('Europe/Warsaw').add({ months: 1 }).toInstant();
  return { charges, milliseconds };
}

serveParent({ ready: true }, round, async () => {
  await pool.end();
  await service.close();
});
