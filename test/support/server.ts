// The PostgreSQL of a test run, with the template of all test databases.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, openEmbeddedPostgres, readMigrations, systemClock } from '../../src/platform/index.ts';
import { templateName } from './database.ts';
import { installWatch } from './watch.ts';

export interface TestServer {
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
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

/** Nothing in these databases must outlive the run, so they need no fsync; durability tests start their own server. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' };

export async function openTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'grosz-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const postgres = await openEmbeddedPostgres({ dataDir: folder, settings });
    try {
      await makeTemplate(postgres.url);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    return {
      url: postgres.url,
      async stop() {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
