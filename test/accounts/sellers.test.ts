// M0a, M0b and the sellers of a partner: GET and POST /accounts, /accounts/{id}, /accounts/pos.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { channelIds } from '../../contract/methods.ts';
import { addPos, changeAccount, changePos } from '../../src/accounts/index.ts';
import { type AccountId, knownId, money } from '../../src/kernel/index.ts';
import { postOpening } from '../../src/ledger/index.ts';
import { aTransaction } from '../support/payments.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('sellers of a partner', () => {
  let service: Service;
  let partner: TestMerchant;
  let other: TestMerchant;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
    partner = await aMerchant(service, { kind: 'partner' });
    other = await aMerchant(service, { kind: 'partner' });
    merchant = await aMerchant(service);
  });

  const api = (who: TestMerchant, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    service.ask(method, path, { token: who.token, headers, ...(body ? { body } : {}) });
  const aSeller = async (who: TestMerchant, body: object = {}) => {
    const answer = await api(who, 'POST', '/accounts', { name: 'Tea Ltd', email: 'tea@example.com', ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };

  // Guarantee: only partners with the marketplace function see and make sellers.
  test('403: not in the partner program, a seller, the function switched off', async () => {
    const off = await aMerchant(service, { kind: 'partner' });
    await changeAccount(service.world, off.id, { marketplaceEnabled: false });
    service.world.wall.advance({ seconds: 1 });
    const seller = await aMerchant(service, { kind: 'seller' });
    for (const who of [merchant, off, seller]) {
      for (const [method, path] of [
        ['GET', '/accounts'],
        ['GET', '/accounts/pos'],
        ['GET', `/accounts/${seller.id}`],
        ['POST', '/accounts'],
        ['POST', `/accounts/${seller.id}`],
        ['GET', `/marketplace/v1/bank-groups?merchantId[]=${seller.id}`],
      ] as const) {
        const body = method === 'POST' ? { name: 'A', email: 'a@example.com' } : undefined;
        const answer = await api(who, method, path, body);
        assert.deepEqual([answer.status, ...faultsOf(answer)], [403, 'access_denied'], `${method} ${path}`);
      }
    }
  });

  suite('POST /accounts', () => {
    // Guarantee: name and email are enough; the seller has a point of sale, every channel and an empty balance.
    test('201: with as little as possible', async () => {
      const made = await aSeller(partner);
      assert.deepEqual(
        { ...made, requestId: '', id: '', merchantNumber: 0, posId: '', date: {} },
        {
          result: 'success',
          requestId: '',
          id: '',
          merchantNumber: 0,
          posId: '',
          name: 'Tea Ltd',
          email: 'tea@example.com',
          phone: '',
          taxId: '',
          website: '',
          status: 'active',
          balance: 0,
          currency: 'PLN',
          channels: channelIds.map(String),
          fees: { paymentPercent: 0, paymentFixed: 0, refundFixed: 0 },
          date: {},
        },
      );
    });

    test('201: with everything, and the partner can act for it', async () => {
      const fees = { paymentPercent: 1.25, paymentFixed: 0.3, refundFixed: 1 };
      const given = { phone: '600', taxId: '521', website: 'https://tea.example', channels: [53, 64], fees };
      const made = await aSeller(partner, given);
      assert.deepEqual(
        [made.phone, made.taxId, made.website, made.channels, made.fees],
        ['600', '521', 'https://tea.example', ['53', '64'], fees],
      );
      const answer = await api(
        partner,
        'POST',
        '/transactions',
        { amount: 1, description: 'x' },
        { 'x-merchant-id': made.id },
      );
      assert.equal(answer.body.posId, made.posId);
    });

    // Guarantee: a repeat under its key makes no second seller.
    test('201: repeated under an idempotency key', async () => {
      const headers = { 'idempotency-key': 'seller-1' };
      const body = { name: 'Once Ltd', email: 'once@example.com' };
      const first = await api(partner, 'POST', '/accounts', body, headers);
      const second = await api(partner, 'POST', '/accounts', body, headers);
      assert.equal(second.body.id, first.body.id);
      const { total } = (await api(partner, 'GET', '/accounts?limit=100')).body;
      const names = (await api(partner, 'GET', '/accounts?limit=100')).body.list.map(
        ({ name }: { name: string }) => name,
      );
      assert.equal(names.filter((name: string) => name === 'Once Ltd').length, 1);
      assert.equal(total, names.length);
    });

    for (const [body, faults] of [
      [{}, ['field_required email', 'field_required name']],
      [{ name: '', email: 'x' }, ['not_valid email', 'too_short name']],
      [{ name: 'x'.repeat(101), email: 'a@example.com' }, ['too_long name']],
      [{ name: 'A', email: 'a@example.com', channels: [] }, ['too_few channels']],
      [{ name: 'A', email: 'a@example.com', channels: [53, 54] }, ['not_valid channels.1']],
      [{ name: 'A', email: 'a@example.com', channels: ['53'] }, ['not_integer channels.0']],
      [{ name: 'A', email: 'a@example.com', fees: { paymentPercent: 100.01 } }, ['too_high fees.paymentPercent']],
      [{ name: 'A', email: 'a@example.com', fees: { paymentFixed: -1 } }, ['too_low fees.paymentFixed']],
      [{ name: 'A', email: 'a@example.com', fees: { refundFixed: 0.001 } }, ['incorrect_precision fees.refundFixed']],
      [{ name: 'A', email: 'a@example.com', website: 'tea' }, ['not_valid website']],
    ] as const) {
      test(`400: ${JSON.stringify(body).slice(0, 80)}`, async () => {
        const answer = await api(partner, 'POST', '/accounts', body);
        assert.deepEqual([answer.status, ...faultsOf(answer)], [400, ...faults]);
      });
    }

    test('403: a read-only credential reads, and writes nothing', async () => {
      const { token } = await aCredential(service, partner, 'read_only');
      const reader = { ...partner, token };
      assert.equal((await api(reader, 'GET', '/accounts')).status, 200);
      assert.equal((await api(reader, 'POST', '/accounts', { name: 'A', email: 'a@example.com' })).status, 403);
    });
  });

  suite('GET and POST /accounts/{id}', () => {
    // Guarantee: what is given changes, the rest stays; a blocked seller takes no new payments.
    test('200: changed, blocked, active again', async () => {
      const made = await aSeller(partner, { phone: '600' });
      const renamed = await api(partner, 'POST', `/accounts/${made.id}`, {
        name: 'Green Tea',
        fees: { refundFixed: 2 },
      });
      assert.deepEqual(
        [renamed.body.name, renamed.body.phone, renamed.body.email, renamed.body.fees.refundFixed],
        ['Green Tea', '600', 'tea@example.com', 2],
      );
      const blocked = await api(partner, 'POST', `/accounts/${made.id}`, { status: 'blocked' });
      assert.equal(blocked.body.status, 'blocked');
      service.world.wall.advance({ seconds: 1 });
      const headers = { 'x-merchant-id': made.id };
      const order = { amount: 1, description: 'x' };
      assert.equal((await api(partner, 'POST', '/transactions', order, headers)).status, 404);
      assert.equal((await api(partner, 'GET', `/accounts/${made.id}`)).body.status, 'blocked');
      await api(partner, 'POST', `/accounts/${made.id}`, { status: 'active' });
      service.world.wall.advance({ seconds: 1 });
      assert.equal((await api(partner, 'POST', '/transactions', order, headers)).status, 200);
    });

    // Guarantee: nothing of one partner is visible to another, by any id.
    test('404: a seller of another partner, a merchant, the partner itself, no id', async () => {
      const foreign = await aSeller(other);
      for (const id of [foreign.id, merchant.id, partner.id, 'nope', '01K9Z4M7Q2V5X8B1C3D6F9G0HJ']) {
        assert.equal((await api(partner, 'GET', `/accounts/${id}`)).status, 404, id);
        assert.equal((await api(partner, 'POST', `/accounts/${id}`, { name: 'Mine' })).status, 404, id);
      }
      assert.equal((await api(other, 'GET', `/accounts/${foreign.id}`)).body.name, 'Tea Ltd');
    });

    test('405: other methods', async () => {
      assert.equal((await api(partner, 'DELETE', '/accounts')).status, 405);
      assert.equal((await api(partner, 'PUT', '/accounts/pos')).status, 405);
    });
  });

  suite('M0a, GET /accounts', () => {
    // Guarantee: a partner sees its own sellers with their balances, page by page.
    test('200: pages, balances and statuses', async () => {
      const market = await aMerchant(service, { kind: 'partner' });
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        // Ids of one millisecond have no order.
        service.world.clock.advance({ milliseconds: 1 });
        ids.push((await aSeller(market, { name: `Seller ${index}` })).id);
      }
      const { db, ids: newIds, clock } = service.world;
      await db.atomic((sql) =>
        postOpening(sql, newIds, knownId<AccountId>(ids[1] ?? ''), money(12_345n, 'PLN'), clock.now()),
      );
      await api(market, 'POST', `/accounts/${ids[4]}`, { status: 'blocked' });
      const first = (await api(market, 'GET', '/accounts?limit=2')).body;
      assert.deepEqual([first.page, first.limit, first.total], [1, 2, 5]);
      assert.deepEqual(
        first.list.map(({ id, balance }: { id: string; balance: number }) => [id, balance]),
        [
          [ids[0], 0],
          [ids[1], 123.45],
        ],
      );
      const third = (await api(market, 'GET', '/accounts?limit=2&page=3')).body;
      assert.deepEqual(
        third.list.map(({ id }: { id: string }) => id),
        [ids[4]],
      );
      const blocked = (await api(market, 'GET', '/accounts?status=blocked')).body;
      assert.deepEqual([blocked.total, blocked.list[0].id], [1, ids[4]]);
    });

    test('400: a page of nothing, an unknown status', async () => {
      assert.deepEqual(faultsOf(await api(partner, 'GET', '/accounts?page=0&status=nope')), [
        'not_valid status',
        'too_low page',
      ]);
    });
  });

  suite('M0b, GET /accounts/pos', () => {
    // Guarantee: a partner sees its own points of sale, verified or not.
    test('200: with their settings', async () => {
      const market = await aMerchant(service, { kind: 'partner' });
      const details = { name: 'Second', url: 'https://second.example', notificationUrl: null, verified: false };
      service.world.clock.advance({ milliseconds: 1 });
      const id = await addPos(service.world, market.id, details);
      await changePos(service.world, id, { active: false });
      const { list } = (await api(market, 'GET', '/accounts/pos')).body;
      assert.deepEqual(
        list.map(({ posId, accountId, settings }: Record<string, unknown>) => ({ posId, accountId, settings })),
        [
          {
            posId: market.posId,
            accountId: market.id,
            settings: { isTestMode: true, isActive: true, isVerified: true, isMain: true },
          },
          {
            posId: id,
            accountId: market.id,
            settings: { isTestMode: true, isActive: false, isVerified: false, isMain: false },
          },
        ],
      );
    });
  });

  // Guarantee: the partner program is a setting, and nobody leaves it with sellers.
  test('the partner program as a setting', async () => {
    const account = await aMerchant(service);
    await changeAccount(service.world, account.id, { kind: 'partner', marketplaceEnabled: true });
    service.world.wall.advance({ seconds: 1 });
    await aSeller(account);
    await assert.rejects(changeAccount(service.world, account.id, { kind: 'merchant', marketplaceEnabled: false }));
    await assert.rejects(changeAccount(service.world, merchant.id, { marketplaceEnabled: true }));
    await aTransaction(service, account);
  });
});
