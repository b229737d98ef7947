// `npm start`: the life of one data folder, from the first start through crashes to --fresh. The tests build on each
// other.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { tryPort } from '../../src/embedded/index.ts';
import { pause, poolThreads, within } from '../../src/runtime/index.ts';
import { runHere } from '../support/command.ts';
import { untilBlocked } from '../support/database.ts';
import {
  aDataDir,
  embeddedUrl,
  isAlive,
  postmasterOf,
  quietPort,
  type Running,
  runGrosz,
  startByNpm,
  startGrosz,
  untilGone,
} from '../support/process.ts';
import { ask, atEnd } from '../support/service.ts';

const order = { amount: 12.34, description: 'Order' };

suite('npm start', () => {
  let dataDir: string;
  let port: number;
  let url: string;
  let running: Running;

  before(async () => {
    dataDir = aDataDir();
    port = await quietPort();
    url = `http://127.0.0.1:${port}`;
  });

  const environment = () => ({ DATA_DIR: dataDir, PORT: String(port) });
  const demo = () => JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));

  async function start(...args: string[]): Promise<string> {
    running = startGrosz(['start', ...args], environment());
    return running.until(/Ctrl-C stops it/);
  }

  async function token(client = demo().merchant): Promise<string> {
    const body = { client_id: client.clientId, client_secret: client.clientSecret };
    const answer = await ask(url, 'POST', '/oauth/auth', { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.access_token;
  }

  async function total(): Promise<number> {
    return (await ask(url, 'GET', '/transactions', { token: await token() })).body.total;
  }

  async function create(): Promise<string> {
    const answer = await ask(url, 'POST', '/transactions', { token: await token(), body: order });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.transactionId;
  }

  /** The transactions acknowledged so far: all of them must be there, whatever happened in between. */
  const acknowledged: string[] = [];
  async function allAreThere(): Promise<void> {
    const { body } = await ask(url, 'GET', '/transactions?limit=100', { token: await token() });
    const there = new Set(body.transactions.list.map(({ transactionId }: { transactionId: string }) => transactionId));
    for (const id of acknowledged) assert.ok(there.has(id), `${id} is missing`);
  }

  // Guarantee: one command, and it prints where everything is.
  test('the first start prints the addresses', async () => {
    const printed = await start();
    // What takes seconds is told before it begins.
    assert.match(printed, /^Starting Grosz\.\nStarting the database in .+\.\nStarting the service\.\n/);
    for (const line of [`API            ${url}`, `${url}/docs`, join(dataDir, 'demo.json')]) {
      assert.ok(printed.includes(line), `${line} in:\n${printed}`);
    }
    assert.equal((await ask(url, 'GET', '/health/ready')).status, 200);
  });

  // Guarantee: a command in another shell prints links to where the demo runs.
  test('a link of the command line', async () => {
    const environment = { DATA_DIR: dataDir };
    const made = await runHere(['user', 'create', '--operator', '--email', 'olga@example.com'], environment);
    assert.ok(made.stdout.includes(`\n${url}/`), made.stdout + made.stderr);
    const elsewhere = await runHere(['user', 'link', 'olga@example.com'], { ...environment, PORT: '4567' });
    assert.match(elsewhere.stdout, /\nhttp:\/\/127\.0\.0\.1:4567\//, elsewhere.stderr);
  });

  // Guarantee: signatures leave the main thread its share of the cores.
  test('the thread pool has a thread per core', (context) => {
    const threads = `/proc/${running.pid}/task`;
    if (!existsSync(threads)) return context.skip('there is no /proc');
    const names = readdirSync(threads).map((thread) => readFileSync(join(threads, thread, 'comm'), 'utf8').trim());
    assert.equal(names.filter((name) => name === 'libuv-worker').length, poolThreads, names.join(' '));
  });

  // Guarantee: the printed commands work as they are.
  test('the printed curl lines create a payment', async (context) => {
    if (spawnSync('sh', ['-c', 'command -v curl']).status !== 0) return context.skip('there is no curl');
    const printed = await running.until(/Ctrl-C/);
    const lines = printed.slice(printed.indexOf('  TOKEN='), printed.indexOf('Ctrl-C stops it'));
    const { stdout, stderr } = spawnSync('sh', ['-e', '-c', lines], { encoding: 'utf8' });
    assert.match(stdout, /^\{"result":"success"/, stdout + stderr);
    acknowledged.push(JSON.parse(stdout).transactionId);
    assert.equal(await total(), 1);
  });

  // Guarantee: demo.json has everything that scripts need, and nobody else can read it.
  test('demo.json has every key and is private', async () => {
    assert.equal(statSync(join(dataDir, 'demo.json')).mode & 0o777, 0o600);
    const keysOf = (value: object) => Object.keys(value).join(' ');
    const file = demo();
    assert.equal(keysOf(file), 'baseUrl shopUrl mailUrl panel merchant otherMerchant readOnly partner');
    assert.equal(keysOf(file.panel), 'url email password');
    assert.deepEqual(
      Object.keys(file.merchant).sort(),
      [
        'id',
        'merchantNumber',
        'clientId',
        'clientSecret',
        'posId',
        'securityCode',
        'webhookSecret',
        'walletDomain',
      ].sort(),
    );
    assert.deepEqual(Object.keys(file.otherMerchant).sort(), ['clientId', 'clientSecret', 'id', 'merchantNumber']);
    assert.deepEqual(Object.keys(file.readOnly).sort(), ['clientId', 'clientSecret']);
    assert.deepEqual(
      Object.keys(file.partner).sort(),
      ['id', 'merchantNumber', 'clientId', 'clientSecret', 'posId', 'sellers', 'foreignSeller'].sort(),
    );
    assert.equal(file.baseUrl, url);
    assert.equal(file.partner.sellers.length, 3);
    assert.ok(!JSON.stringify(file).includes('""'), 'no value is empty');
    for (const who of [file.merchant, file.otherMerchant, file.readOnly, file.partner]) await token(who);
    const reader = await ask(url, 'POST', '/transactions', { token: await token(file.readOnly), body: order });
    assert.equal(reader.status, 403);
    const headers = { 'x-merchant-id': file.partner.sellers[0] };
    const partner = await token(file.partner);
    assert.equal((await ask(url, 'GET', '/transactions', { token: partner, headers })).status, 200);
    const foreign = { 'x-merchant-id': file.partner.foreignSeller };
    assert.equal((await ask(url, 'GET', '/transactions', { token: partner, headers: foreign })).status, 404);
  });

  test('secrets lie in private files, and not in the log', async () => {
    for (const file of ['vault.key', 'postgres.password']) {
      assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file);
    }
    const log = readFileSync(join(dataDir, 'grosz.log'), 'utf8');
    assert.match(log, /"ready"/);
    const { clientSecret, securityCode, webhookSecret } = demo().merchant;
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
    for (const secret of [clientSecret, securityCode, webhookSecret, password]) assert.ok(!log.includes(secret));
  });

  // Guarantee: a second start next to a running service says so and changes nothing.
  test('a second start on the same port', async () => {
    const before = demo();
    const { code, stderr } = await runGrosz(['start'], environment());
    assert.equal(code, 1);
    assert.equal(stderr, `Port ${port} is in use. Set PORT to a free one: PORT=3100 npm start\n`);
    assert.deepEqual(demo(), before);
    await allAreThere();
  });

  // Guarantee: --fresh never empties the folder of a running service.
  test('--fresh next to a running one is refused', async () => {
    const { code, stderr } = await runHere(['start', '--fresh'], {
      ...environment(),
      PORT: String(await quietPort()),
    });
    assert.equal(code, 1);
    assert.equal(stderr, `Another Grosz is running on ${dataDir}. Stop it before --fresh.\n`);
    await allAreThere();
  });

  // Guarantee: a clean stop finishes requests in flight, exits with code 0, and stops the database server.
  test('SIGTERM finishes requests in flight', async () => {
    acknowledged.push(await create());
    const postmaster = postmasterOf(dataDir) ?? 0;
    const blocker = new pg.Client({ connectionString: embeddedUrl(dataDir) });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table transaction in exclusive mode');
    const inFlight = ask(url, 'POST', '/transactions', { token: await token(), body: order });
    await untilBlocked(embeddedUrl(dataDir));
    running.kill('SIGTERM');
    while (
      await fetch(`${url}/health/live`).then(
        () => true,
        () => false,
      )
    );
    await blocker.query('rollback');
    await blocker.end();
    const answer = await inFlight;
    assert.equal(answer.status, 200, answer.text);
    acknowledged.push(answer.body.transactionId);
    const { code, stderr } = await running.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(isAlive(postmaster), false);
    assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false);
  });

  // Guarantee: later starts keep data, accounts and secrets.
  test('the second start keeps data and secrets', async () => {
    const before = demo();
    await start();
    assert.deepEqual(demo(), before);
    await allAreThere();
    acknowledged.push(await create());
  });

  // Guarantee: after kill -9 of the service its database server keeps running, and the next start adopts it.
  test('a start after kill -9 of the service adopts the database server', async () => {
    const postmaster = postmasterOf(dataDir) ?? 0;
    running.kill('SIGKILL');
    await running.ended;
    assert.equal(isAlive(postmaster), true);
    await start();
    assert.equal(postmasterOf(dataDir), postmaster);
    await allAreThere();
    acknowledged.push(await create());
  });

  // Guarantee: when only the database server is killed, the service restarts it and continues.
  test('kill -9 of the database server alone', async () => {
    const postmaster = postmasterOf(dataDir) ?? 0;
    const bearer = await token();
    process.kill(postmaster, 'SIGKILL');
    await untilGone(postmaster);
    let answer = await ask(url, 'POST', '/transactions', { token: bearer, body: order });
    while (answer.status !== 200) {
      assert.equal(answer.status, 503, answer.text);
      await pause(50);
      answer = await ask(url, 'POST', '/transactions', { token: bearer, body: order });
    }
    acknowledged.push(answer.body.transactionId);
    assert.notEqual(postmasterOf(dataDir), postmaster);
    await allAreThere();
  });

  // Guarantee: after kill -9 of both, the next start recovers.
  test('a start after kill -9 of service and database server recovers', async () => {
    const postmaster = postmasterOf(dataDir) ?? 0;
    running.kill('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await running.ended;
    await untilGone(postmaster);
    await start();
    await allAreThere();
    acknowledged.push(await create());
  });

  // Guarantee: after a reboot the server's old process id may belong to another process, which is left alone.
  test('a stale process id that now belongs to somebody else', async () => {
    const postmaster = postmasterOf(dataDir) ?? 0;
    running.kill('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await running.ended;
    await untilGone(postmaster);
    const innocent: ChildProcess = spawn('sleep', ['600'], { stdio: 'ignore' });
    atEnd(async () => void innocent.kill('SIGKILL'));
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(innocent.pid)));
    await start();
    await allAreThere();
    assert.equal(innocent.exitCode ?? innocent.signalCode, null, 'the innocent process lives');
    innocent.kill('SIGKILL');
    acknowledged.push(await create());
  });

  const readiness = () =>
    ask(url, 'GET', '/health/ready').then(
      (answer) => answer.status,
      () => 0,
    );

  // Guarantee: a lost or corrupted demo.json is created again, with secrets that work. The service is ready only when the
  // demo is: who waits for it reads demo.json next.
  for (const [what, spoil] of [
    ['lost', (file: string) => rmSync(file)],
    ['spoilt', (file: string) => writeFileSync(file, '{}')],
  ] as const) {
    test(`demo.json was ${what}`, async () => {
      await running.stop();
      const before = demo().merchant;
      spoil(join(dataDir, 'demo.json'));
      chmodSync(dataDir, 0o700);
      running = startGrosz(['start'], environment());
      while ((await readiness()) !== 200) await pause(5);
      assert.equal(demo().merchant.id, before.id);
      assert.notEqual(demo().merchant.clientSecret, before.clientSecret);
      await running.until(/Ctrl-C stops it/);
      assert.equal(statSync(join(dataDir, 'demo.json')).mode & 0o777, 0o600);
      await allAreThere();
    });
  }

  // Guarantee: --fresh starts over without any old data, and removes only our own files.
  test('--fresh begins again', async () => {
    const before = demo().merchant;
    assert.equal((await running.stop()).code, 0);
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    await start('--fresh');
    assert.notEqual(demo().merchant.id, before.id);
    assert.equal(await total(), 0);
    assert.equal(readFileSync(join(dataDir, 'notes.txt'), 'utf8'), 'mine');
    assert.equal((await running.stop()).code, 0);
  });

  // Guarantee: a signal that arrives twice, sent by a program to both its child and its group, counts once.
  test('two signals in a row count as one', async () => {
    await start();
    const postmaster = postmasterOf(dataDir) ?? 0;
    running.kill('SIGINT');
    running.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    assert.equal(code, 0);
    assert.ok(stdout.endsWith(`Stopping.\nStopped. The data is in ${dataDir}; npm start goes on with it.\n`), stdout);
    assert.equal(isAlive(postmaster), false);
  });

  // Guarantee: a second signal does not wait for what hangs.
  test('a later signal ends it immediately', async () => {
    await start();
    const blocker = new pg.Client({ connectionString: embeddedUrl(dataDir) });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table transaction in exclusive mode');
    const inFlight = ask(url, 'POST', '/transactions', { token: await token(), body: order }).catch(() => 'cut off');
    await untilBlocked(embeddedUrl(dataDir));
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    while (!ended) {
      running.kill('SIGINT');
      await pause(50);
    }
    assert.equal((await running.ended).code, 130);
    assert.equal(await inFlight, 'cut off');
    await blocker.end();
  });

  // Guarantee: ending npm ends the service too, cleanly: nothing is left on the port or in the data folder.
  test('SIGTERM to npm alone', async () => {
    const byNpm = startByNpm(environment());
    await byNpm.until(/Ctrl-C stops it/);
    byNpm.kill('SIGTERM');
    // Its output ends only with the last process that writes to it.
    await within(30_000, 'the service goes on without npm', byNpm.ended);
    assert.equal(postmasterOf(dataDir), undefined);
    await tryPort('127.0.0.1', port);
  });
});
