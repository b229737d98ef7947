// Real processes that serve next to a stage of posts: the same database, bank and vault.

import { fileURLToPath } from 'node:url';
import type { BatchLimits } from '../../src/database/index.ts';
import type { PostStage } from './posts.ts';
import { aDataDir, type Running, startScript } from './process.ts';

const script = fileURLToPath(new URL('./serve-process.ts', import.meta.url));

export interface PostNode {
  readonly url: string;
  /** kill -9; resolves when the process is gone, and so is what the database was still doing for it. */
  kill(): Promise<void>;
  /** Stops it where it is, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts a process and resolves when it responds. */
export async function aPostNode({ home }: PostStage, batchLimits: BatchLimits): Promise<PostNode> {
  const { databaseUrl, bankFile, vaultKey } = home.world;
  const running = startScript(script, [JSON.stringify(batchLimits)], {
    DATA_DIR: aDataDir(),
    DATABASE_URL: databaseUrl,
    BANK_FILE: bankFile,
    VAULT_KEYS: `test:${Buffer.from(vaultKey).toString('base64')}`,
    ALLOW_HTTP_CALLBACKS: 'true',
    ALLOW_PRIVATE_CALLBACKS: 'true',
    LOG_LEVEL: 'silent',
  });
  const [, url = ''] = /serves (\S+)/.exec(await running.until(/serves \S+\n/)) ?? [];
  return {
    url,
    kill: () => kill(home.world.db.sql, running),
    signal: (signal) => running.kill(signal),
  };
}

async function kill(sql: PostStage['home']['world']['db']['sql'], running: Running): Promise<void> {
  running.kill('SIGKILL');
  await running.ended;
  await sql.run`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${`grosz serve ${running.pid}`}`;
}

/**
 * The effect of two minutes: the leases of a dead process expire. Those of others expire too, and two concurrent runs
 * must do no harm.
 */
export async function endLeases({ home }: PostStage): Promise<void> {
  const { sql } = home.world.db;
  await sql.run`update idempotency_key set lease_until = started_at where answered_at is null`;
  await sql.run`update sandbox_clock set lease_until = lease_until - interval '2 minutes'`;
}
