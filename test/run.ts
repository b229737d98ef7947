// `npm test`: types, lint, then every test on a real PostgreSQL that is started for this run.
// `npm test -- FILES` runs only those files.

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, openEmbeddedPostgres, readMigrations, systemClock } from '../src/platform/index.ts';
import { ensureChromium } from './support/chromium.ts';
import { templateName } from './support/database.ts';
import { installWatch } from './support/watch.ts';

const chosen = process.argv.slice(2);
const files = chosen.length > 0 ? chosen : globSync(['{src,contract,sdk}/**/*.test.ts', 'test/**/*.test.ts']).sort();

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status } = spawnSync(program, args, { stdio: 'inherit', env });
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''} failed.`);
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${templateName}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${templateName}`;
  await migrate(url.toString(), await readMigrations(), systemClock.now().toString());
  await installWatch(url.toString());
}

const folder = mkdtempSync(join(tmpdir(), 'grosz-test-'));
let failed = false;
try {
  if (chosen.length === 0) {
    run('tsc', ['--noEmit']);
    run('tsc', ['--noEmit', '-p', 'web/pay']);
    run('biome', ['check', '--error-on-warnings']);
  }
  if (files.some((file) => file.includes('test/browser/'))) ensureChromium();
  // Nothing in these databases must outlive the run, so they need no fsync; tests of durability start their own server.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' };
  const postgres = await openEmbeddedPostgres({ dataDir: folder, settings });
  try {
    await makeTemplate(postgres.url);
    const env = { ...process.env, TEST_DATABASE_URL: postgres.url };
    run(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=120000', ...files], env);
  } finally {
    await postgres.stop();
  }
} catch (error) {
  failed = true;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
