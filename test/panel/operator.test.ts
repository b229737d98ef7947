// Settings of an account, and what operators do with all of them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, aTransaction, passTime, payBlik } from '../support/payments.ts';
import { aRefund } from '../support/refunds.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('settings and operators', () => {
  let service: Service;
  let merchant: TestMerchant;
  let owner: TestPerson;
  let operator: TestPerson;

  before(async () => {
    service = await aService({ catchMail: true });
    merchant = await aMerchant(service, { name: 'Tea shop' });
    owner = await aPerson(service, 'owner', merchant.id);
    operator = await aPerson(service, 'operator', null);
  });

  test('P75, P76: an owner changes what is theirs, and fees are not', async () => {
    const body = {
      name: 'Teahouse',
      url: 'https://tea.example.com',
      channels: [64, 53],
      paymentPercent: 0,
      status: 'blocked',
    };
    const { settings } = (await owner.ask('POST', '/panel/api/settings', { body })).body;
    const enabled = settings.channels.filter((channel: { enabled: boolean }) => channel.enabled);
    assert.deepEqual(
      [settings.name, settings.url, enabled.map(({ id }: { id: number }) => id), settings.status],
      ['Teahouse', 'https://tea.example.com', [53, 64], 'active'],
    );
    assert.deepEqual((await owner.ask('GET', '/panel/api/settings')).body.settings, settings);
  });

  // Guarantee: what was set can be taken away again; what is not named stays.
  test('P76, P79, P88: null clears an address and a limit', async () => {
    const url = 'https://tea.example.com/notify';
    const cleared = async (who: TestPerson, path: string, set: object, empty: object, shown: 'settings' | 'pos') => {
      await who.ask('POST', path, { body: set });
      const kept = (await who.ask('POST', path, { body: { name: 'Teahouse' } })).body[shown];
      return [kept, (await who.ask('POST', path, { body: empty })).body[shown]];
    };
    const address = [{ notificationUrl: url }, { notificationUrl: null }] as const;
    for (const [path, shown] of [
      ['/panel/api/settings', 'settings'],
      [`/panel/api/pos/${merchant.posId}`, 'pos'],
    ] as const) {
      const [kept, after] = await cleared(owner, path, ...address, shown);
      assert.deepEqual([kept.notificationUrl, after.notificationUrl], [url, null], path);
    }
    const path = `/panel/api/operator/accounts/${merchant.id}`;
    const usual = (await operator.ask('GET', path)).body.settings.requestsPerSecond;
    const limit = [{ requestsPerSecond: 7 }, { requestsPerSecond: null }] as const;
    const [kept, after] = await cleared(operator, path, ...limit, 'settings');
    assert.deepEqual([kept.requestsPerSecond, after.requestsPerSecond], [7, usual]);
  });

  test('P76 400: channels and addresses that do not exist', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ channels: [1] }, 'not_valid channels.0'],
      [{ channels: [] }, 'too_few channels'],
      [{ url: 'tea' }, 'not_valid url'],
      [{ notificationUrl: 'ftp://example.com' }, 'not_valid notificationUrl'],
      [{ name: '' }, 'too_short name'],
      [{ name: 'Shop.\n\nYour card is blocked: https://evil.example' }, 'not_valid name'],
      [{ name: 'Shop\r\nBcc: x@evil.example' }, 'not_valid name'],
      [{ name: 'a\u202egpj.exe' }, 'not_valid name'],
      [{ name: '\u0007' }, 'not_valid name'],
      [{ email: 'x' }, 'not_valid email'],
    ];
    for (const [body, code] of cases) {
      const answer = await owner.ask('POST', '/panel/api/settings', { body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(faultsOf(answer).includes(code), answer.text);
    }
  });

  test('P77 to P79: points of sale', async () => {
    const { pos } = (
      await owner.ask('POST', '/panel/api/pos', { body: { name: 'Second', url: 'https://two.example.com' } })
    ).body;
    assert.deepEqual([pos.main, pos.active, pos.verified], [false, true, true]);
    const changed = await owner.ask('POST', `/panel/api/pos/${pos.id}`, { body: { active: false } });
    assert.equal(changed.body.pos.active, false);
    assert.equal(
      (await owner.ask('POST', `/panel/api/pos/${merchant.posId}`, { body: { active: false } })).status,
      400,
    );
    const stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
    assert.equal((await stranger.ask('POST', `/panel/api/pos/${pos.id}`, { body: { name: 'Mine' } })).status, 404);
    assert.equal((await owner.ask('GET', '/panel/api/pos')).body.pos.length, 2);
  });

  test('P85 to P88: accounts are created, found, changed and blocked', async () => {
    const made = await operator.ask('POST', '/panel/api/operator/accounts', {
      body: { kind: 'merchant', name: 'Coffee 100%', email: 'coffee@example.com', ownerEmail: 'kasia@example.com' },
    });
    assert.equal(made.status, 201, made.text);
    const { accountId, invitationUrl } = made.body;
    assert.equal(invitationUrl, null);
    const again = await operator.ask('POST', '/panel/api/operator/accounts', {
      body: { kind: 'merchant', name: 'Twice', email: 'coffee@example.com', ownerEmail: 'kasia@example.com' },
    });
    assert.deepEqual([again.status, faultsOf(again)], [409, ['user_exists ownerEmail']]);
    const found = (await operator.ask('GET', '/panel/api/operator/accounts?search=coffee%20100%25')).body.accounts;
    assert.deepEqual([found.length, found[0].id, found[0].balance], [1, accountId, 0]);
    assert.deepEqual((await operator.ask('GET', '/panel/api/operator/accounts?search=%25x')).body.accounts, []);
    const inside = (await operator.ask('GET', '/panel/api/operator/accounts?search=FFEE%20100')).body.accounts;
    assert.deepEqual(inside, found, 'also by what is inside a name');
    const path = `/panel/api/operator/accounts/${accountId}`;
    const body = { paymentPercent: 1.25, paymentFixed: 0.3, refundFixed: 1, requestsPerSecond: 7, status: 'blocked' };
    const { settings } = (await operator.ask('POST', path, { body })).body;
    assert.deepEqual(settings.fees, { paymentPercent: 1.25, paymentFixed: 0.3, refundFixed: 1 });
    assert.deepEqual([settings.requestsPerSecond, settings.status], [7, 'blocked']);
    assert.deepEqual((await operator.ask('GET', path)).body.settings, settings);
    const tooFine = await operator.ask('POST', path, { body: { paymentFixed: 0.001 } });
    assert.deepEqual(faultsOf(tooFine), ['incorrect_precision paymentFixed']);
    for (const zone of ['2026-01-01T00:00Z', '+01:00', 'Europe/Krakow']) {
      assert.deepEqual(faultsOf(await operator.ask('POST', path, { body: { zone } })), ['not_valid zone'], zone);
    }
  });

  // Guarantee: of changes at once none is lost.
  test('P88: many changes at once', async () => {
    const { id } = await aMerchant(service);
    const path = `/panel/api/operator/accounts/${id}`;
    const bodies = [{ phone: '600100200' }, { taxId: '5260250995' }, { requestsPerSecond: 9 }, { paymentFixed: 0.5 }];
    const answers = await Promise.all(bodies.map((body) => operator.ask('POST', path, { body })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { settings } = (await operator.ask('GET', path)).body;
    assert.deepEqual(
      [settings.phone, settings.taxId, settings.requestsPerSecond, settings.fees.paymentFixed],
      ['600100200', '5260250995', 9, 0.5],
    );
  });

  test('P89, P90: nothing is parked', async () => {
    assert.deepEqual((await operator.ask('GET', '/panel/api/operator/parked')).body.parked, []);
    const path = '/panel/api/operator/parked/01JZ8D3K7R4M5N6P7Q8R9S0T1V/decide';
    assert.equal((await operator.ask('POST', path, { body: { decision: 'not_captured' } })).status, 404);
    assert.equal((await operator.ask('POST', path, { body: { decision: 'captured' } })).status, 400);
  });

  // Guarantee: what waits longest is decided first, and whoever decides sees whose it is and can look at it.
  test('P89: what is parked, oldest first, with its account and its transaction', async () => {
    const own = await aService();
    const [tea, coffee] = [await aMerchant(own, { name: 'Tea' }), await aMerchant(own, { name: 'Coffee' })];
    const boss = await aPerson(own, 'operator', null);
    const refunded = await aPaidTransaction(own, coffee);
    const refundId = await aRefund(own, coffee, refunded);
    own.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 0 } });
    const unpaid = await aTransaction(own, tea);
    await payBlik(own, tea, unpaid);
    own.world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 1e9 } });
    await passTime(own.world, { hours: 90 }, 40);
    const { parked } = (await boss.ask('GET', '/panel/api/operator/parked')).body;
    const times = parked.map((item: { parkedAt: string }) => item.parkedAt);
    assert.deepEqual(times, times.toSorted());
    const shown = parked.map((item: Record<string, string>) =>
      [item.kind, item.accountName, item.accountId, item.transactionId].join(' '),
    );
    assert.deepEqual(
      shown.toSorted(),
      [`attempt Tea ${tea.id} ${unpaid}`, `refund Coffee ${coffee.id} ${refunded}`],
      JSON.stringify(parked),
    );
    assert.ok(parked.some(({ id }: { id: string }) => id === refundId));
  });

  test('P91, P94: works and nodes', async () => {
    const { works } = (await operator.ask('GET', '/panel/api/operator/works')).body;
    assert.ok(works.some(({ name, due }: { name: string; due: number }) => name === 'send_notifications' && due === 0));
    const { databaseVersion, databaseBytes } = (await operator.ask('GET', '/panel/api/operator/nodes')).body;
    assert.match(databaseVersion, /^\d+/);
    assert.ok(databaseBytes > 1_000_000);
  });

  // Guarantee: the operator sees the result of the last verification, and two at once are one.
  test('P92, P93: the books are verified in the background', async () => {
    assert.equal((await operator.ask('GET', '/panel/api/operator/verify')).body.last, null);
    const [one, two] = await Promise.all([
      operator.ask('POST', '/panel/api/operator/verify'),
      operator.ask('POST', '/panel/api/operator/verify'),
    ]);
    assert.equal(one.body.last.startedAt, two.body.last.startedAt);
    const runs = await service.world.db.sql.many((row) => String(row.id))`select id from verify_run`;
    assert.equal(runs.length, 1);
    let last = one.body.last;
    for (let tries = 0; tries < 500 && last.endedAt === null; tries += 1) {
      last = (await operator.ask('GET', '/panel/api/operator/verify')).body.last;
      service.world.wall.advance({ milliseconds: 30 });
    }
    assert.notEqual(last.endedAt, null);
    assert.deepEqual(last.problems, []);
  });
});
