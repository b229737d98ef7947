// Idempotency-Key on POSTs and I1, GET /idempotency/{key} (docs/decisions/0015).

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { openIdempotency } from '../../src/http/index.ts';
import { openVault, type VaultKey } from '../../src/runtime/index.ts';
import { tickAll } from '../support/rooms.ts';
import {
  type Answer,
  aCredential,
  aMerchant,
  aService,
  atEnd,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

const order = { amount: 10.1, description: 'Order 1' };

/** A second connection that holds locks, like a slow database. */
async function aBlocker(service: Service): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: service.world.databaseUrl });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

suite('Idempotency-Key', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const create = (key: string, body: unknown = order, who = merchant): Promise<Answer> =>
    service.ask('POST', '/transactions', { token: who.token, body, headers: { 'idempotency-key': key } });
  const find = (key: string, who = merchant) =>
    service.ask('GET', `/idempotency/${encodeURIComponent(key)}`, { token: who.token });
  const totalOf = async (who: TestMerchant): Promise<number> =>
    (await service.ask('GET', '/transactions?limit=1', { token: who.token })).body.total;

  /** Resets a key to the state left by a process that died before storing its response. */
  async function forgetAnswer(who: TestMerchant, key: string): Promise<void> {
    await service.world.db.sql.run`
      update idempotency_key set answered_at = null, status = null, body = null
       where account_id = ${who.id} and key = ${key}`;
  }

  // Guarantee: the same key and body get the same response, to the byte, and nothing more is created.
  test('200: a repeated request gets the first response', async () => {
    const shop = await aMerchant(service);
    const first = await create('a', order, shop);
    service.world.clock.advance({ minutes: 5 });
    const second = await create('a', order, shop);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(second.text, first.text);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
    assert.equal(await totalOf(shop), 1);
  });

  // Guarantee: another spelling of the same request is the same request.
  test('200: key order and number spelling do not matter', async () => {
    const first = await create('spelling', { amount: 10.1, description: 'x', payer: { name: 'a', city: 'b' } });
    const second = await service.ask('POST', '/transactions', {
      token: merchant.token,
      raw: '{"payer": {"city": "b", "name": "a"}, "description": "\\u0078", "amount": 10.10}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'spelling' },
    });
    assert.equal(second.text, first.text);
  });

  // Guarantee: a key belongs to one account: the same key of another account is a different request.
  test('200: the key of another merchant is separate', async () => {
    const [one, other] = [await aMerchant(service), await aMerchant(service)];
    const answers = [await create('order-1', order, one), await create('order-1', { ...order, amount: 7 }, other)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.notEqual(answers[0]?.body.transactionId, answers[1]?.body.transactionId);
    assert.deepEqual([await totalOf(one), await totalOf(other)], [1, 1]);
  });

  // Guarantee: keys belong to the account, not to the credential, so a shop may rotate credentials between retries.
  test('200: another credential of the account gets the same response', async () => {
    const another = await aCredential(service, merchant, 'full');
    const first = await create('shared');
    assert.equal((await create('shared', order, another)).text, first.text);
  });

  // Guarantee: a key stands for one request; with other data the response is 422 and nothing happens.
  for (const [what, body] of [
    ['another amount', { ...order, amount: 10.11 }],
    ['another field', { ...order, hiddenDescription: 'x' }],
  ] as const) {
    test(`422: ${what}`, async () => {
      const shop = await aMerchant(service);
      await create('k', order, shop);
      const answer = await create('k', body, shop);
      assert.equal(answer.status, 422);
      assert.deepEqual(faultsOf(answer), ['idempotency_key_reused']);
      assert.equal(await totalOf(shop), 1);
    });
  }

  // Guarantee: a key stands for one address too: the same body for another transaction is another request.
  test('422: another path', async () => {
    const shop = await aMerchant(service);
    const [one, other] = [await create('a', order, shop), await create('b', order, shop)];
    const cancel = ({ body }: Answer) =>
      service.ask('POST', `/transactions/${body.transactionId}/cancel`, {
        token: shop.token,
        headers: { 'idempotency-key': 'cancel' },
      });
    assert.equal((await cancel(one)).status, 200);
    assert.deepEqual(faultsOf(await cancel(other)), ['idempotency_key_reused']);
    const shown = await service.ask('GET', `/transactions/${other.body.transactionId}`, { token: shop.token });
    assert.equal(shown.body.status, 'pending');
  });

  // Guarantee: a refused request does not use up its key: the corrected one may use it.
  test('200: the key of a refused request can be used again', async () => {
    assert.equal((await create('mended', { ...order, amount: 0 })).status, 400);
    assert.equal((await find('mended')).status, 404);
    assert.equal((await create('mended')).status, 200);
  });

  // Guarantee: the same for what only the vault reveals; nothing was done before it.
  test('200: the key of a payment with an unknown card token can be used again', async () => {
    const withToken = { ...order, pay: { channelId: 53, cardPaymentData: { token: 'unknown' } } };
    const refused = await create('token', withToken);
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['not_valid pay.cardPaymentData.token']]);
    assert.equal((await find('token')).status, 404);
    assert.equal((await create('token')).status, 200);
  });

  // Guarantee: a repeat gets the first response even if a changed rule would refuse it now.
  test('200: a repeat after its channel was switched off', async () => {
    const shop = await aMerchant(service);
    const byCard = { ...order, pay: { channelId: 53 } };
    const first = await create('channel', byCard, shop);
    await service.world.db.sql.run`update account set channels = '{64}' where id = ${shop.id}`;
    const { token } = await aCredential(service, shop, 'full');
    const later = { ...shop, token };
    const second = await create('channel', byCard, later);
    assert.equal(second.text, first.text);
    const fresh = await create('channel-2', byCard, later);
    assert.deepEqual([fresh.status, faultsOf(fresh)], [400, ['not_valid pay.channelId']]);
    assert.equal((await create('channel', { ...byCard, amount: 2 }, later)).status, 400);
    await forgetAnswer(shop, 'channel');
    service.world.wall.advance({ seconds: 60 });
    const resumed = await create('channel', byCard, later);
    assert.equal(resumed.body.transactionId, first.body.transactionId);
    service.world.wall.advance({ seconds: -60 });
  });

  // Guarantee: keys do not bypass access: a token that may not write gets no stored response.
  test('403: a read-only credential', async () => {
    await create('guarded');
    const reader = await aCredential(service, merchant, 'read_only');
    assert.equal((await create('guarded', order, reader)).status, 403);
  });

  // Guarantee: twenty concurrent requests with one key create exactly one transaction, and all get the same response.
  test('20 parallel requests with one key', async () => {
    const shop = await aMerchant(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('rush', order, shop)));
    const created = answers.filter(({ status }) => status === 200);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.equal(answer.status, 409);
      assert.deepEqual(faultsOf(answer), ['request_in_progress']);
    }
    assert.ok(created.length >= 1);
    assert.equal(new Set(created.map(({ text }) => text)).size, 1);
    assert.equal(created.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    assert.equal(await totalOf(shop), 1);
    assert.equal((await create('rush', order, shop)).text, created[0]?.text);
  });

  // Guarantee: while the first is running, the second is refused and does nothing.
  test('409 while it is running', async () => {
    const shop = await aMerchant(service);
    const blocker = await aBlocker(service);
    await blocker.query('begin');
    await blocker.query('lock table transaction in exclusive mode');
    const first = create('slow', order, shop);
    let running = await find('slow', shop);
    while (running.status === 404) running = await find('slow', shop);
    const { requestId: _requestId, ...shown } = running.body;
    assert.deepEqual(shown, {
      result: 'success',
      key: 'slow',
      status: 'running',
      method: 'POST',
      path: '/transactions',
      startedAt: '2026-03-10T09:00:00Z',
      answeredAt: null,
      responseStatus: null,
      response: null,
    });
    const second = await create('slow', order, shop);
    assert.equal(second.status, 409);
    assert.deepEqual(faultsOf(second), ['request_in_progress']);
    assert.equal((await create('slow', { ...order, amount: 2 }, shop)).status, 422);
    await blocker.query('rollback');
    const answered = await first;
    assert.equal(answered.status, 200);
    assert.equal((await create('slow', order, shop)).text, answered.text);
    assert.equal(await totalOf(shop), 1);
  });

  // Guarantee: if the process died after it created the transaction, the retry finds it and creates no second one.
  test('200: taking over after a crash, the transaction is there', async () => {
    const shop = await aMerchant(service);
    const first = await create('crashed', order, shop);
    await forgetAnswer(shop, 'crashed');
    assert.equal((await create('crashed', order, shop)).status, 409, 'the lease still runs');
    service.world.wall.advance({ seconds: 60 });
    const again = await create('crashed', order, shop);
    assert.equal(again.status, 200);
    const { requestId: _first, ...before } = first.body;
    const { requestId: _again, ...after } = again.body;
    assert.deepEqual(after, before);
    assert.equal(again.headers.get('idempotent-replayed'), null);
    assert.equal(await totalOf(shop), 1);
    assert.equal((await create('crashed', order, shop)).text, again.text);
  });

  // Guarantee: if the process died before that, it is created now, once, although several try to take over
  // concurrently.
  test('200: taking over after a crash, the transaction is not there', async () => {
    const shop = await aMerchant(service);
    const { body } = await create('lost', order, shop);
    await service.world.db.sql.run`delete from transaction where id = ${body.transactionId}`;
    await forgetAnswer(shop, 'lost');
    service.world.wall.advance({ seconds: 61 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('lost', order, shop)));
    assert.ok(answers.some(({ status }) => status === 200));
    for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text);
    assert.equal(await totalOf(shop), 1);
    assert.equal((await create('lost', order, shop)).body.transactionId, body.transactionId);
  });

  // Guarantee: a failure on our side releases the key to the next retry immediately.
  test('500 keeps the key for the next try', async () => {
    const shop = await aMerchant(service);
    const blocker = await aBlocker(service);
    await blocker.query('alter table transaction rename to transaction_away');
    assert.equal((await create('broken', order, shop)).status, 500);
    await blocker.query('alter table transaction_away rename to transaction');
    assert.equal((await create('broken', { ...order, amount: 3 }, shop)).status, 422);
    assert.equal((await create('broken', order, shop)).status, 200);
    assert.equal(await totalOf(shop), 1);
  });

  // Guarantee: keys are kept for 72 hours by the wall clock, and not forever.
  test('kept 72 hours', async () => {
    const shop = await aMerchant(service);
    const first = await create('old', order, shop);
    service.world.wall.advance({ hours: 72 });
    await tickAll(service.world);
    const { token } = await aCredential(service, shop, 'full');
    assert.equal((await create('old', order, { ...shop, token })).text, first.text);
    service.world.wall.advance({ milliseconds: 1 });
    await tickAll(service.world);
    assert.equal((await find('old', { ...shop, token })).status, 404);
    const second = await create('old', { ...order, amount: 3 }, { ...shop, token });
    assert.equal(second.status, 200);
    assert.notEqual(second.body.transactionId, first.body.transactionId);
    service.world.wall.advance({ hours: -73 });
  });
});

