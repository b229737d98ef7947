// An upgrade without a gap: nodes restart one by one, and a migration of the next version runs beside them, under load.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { createAccount, createCredential } from '../../src/accounts/index.ts';
import { migrate, readMigrations } from '../../src/database/index.ts';
import { systemClock } from '../../src/runtime/index.ts';
import { Balancer } from '../support/balancer.ts';
import { quietPort, type Running, startGrosz } from '../support/process.ts';
import { ask, aWorld, type TestWorld } from '../support/service.ts';

/** Requests in flight at once. */
const clients = 4;
/** Answers that have to arrive through the nodes as they are, before the next step. */
const answersBetween = 50;

interface Node {
  readonly url: string;
  running: Running;
}

suite('an upgrade under load', () => {
  let world: TestWorld;
  let balancer: Balancer;
  let token: string;
  const nodes: Node[] = [];
  const created: string[] = [];
  const faults: string[] = [];
  let asked = 0;
  let stopped = false;
  let load: Promise<void>[];

  function startNode(url: string): Running {
    const environment = {
      DATABASE_URL: world.databaseUrl,
      VAULT_KEYS: `test:${Buffer.from(world.vaultKey).toString('base64')}`,
      BANK_FILE: world.bankFile,
      PORT: new URL(url).port,
      BASE_URL: 'http://127.0.0.1',
    };
    return startGrosz(['serve'], environment);
  }

  async function until(node: Node): Promise<void> {
    await node.running.until(/Grosz is listening/);
    assert.equal((await ask(node.url, 'GET', '/health/ready')).status, 200);
  }

  async function client(): Promise<void> {
    while (!stopped && faults.length === 0) {
      asked += 1;
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `order-${asked}` };
      const order = { amount: 5, description: `Order ${asked}` };
      const { status, body } = await balancer
        .post('/transactions', headers, order)
        .catch((error: Error) => ({ status: 0, body: error.message }));
      if (status === 200) created.push(body.transactionId);
      else faults.push(`${status} ${JSON.stringify(body)}`);
    }
  }

  /** Waits until so many further requests were answered. */
  async function someAnswers(): Promise<void> {
    const enough = created.length + answersBetween;
    while (created.length < enough && faults.length === 0) await new Promise(setImmediate);
    assert.deepEqual(faults, []);
  }

  before(async () => {
    world = await aWorld();
    const { clientId, clientSecret } = await world.db.atomic(async (sql) => {
      const details = { kind: 'merchant', name: 'Shop', email: 'shop@example.com', testMode: true } as const;
      const account = await createAccount(world, sql, details);
      return createCredential(world, sql, account.id, 'full', 'Test');
    });
    for (let count = 0; count < 2; count += 1) {
      const url = `http://127.0.0.1:${await quietPort()}`;
      nodes.push({ url, running: startNode(url) });
    }
    await Promise.all(nodes.map(until));
    balancer = new Balancer(nodes.map(({ url }) => url));
    const body = { client_id: clientId, client_secret: clientSecret.reveal() };
    token = (await ask(nodes[0]?.url ?? '', 'POST', '/oauth/auth', { body })).body.access_token;
    load = Array.from({ length: clients }, client);
    await someAnswers();
  });

  // Guarantee: a planned restart is seen by nobody.
  test('a node that gets no further requests restarts: no connection is refused or cut', async () => {
    const [node] = nodes;
    assert.ok(node);
    await balancer.drain(node.url);
    const { code, stderr } = await node.running.stop();
    assert.deepEqual([code, stderr], [0, '']);
    node.running = startNode(node.url);
    await until(node);
    assert.deepEqual([balancer.refused, balancer.cut], [0, 0]);
    balancer.restore(node.url);
    await someAnswers();
  });

  // Guarantee: without a warning, requests only meet closed connections, which are opened at the other node.
  test('a node restarts at once: every request is answered by the other one', async () => {
    const [, node] = nodes;
    assert.ok(node);
    const { code, stderr } = await node.running.stop();
    assert.deepEqual([code, stderr], [0, '']);
    await someAnswers();
    assert.ok(balancer.refused > 0);
    node.running = startNode(node.url);
    await until(node);
    await someAnswers();
  });

  // Guarantee: the migrations of the next version run while the nodes of this one serve.
  test('a later migration runs beside the nodes', async () => {
    const text =
      'create table of_the_next_version (id text primary key); alter table transaction add column later text;';
    const later = { name: '9999_later.sql', text, checksum: 'later' };
    const applied = await migrate(
      world.databaseUrl,
      [...(await readMigrations()), later],
      systemClock.now().toString(),
    );
    assert.deepEqual(applied, [later.name]);
    await someAnswers();
    for (const { url } of nodes) assert.equal((await ask(url, 'GET', '/health/ready')).status, 200);
  });

  test('every request was answered with 200, and every transaction is there once', async () => {
    stopped = true;
    await Promise.all(load);
    assert.deepEqual(faults, []);
    assert.equal(created.length, asked);
    const ids = await world.db.sql.many((row) => String(row.id))`select id from transaction`;
    assert.deepEqual(ids.sort(), [...created].sort());
    for (const { code, stderr } of await Promise.all(nodes.map(({ running }) => running.stop())))
      assert.deepEqual([code, stderr], [0, '']);
  });
});
