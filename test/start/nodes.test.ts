// A real installation: migrate, merchants, and several nodes on one database of the operator.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { readMigrations } from '../../src/database/index.ts';
import { runHere } from '../support/command.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  aDataDir,
  type Ended,
  type Environment,
  quietPort,
  type Running,
  runGrosz,
  startGrosz,
} from '../support/process.ts';
import { ask, atEnd } from '../support/service.ts';

const order = { amount: 5, description: 'Order' };

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

async function tokenOf(url: string, { clientId, clientSecret }: Client): Promise<string | undefined> {
  const body = { client_id: clientId, client_secret: clientSecret };
  return (await ask(url, 'POST', '/oauth/auth', { body })).body.access_token;
}

suite('an installation on a database of its own', () => {
  let environment: Environment;
  let merchant: Client & { id: string; merchantNumber: number; posId: string };
  const urls: string[] = [];
  const workUrls: string[] = [];
  const nodes: Running[] = [];

  before(async () => {
    const database = await emptyDatabase();
    environment = {
      DATABASE_URL: database.url,
      DATA_DIR: aDataDir(),
      VAULT_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    };
    atEnd(() => database.drop());
  });

  const groszProcess = (...args: string[]): Promise<Ended> => runGrosz(args, environment);
  const grosz = (...args: string[]): Promise<Ended> => runHere(args, environment);

  // Guarantee: nodes that migrate concurrently take turns, and each step is done once.
  test('two concurrent migrations', async () => {
    const both = await Promise.all([groszProcess('migrate'), groszProcess('migrate')]);
    for (const { code, stderr } of both) assert.deepEqual([code, stderr], [0, '']);
    const applied = both.flatMap(({ stdout }) => stdout.match(/\d{4}_\w+\.sql/g) ?? []).sort();
    assert.deepEqual(
      applied,
      (await readMigrations()).map(({ name }) => name),
    );
    assert.equal((await grosz('migrate')).stdout, 'The schema is up to date.\n');
  });

  // Guarantee: an operator creates merchants and gets their secrets, once.
  test('merchant create, with all faults together', async () => {
    const refused = await grosz(
      'merchant',
      'create',
      '--email',
      'no',
      '--country',
      'Poland',
      '--channels',
      '1',
      '--zone',
      'Mars',
    );
    assert.equal(refused.code, 1);
    for (const option of ['--name', '--email', '--country', '--channels', '--zone'])
      assert.ok(refused.stderr.includes(option));
    const made = await groszProcess(
      'merchant',
      'create',
      '--name',
      'Shop',
      '--email',
      'shop@example.com',
      '--fee-percent',
      '1.5',
    );
    assert.deepEqual([made.code, made.stderr], [0, '']);
    merchant = JSON.parse(made.stdout);
    assert.deepEqual(Object.keys(merchant), [
      'id',
      'merchantNumber',
      'posId',
      'clientId',
      'clientSecret',
      'securityCode',
      'webhookSecret',
    ]);
    const { stdout } = await grosz('merchant', 'list');
    assert.match(
      stdout,
      new RegExp(
        `^${merchant.id} +${merchant.merchantNumber} +merchant +active +Shop <shop@example\\.com>\n +${merchant.clientId} +full`,
        'm',
      ),
    );
    assert.ok(!stdout.includes(merchant.clientSecret));
  });

  // Guarantee: two serving nodes and two workers run on one database.
  test('two serve and two work', async () => {
    for (let node = 0; node < 2; node += 1) {
      const port = await quietPort();
      urls.push(`http://127.0.0.1:${port}`);
      const workPort = await quietPort();
      workUrls.push(`http://127.0.0.1:${workPort}`);
      nodes.push(
        startGrosz(['serve'], { ...environment, PORT: String(port) }),
        startGrosz(['work'], { ...environment, WORK_PORT: String(workPort) }),
      );
    }
    await Promise.all(
      nodes.map((node, index) =>
        node.until(index % 2 === 0 ? /Grosz is listening at http/ : /The Grosz engine is running\./),
      ),
    );
    const [one = '', other = ''] = urls;
    const token = await tokenOf(one, merchant);
    const made = await ask(one, 'POST', '/transactions', { ...(token ? { token } : {}), body: order });
    assert.equal(made.status, 200, made.text);
    const shown = await ask(other, 'GET', `/transactions/${made.body.transactionId}`, { ...(token ? { token } : {}) });
    assert.equal(shown.status, 200);
  });

  // Guarantee: a worker serves its health and metrics, and nothing else.
  test('a worker serves its health and metrics, and nothing else', async () => {
    for (const url of workUrls) {
      for (const path of ['/health/live', '/health/ready']) assert.equal((await ask(url, 'GET', path)).status, 200);
      const figures = await fetch(`${url}/metrics`);
      assert.equal(figures.status, 200);
      const text = await figures.text();
      for (const figure of ['grosz_work_due', 'grosz_work_failed_total', 'grosz_process_resident_memory_bytes'])
        assert.ok(text.includes(figure), figure);
      for (const path of ['/transactions', '/docs', '/openapi.json'])
        assert.equal((await ask(url, 'GET', path)).status, 404);
    }
  });

  // Guarantee: a port in use is one clear message, and the worker does not start.
  test('work at a port that is in use', async () => {
    const [url = ''] = workUrls;
    const { port } = new URL(url);
    const { code, stderr } = await runHere(['work'], { ...environment, WORK_PORT: port });
    assert.equal(code, 1);
    assert.equal(stderr, `Port ${port} is in use. Set WORK_PORT to a free one: WORK_PORT=3101 grosz work\n`);
  });

  // Guarantee: an idempotency key holds across all nodes.
  test('one key on two nodes makes one transaction', async () => {
    const token = (await tokenOf(urls[0] ?? '', merchant)) ?? '';
    const headers = { 'idempotency-key': 'over-all-nodes' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(urls[index % 2] ?? '', 'POST', '/transactions', { token, body: order, headers }),
      ),
    );
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.transactionId));
    assert.equal(ids.size, 1);
    for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status));
    assert.equal((await ask(urls[1] ?? '', 'GET', '/transactions', { token })).body.total, 2);
  });

  // Guarantee: an operator changes what is given and nothing else; concurrent changes do not undo each other.
  test('merchant show and set', async () => {
    const settings = async () => JSON.parse((await grosz('merchant', 'show', merchant.id)).stdout);
    const set = (...options: string[]) => grosz('merchant', 'set', merchant.id, ...options);
    const before = await settings();
    assert.deepEqual(
      [before.name, before.feePercent, before.status, before.requestsPerSecond],
      ['Shop', 1.5, 'active', null],
    );

    const both = await Promise.all([
      groszProcess('merchant', 'set', merchant.id, '--channels', '64,53'),
      groszProcess('merchant', 'set', merchant.id, '--zone', 'Europe/London', '--refund-fee', '0.3'),
    ]);
    for (const { code, stderr } of both) assert.deepEqual([code, stderr], [0, '']);
    await set('--notification-url', 'https://shop.example.com/told', '--requests-per-second', '7');
    const after = {
      ...before,
      channels: [64, 53],
      zone: 'Europe/London',
      refundFee: 0.3,
      notificationUrl: 'https://shop.example.com/told',
      requestsPerSecond: 7,
    };
    assert.deepEqual(await settings(), after);
    const emptied = await set('--notification-url', '', '--requests-per-second', '');
    assert.deepEqual(JSON.parse(emptied.stdout), { ...after, notificationUrl: null, requestsPerSecond: null });

    assert.deepEqual(before.mails, ['paid', 'charged', 'charge-failed', 'refunded', 'order']);
    const mailed = JSON.parse((await set('--mails', 'paid,refunded', '--language', 'de')).stdout);
    assert.deepEqual([mailed.mails, mailed.language], [['paid', 'refunded'], 'de']);
    assert.match((await set('--mails', 'paid,gone')).stderr, /--mails must be names from paid, charged/);
    assert.match((await set('--language', 'xx')).stderr, /--language must be one of pl, en/);
    await set('--mails', before.mails.join(','), '--language', '');

    const refused = await set('--zone', 'Mars', '--status', 'gone', '--fee-percent', '101', '--name', 'Other');
    assert.equal(refused.code, 1);
    for (const option of ['--zone', '--status', '--fee-percent']) assert.ok(refused.stderr.includes(option), option);
    assert.match((await set('--name', 'Shop\nBcc: x')).stderr, /--name must have .* in one line/);
    assert.deepEqual(await settings(), { ...after, notificationUrl: null, requestsPerSecond: null });
  });

  /**
   * Asks every node until it gives this response: a request that starts a second after the change never gets the old
   * one.
   */
  async function followed(token: string, answer: number): Promise<void> {
    const changedAt = performance.now();
    for (const url of urls) {
      for (;;) {
        const begunAt = performance.now();
        if ((await ask(url, 'GET', '/transactions', { token })).status === answer) break;
        assert.ok(begunAt - changedAt < 1_000, 'within a second');
      }
    }
  }

  // Guarantee: the credentials of a blocked account work on no node until it is active again.
  test('merchant set --status', async () => {
    const token = (await tokenOf(urls[0] ?? '', merchant)) ?? '';
    const followWith = async (status: string, answer: number) => {
      assert.equal((await grosz('merchant', 'set', merchant.id, '--status', status)).code, 0);
      await followed(token, answer);
    };
    for (const url of urls) assert.equal((await ask(url, 'GET', '/transactions', { token })).status, 200);
    await followWith('blocked', 401);
    assert.equal(await tokenOf(urls[0] ?? '', merchant), undefined);
    await followWith('active', 200);
  });

  // Guarantee: credentials are created, rotated, dropped and revoked from the command line, and all nodes follow.
  test('merchant credential, rotate, drop and revoke', async () => {
    const [one = '', other = ''] = urls;
    const reader = JSON.parse((await grosz('merchant', 'credential', merchant.id, '--read-only')).stdout) as Client;
    const readerToken = (await tokenOf(one, reader)) ?? '';
    assert.equal((await ask(other, 'POST', '/transactions', { token: readerToken, body: order })).status, 403);

    const rotated = JSON.parse((await grosz('merchant', 'rotate', merchant.clientId)).stdout) as Client;
    assert.equal(rotated.clientId, merchant.clientId);
    assert.ok(await tokenOf(one, merchant), 'the old secret still works');
    assert.ok(await tokenOf(other, rotated), 'the new secret works');
    assert.equal(
      (await grosz('merchant', 'drop', merchant.clientId)).stdout,
      'The older secret and its tokens no longer work.\n',
    );
    assert.equal(await tokenOf(one, merchant), undefined);
    const token = (await tokenOf(other, rotated)) ?? '';
    assert.match((await grosz('merchant', 'drop', merchant.clientId)).stdout, /only one secret/);

    for (const url of urls) assert.equal((await ask(url, 'GET', '/transactions', { token })).status, 200);
    assert.equal((await grosz('merchant', 'revoke', merchant.clientId)).code, 0);
    await followed(token, 401);
    assert.equal(await tokenOf(one, rotated), undefined);
    assert.match((await grosz('merchant', 'list')).stdout, new RegExp(`${merchant.clientId} +revoked`));
  });

  // Guarantee: what cannot be done is one clear message, without a stack.
  for (const [args, message] of [
    [['merchant'], /^Missing or unknown action. Usage: grosz merchant /],
    [['merchant', 'dance'], /^Missing or unknown action. Usage: grosz merchant /],
    [['merchant', 'credential', 'x'], /^There is no account "x"\. See: grosz merchant list\n$/],
    [['merchant', 'show', 'nope'], /^There is no account "nope"\. See: grosz merchant list\n$/],
    [['merchant', 'show'], /^Missing account id\. Usage: grosz merchant show ID\n$/],
    [
      ['merchant', 'set', '01ARYZ6S41TSV4RRFFQ69G5FAV', '--name', 'x'],
      /^There is no account 01ARYZ6S41TSV4RRFFQ69G5FAV\.\n$/,
    ],
    [['merchant', 'credential', '01ARYZ6S41TSV4RRFFQ69G5FAV'], /^There is no account 01ARYZ6S41TSV4RRFFQ69G5FAV\.\n$/],
    [['merchant', 'rotate', 'x'], /^Missing or invalid client id. Usage: grosz merchant rotate CLIENT_ID\n$/],
    [['merchant', 'rotate', '01ARYZ6S41TSV4RRFFQ69G5FAV-01ARYZ6S41TSV4RRFFQ69G5FAV'], /^The credential does not exist/],
    [['merchant', 'drop', '01ARYZ6S41TSV4RRFFQ69G5FAV-01ARYZ6S41TSV4RRFFQ69G5FAV'], /^The credential does not exist/],
    [['merchant', 'revoke', '01ARYZ6S41TSV4RRFFQ69G5FAV-01ARYZ6S41TSV4RRFFQ69G5FAV'], /^The credential does not exist/],
  ] as const) {
    test(`refused: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await grosz(...args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /^\s+at /m);
    });
  }

  // Guarantee: a node with another vault key would encrypt what others cannot decrypt, so it does not start.
  test('another vault key is refused', async () => {
    const { code, stderr } = await runHere(['serve'], {
      ...environment,
      PORT: String(await quietPort()),
      VAULT_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    });
    assert.equal(code, 1);
    assert.match(stderr, /^The vault key is not the one that this database was set up with\./);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });

  // Guarantee: every node shuts down cleanly.
  test('the nodes end with code 0', async () => {
    for (const { code, stderr } of await Promise.all(nodes.map((node) => node.stop()))) {
      assert.deepEqual([code, stderr], [0, '']);
    }
  });
});

suite('the demo on a database of the operator', () => {
  // Guarantee: outside the demo the service refuses to run with demo secrets.
  test('MODE=live refuses a demo database', async () => {
    const database = await emptyDatabase();
    const dataDir = aDataDir();
    const port = String(await quietPort());
    const environment = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: port };
    const demo = startGrosz(['start'], environment);
    atEnd(() => database.drop());
    await demo.until(/Ctrl-C stops it/);
    assert.equal((await demo.stop()).code, 0);
    const live = {
      ...environment,
      MODE: 'live',
      BASE_URL: 'https://pay.example.com',
      VAULT_KEYS: `data:${readFileSync(join(dataDir, 'vault.key'), 'utf8').trim()}`,
      ACQUIRER_URL: 'https://bank.example.com',
      ACQUIRER_SECRET: `k1:${'s'.repeat(32)}`,
    };
    for (const command of ['serve', 'work']) {
      const { code, stderr } = await runHere([command], live);
      assert.equal(code, 1);
      assert.equal(stderr, 'This database was set up with MODE=sandbox. MODE=live needs a separate database.\n');
    }
    const started = await runHere(['start'], live);
    assert.equal(started.code, 1);
    assert.match(started.stderr, /^start runs the demo\./);
  });
});
