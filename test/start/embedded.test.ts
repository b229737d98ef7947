// Who still uses the embedded database server when a Grosz process ends.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { openEmbeddedPostgres, processName } from '../../src/platform/index.ts';
import { aDataDir, postmasterOf } from '../support/process.ts';

suite('the embedded database server', () => {
  const dataDir = aDataDir();

  async function stopWhileConnectedAs(name: string): Promise<boolean> {
    const server = await openEmbeddedPostgres({ dataDir });
    const client = new pg.Client({ connectionString: server.url, application_name: name });
    client.on('error', () => undefined);
    await client.connect();
    await server.stop();
    await client.end().catch(() => undefined);
    return postmasterOf(dataDir) === undefined;
  }

  // Guarantee: it is not taken away from another Grosz process.
  test('goes on while another process is connected', async () => {
    assert.equal(await stopWhileConnectedAs('grosz serve 1'), false);
  });

  // Guarantee: the last process ends it, even when its own connections have not gone yet, as on a busy machine.
  test('ends with the last process, whose own connections do not count', async () => {
    assert.equal(await stopWhileConnectedAs(processName('start')), true);
  });
});