suite('GET /idempotency/{key}', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const create = (key: string) =>
    service.ask('POST', '/transactions', { token: merchant.token, body: order, headers: { 'idempotency-key': key } });
  const find = (path: string, who = merchant) => service.ask('GET', `/idempotency/${path}`, { token: who.token });

  // Guarantee: it returns the state of the request and the response as it was sent.
  test('200', async () => {
    const created = await create('order-7');
    const { status, body } = await find('order-7');
    assert.equal(status, 200);
    const { requestId: _requestId, ...shown } = body;
    assert.deepEqual(shown, {
      result: 'success',
      key: 'order-7',
      status: 'answered',
      method: 'POST',
      path: '/transactions',
      startedAt: '2026-03-10T09:00:00Z',
      answeredAt: '2026-03-10T09:00:00Z',
      responseStatus: 200,
      response: created.body,
    });
  });

  // Guarantee: every valid key can be looked up.
  for (const key of ['a/b?c#d%20e', '%', '..', '%%'.repeat(127), '~!@$^&*()_+{}|:"<>', '/'.repeat(255)]) {
    test(`200: the key ${key.slice(0, 20)}`, async () => {
      assert.equal((await create(key)).status, 200);
      const escaped = key === '..' ? '%2E%2E' : encodeURIComponent(key);
      const { status, body } = await find(escaped);
      // Every client removes a path of dots before sending it, so it cannot be looked up.
      if (key === '..') return;
      assert.equal(status, 200);
      assert.equal(body.key, key);
    });
  }

  // Guarantee: unknown, foreign and invalid keys are not found, alike.
  test('404', async () => {
    await create('mine');
    const other = await aMerchant(service);
    const foreign = await find('mine', other);
    assert.equal(foreign.status, 404);
    for (const path of ['unknown', '%00', '%F0%9F%98%80', 'x'.repeat(256), '%20']) {
      const answer = await find(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.text.replace(answer.body.requestId, ''), foreign.text.replace(foreign.body.requestId, ''));
    }
  });

  test('401 and 405', async () => {
    assert.equal((await service.ask('GET', '/idempotency/mine')).status, 401);
    const answer = await service.ask('DELETE', '/idempotency/mine', { token: merchant.token });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'HEAD, GET');
  });
});

