// The embedded database server and the processes that share it: who starts it, and who stops it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import pg from 'pg';
import { embeddedClients, openEmbeddedPostgres } from '../../src/embedded/index.ts';
import { inTurn } from '../../src/embedded/lock.ts';
import { processName } from '../../src/runtime/index.ts';
import { aDataDir, isAlive, postmasterOf, quietPort, startGrosz } from '../support/process.ts';
import { ask, atEnd } from '../support/service.ts';

const lockModule = new URL('../../src/embedded/lock.ts', import.meta.url).href;

/** A process that holds the lock of a data folder and does not release it by itself. */
async function aHolder(dataDir: string): Promise<ChildProcess> {
  const code = `
    const { inTurn } = await import(${JSON.stringify(lockModule)});
    await inTurn(${JSON.stringify(dataDir)}, 0, () => {
      process.stdout.write('mine');
      return new Promise((resolve) => process.stdin.on('data', resolve));
    });
    process.exit(0);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(async () => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
}

suite('turns with a data folder', () => {
  // Guarantee: two processes, or two calls in one process, never create, start or stop the server of a folder
  // concurrently.
  test('while one has it the others wait', async () => {
    const dataDir = aDataDir();
    const holder = await aHolder(dataDir);
    await assert.rejects(
      inTurn(dataDir, 0, async () => undefined),
      /Another process has been starting or stopping/,
    );
    holder.stdin?.write('enough');
    await once(holder, 'exit');
    await inTurn(dataDir, 0, () => assert.rejects(inTurn(dataDir, 0, async () => undefined)));
    assert.equal(await inTurn(dataDir, 0, async () => 'mine'), 'mine');
  });

  // Guarantee: a process that dies while holding the lock blocks nobody, whatever has its process id by then.
  test('who is killed gives it up', async () => {
    const dataDir = aDataDir();
    const holder = await aHolder(dataDir);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    assert.equal(await inTurn(dataDir, 0, async () => 'mine'), 'mine');
  });

  // Guarantee: two concurrent starts in an empty folder create one database and one set of demo accounts, and both
  // respond.
  test('two concurrent starts in an empty folder', async () => {
    const dataDir = aDataDir();
    const ports = [await quietPort(), await quietPort()];
    const both = ports.map((port) => startGrosz(['start'], { DATA_DIR: dataDir, PORT: String(port) }));
    await Promise.all(both.map((one) => one.until(/Ctrl-C stops it/)));
    const postmaster = postmasterOf(dataDir) ?? 0;
    const { merchant } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
    const body = { client_id: merchant.clientId, client_secret: merchant.clientSecret };
    for (const port of ports)
      assert.equal((await ask(`http://127.0.0.1:${port}`, 'POST', '/oauth/auth', { body })).status, 200);
    assert.equal((await both[0]?.stop())?.code, 0);
    assert.equal(isAlive(postmaster), true, 'the other one still uses it');
    assert.equal((await both[1]?.stop())?.code, 0);
    assert.equal(isAlive(postmaster), false);
  });
});

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

  // Guarantee: the server is not stopped while another Grosz process uses it.
  test('keeps running while another process is connected', async () => {
    assert.equal(await stopWhileConnectedAs('grosz serve 1'), false);
  });

  // Guarantee: --fresh removes no data unless it is certain that nobody uses it.
  test('one that does not tell who uses it is not taken for unused', async () => {
    const server = await openEmbeddedPostgres({ dataDir });
    assert.equal(await embeddedClients(dataDir), 0);
    const file = join(dataDir, 'postgres.password');
    const password = readFileSync(file, 'utf8');
    writeFileSync(file, 'another one');
    await assert.rejects(embeddedClients(dataDir), /does not tell who uses it: .*password.*Stop it first\.$/);
    writeFileSync(file, password);
    await server.stop();
    assert.equal(await embeddedClients(dataDir), 0);
  });

  // Guarantee: the last process stops it, even if its own connections have not closed yet, as on a busy machine.
  test('ends with the last process, whose own connections do not count', async () => {
    assert.equal(await stopWhileConnectedAs(processName('start')), true);
  });
});
