// P120 to P122: which acquirer new charges go through, by people and by the command line.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, checkInvariants } from '../support/payments.ts';
import { aMerchant, atEnd, faultsOf, type Service, serve, type TestMerchant } from '../support/service.ts';
import { aTwoBankWorld, attemptsAt, settleBoth, type TwoBankWorld, through } from '../support/two-banks.ts';

const path = '/panel/api/operator/routes';

let world: TwoBankWorld;
let service: Service;
let operator: TestPerson;
let merchant: TestMerchant;
let other: TestMerchant;

before(async () => {
  world = await aTwoBankWorld();
  service = await serve(world);
  operator = await aPerson(service, 'operator', null);
  merchant = await aMerchant(service, { name: 'Tea shop' });
  other = await aMerchant(service);
  atEnd(async () => {
    await settleBoth(world);
    await checkInvariants(world);
  });
});

const routes = async () => (await operator.ask('GET', path)).body.routes;
const paidAt = async (of: TestMerchant, at = service) => attemptsAt(world, await aPaidTransaction(at, of));

suite('routes', () => {
  test('the acquirers in their order', async () => {
    const { body } = await operator.ask('GET', path);
    const none = {
      account: null,
      callbacks: { expected: false, lastAt: null },
      statement: null,
      offers: null,
      recent: null,
    };
    assert.deepEqual(body.acquirers, [
      { name: 'simulator', ledgerName: 'simulator', takesNew: true, money: 'simulated', ...none },
      { name: 'second', ledgerName: 'second', takesNew: true, money: 'test', ...none },
    ]);
    assert.deepEqual(body.routes, []);
  });

  // Guarantee: a route holds for new charges from now on, for those that it names and no others.
  test('one for a merchant and a channel', async () => {
    const body = { acquirer: 'second', merchantId: merchant.id, channelId: 64 };
    assert.equal((await operator.ask('POST', path, { body })).status, 200);
    assert.deepEqual(await paidAt(merchant), ['second correct']);
    assert.deepEqual(await paidAt(other), ['simulator correct']);
    const [route, ...others] = await routes();
    assert.deepEqual(
      [route.acquirer, route.merchantName, route.channelId, route.currency, route.position, others],
      ['second', 'Tea shop', 64, null, 1, []],
    );
    // The same one again is moved.
    await operator.ask('POST', path, { body: { ...body, position: 7 } });
    assert.deepEqual(
      (await routes()).map(({ position }: { position: number }) => position),
      [7],
    );
    assert.equal((await operator.ask('POST', `${path}/${route.id}/remove`)).status, 200);
    assert.deepEqual(await paidAt(merchant), ['simulator correct']);
    assert.equal((await operator.ask('POST', `${path}/${route.id}/remove`)).status, 404);
  });

  // Guarantee: another node follows within ten seconds, also one that had nothing to charge for a long time.
  test('another node follows', async () => {
    const node = await serve(through(world, [world.bank, world.second]));
    assert.deepEqual(await paidAt(merchant, node), ['simulator correct']);
    await operator.ask('POST', path, { body: { acquirer: 'second' } });
    world.wall.advance({ seconds: 10 });
    assert.deepEqual(await paidAt(merchant, node), ['second correct']);
    const [{ id }] = await routes();
    await operator.ask('POST', `${path}/${id}/remove`);
  });

  test('what could never fit a charge is refused', async () => {
    const faultsAfter = async (body: object) => faultsOf(await operator.ask('POST', path, { body }));
    assert.deepEqual(await faultsAfter({ acquirer: 'nobody' }), ['not_valid acquirer']);
    assert.deepEqual(await faultsAfter({ acquirer: 'second', currency: 'XXX' }), ['not_valid currency']);
    assert.deepEqual(await faultsAfter({ acquirer: 'second', merchantId: 'nobody' }), ['not_valid merchantId']);
    assert.deepEqual(await faultsAfter({ acquirer: 'second', merchantId: '01JZ8D3K7R4M5N6P7Q8R9S0T1X' }), [
      'not_valid merchantId',
    ]);
    assert.equal((await operator.ask('POST', path, { body: { acquirer: 'second', channelId: 1 } })).status, 400);
    assert.equal((await operator.ask('POST', path, { body: { acquirer: 'second', position: 0 } })).status, 400);
    assert.deepEqual(await routes(), []);
  });

  // Guarantee: only operators see and change where money goes.
  test('other people may not', async () => {
    const person = await aPerson(service, 'owner', merchant.id);
    for (const [method, at] of [
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/x/remove`],
    ] as const) {
      const { status } = await person.ask(method, at, method === 'POST' ? { body: { acquirer: 'second' } } : {});
      assert.equal(status, 403, at);
    }
  });
});