suite('the hash of a request', () => {
  const pay = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
  const body = { amount: 10.01, description: 'Order', pay };

  // Guarantee: bodies contain codes and cards. The hash is keyed by the vault, so a reader of the table cannot test
  // guesses; and after a rotation of vault keys repeats are still recognized.
  test('is keyed by the vault, and outlives a change of its keys', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const { world } = service;
    const withVault = (...keys: VaultKey[]) => serve({ ...world, vault: openVault(keys, world.random) });
    const old = { id: 'test', key: world.vaultKey };
    const fresh = { id: 'new', key: new Uint8Array(32) };
    const post = (at: Service, key: string, sent: object = body) =>
      at.ask('POST', '/transactions', { token: merchant.token, body: sent, headers: { 'idempotency-key': key } });
    const first = await post(service, 'one');
    assert.equal(first.status, 200, first.text);
    const changed = await withVault(fresh, old);
    const again = await post(changed, 'one');
    assert.deepEqual([again.status, again.body.transactionId], [200, first.body.transactionId]);
    assert.equal((await post(changed, 'one', { ...body, amount: 10.03 })).status, 422);
    assert.equal((await post(changed, 'two')).status, 200);
    const hashes = await world.db.sql.many((row) => String(row.request_hash))`
      select request_hash from idempotency_key order by key`;
    assert.equal(new Set(hashes).size, 2, 'the same request under two keys of the vault');
  });
});

