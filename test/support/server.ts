// The PostgreSQL of a test run, with the templates of all test databases.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openCardKeys } from '../../src/cards/keys.ts';
import { readConfig } from '../../src/config.ts';
import { Database, migrate, readMigrations } from '../../src/database/index.ts';
import { openEmbeddedPostgres } from '../../src/embedded/index.ts';
import { openSigning } from '../../src/notifications/index.ts';
import { idsFrom, openVault, systemClock, systemRandom } from '../../src/runtime/index.ts';
import { TestClock } from './clock.ts';
import { databaseOn, keyedTemplateName, templateName, vaultKeyOf } from './database.ts';
import { dataParent } from './memory.ts';
import { installWatch } from './watch.ts';

export interface TestServer {
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/**
 * Thousands of connections are opened in a run, and deriving the key from the password takes longer than all else about
 * each.
 */
function shortenSignIn(serverUrl: string): Promise<void> {
  const { username, password } = new URL(serverUrl);
  return onServer(serverUrl, `set scram_iterations = 1; alter role ${username} password '${password}'`);
}

async function makeTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${templateName}`);
  const url = databaseOn(serverUrl, templateName);
  await migrate(url, await readMigrations(), systemClock.now().toString());
  await installWatch(url);
}

/** Generating RSA keys is slow: worlds find the keys of the cards and of the signatures in their database. */
async function makeKeyedTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${keyedTemplateName} template ${templateName}`);
  const db = new Database({ url: databaseOn(serverUrl, keyedTemplateName), applicationName: 'template' });
  const [wall, random] = [new TestClock(), systemRandom()];
  const vault = openVault([{ id: 'test', key: vaultKeyOf(serverUrl) }], random);
  const tools = { db, wall, vault, ids: idsFrom(wall, random), config: readConfig({ MODE: 'sandbox' }) };
  await openCardKeys(tools);
  await openSigning(tools);
  await db.close();
}

/** Nothing in these databases must outlive the run, so they need no fsync; durability tests start their own server. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
};

/** A query through a socket in a folder costs both ends a quarter less CPU than over TCP. */
function throughSocket(serverUrl: string, folder: string): string {
  return serverUrl.replace('@127.0.0.1:', `@${encodeURIComponent(folder)}:`);
}

export async function openTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(dataParent(), 'grosz-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const sockets = join(folder, 'postgres');
    const postgres = await openEmbeddedPostgres({
      dataDir: folder,
      settings: { ...settings, unix_socket_directories: sockets },
    });
    const url = throughSocket(postgres.url, sockets);
    try {
      await shortenSignIn(url);
      await makeTemplate(url);
      await makeKeyedTemplate(url);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    return {
      url,
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