suite('idempotency under a full queue', () => {
  // Guarantee: if the work is done but its response cannot be stored, the key is kept, so that a retry finds the work
  // and does not repeat it.
  test('the key survives a response that could not be stored', async () => {
    const service = await aService({ batchLimits: { rowsAtMost: 1, lanes: 1, queueAtMost: 1 } });
    const merchant = await aMerchant(service);
    const { db, wall, random, vault } = service.world;
    const idempotency = openIdempotency({ db, wall, random, vault });
    const blocker = await aBlocker(service);
    await blocker.query('begin');
    const request = (key: string) => ({ accountId: merchant.id, key, method: 'POST', path: '/x', body: {} });
    const done: string[] = [];
    let locked = false;
    const run = (key: string) =>
      idempotency.run(request(key), ({ ids }) => ({
        check: () => undefined,
        async perform() {
          done.push(ids.ulid());
          // From here on nobody can write to this key's row, so its response waits.
          if (key === 'first') await blocker.query(`select from idempotency_key where key = 'first' for update`);
          locked = true;
          return { status: 200, body: '{}' };
        },
      }));
    const first = run('first');
    while (!locked) await db.sql.run`select`;
    const second = run('second');
    while (done.length < 2) await db.sql.run`select`;
    await assert.rejects(run('third'), { code: 'service_unavailable' });
    await blocker.query('rollback');
    await Promise.all([first, second]);
    const kept = await idempotency.find(merchant.id, 'third');
    assert.ok(kept, 'the key is still there');
    const again = await idempotency.run(request('third'), ({ ids }) => ({
      check: () => undefined,
      perform: async () => ({ status: 200, body: ids.ulid() }),
    }));
    assert.equal(again.body, done[2], 'the second run draws the ids of the first');
  });
});
