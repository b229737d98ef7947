// P30 and P31: the first screen.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aBusiness, allOf, type Business, runBusiness } from '../support/business.ts';
import { balanceOf } from '../support/marketplace.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aTransaction, payBlik, payCard, settleAll } from '../support/payments.ts';
import { aRefund } from '../support/refunds.ts';
import { aMerchant, aService, faultsOf, type Service } from '../support/service.ts';

let service: Service;
let business: Business;
let person: TestPerson;

const path = '/panel/api/overview';
const minorOf = (amount: number) => Math.round(amount * 100);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + minorOf(amount), 0);

interface Listed {
  readonly status: string;
  readonly date: { readonly creation: string; readonly realization: string | null };
  readonly payments: { readonly amountPaid: number };
}

before(async () => {
  service = await aService();
  business = await aBusiness(service);
  await runBusiness(service, business, 30, 60);
  person = await aPerson(service, 'read_only', business.merchant.id);
});

suite('GET /panel/api/overview', () => {
  for (const period of ['7d', '30d', '90d', '12m']) {
    // Guarantee: the sums on screen are those of the API's lists, of the days that the response names.
    test(`${period}: sums, points and counts are those of the API's lists`, async () => {
      const { body } = await person.ask('GET', `${path}?period=${period}`);
      const transactions = await allOf<Listed>(service, business.merchant, '/transactions');
      for (const shown of [body.current, body.before, ...body.points, ...body.pointsBefore]) {
        const within = (at: string | null) =>
          at !== null && at.slice(0, 10) >= shown.from && at.slice(0, 10) <= shown.to;
        const paid = transactions.filter(({ date }) => within(date.realization));
        assert.equal(shown.payments, paid.length);
        assert.equal(minorOf(shown.volume), sum(paid.map(({ payments }) => payments.amountPaid)));
        const range = `&from=${shown.from}%2000:00:00&to=${shown.to}%2023:59:59`;
        const refunds = await allOf<{ amount: number }>(service, business.merchant, '/refunds', range);
        assert.equal(shown.refunds, refunds.length);
        assert.equal(minorOf(shown.refunded), sum(refunds.map(({ amount }) => amount)));
        if (!shown.created) continue;
        const created = transactions.filter(({ date }) => within(date.creation));
        const count = (...statuses: string[]) => created.filter(({ status }) => statuses.includes(status)).length;
        assert.deepEqual(shown.created, {
          total: created.length,
          pending: count('pending'),
          paid: count('paid', 'refund'),
          canceled: count('canceled'),
        });
        const finished = count('paid', 'refund', 'canceled');
        const rate = finished === 0 ? null : Math.round((count('paid', 'refund') / finished) * 1_000) / 10;
        assert.equal(shown.successRate, rate);
      }
      assert.equal(BigInt(minorOf(body.current.balance)), await balanceOf(service, business.merchant));
      assert.equal(body.points.at(-1).balance, body.current.balance);
      assert.equal(body.pointsBefore.at(-1).balance, body.before.balance);
      const lengths: Record<string, number> = { '7d': 7, '30d': 30, '90d': 90, '12m': 12 };
      assert.deepEqual([body.points.length, body.pointsBefore.length], [lengths[period], lengths[period]]);
    });
  }

  // Guarantee: a refund that was canceled is not shown as money that payers got back.
  test('a refund that came back', async () => {
    const shop = await aMerchant(service);
    const reader = await aPerson(service, 'read_only', shop.id);
    const ids: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      const id = await aTransaction(service, shop);
      await payCard(service, shop, id);
      ids.push(await aRefund(service, shop, id));
    }
    const canceled = await service.ask('POST', `/refunds/${ids[0]}/cancel`, { token: shop.token });
    assert.equal(canceled.status, 200, canceled.text);
    await settleAll(service.world);
    const { current } = (await reader.ask('GET', `${path}?period=7d`)).body;
    assert.deepEqual(
      [current.refunds, current.refunded, current.refundsReturned, current.returned, current.refundedNet],
      [2, 20.02, 1, 10.01, 10.01],
    );
  });

  test('twelve months are compared with the same days of the year before, and balances run through', async () => {
    const { body } = await person.ask('GET', `${path}?period=12m`);
    const { current, before } = body;
    assert.equal(current.from.slice(8), '01');
    assert.equal(Number(current.to.slice(0, 4)) - 1, Number(before.to.slice(0, 4)));
    assert.equal(current.to.slice(4), before.to.slice(4));
  });

  test('the first day of an account: nothing to compare with', async () => {
    const fresh = await aMerchant(service);
    const other = await aPerson(service, 'owner', fresh.id);
    const { body } = await other.ask('GET', path);
    assert.equal(body.period, '30d');
    assert.deepEqual(body.change, { volume: null, payments: null, refunded: null, successRate: null });
    assert.equal(body.current.successRate, null);
    assert.equal(body.current.balance, 0);
    const id = await aTransaction(service, fresh, { amount: 20 });
    await payBlik(service, fresh, id);
    await settleAll(service.world);
    const { body: later } = await other.ask('GET', path);
    assert.deepEqual([later.current.volume, later.current.payments, later.current.successRate], [20, 1, 100]);
  });

  test('401 without a session; 400 for another period', async () => {
    assert.equal((await service.ask('GET', path)).status, 401);
    const answer = await person.ask('GET', `${path}?period=1d`);
    assert.deepEqual([answer.status, ...faultsOf(answer)], [400, 'not_valid period']);
  });

  test('403 for an operator who has chosen no account; with one, its figures', async () => {
    const operator = await aPerson(service, 'operator', null);
    assert.equal((await operator.ask('GET', path)).status, 403);
    const seen = await operator.as(business.merchant.id).ask('GET', path);
    const own = await person.ask('GET', path);
    assert.deepEqual({ ...seen.body, requestId: '' }, { ...own.body, requestId: '' });
  });

  test('a partner sees the volume of its sellers through their eyes, and nobody else does', async () => {
    const [seller] = business.partner.sellers;
    const partner = await aPerson(service, 'owner', business.partner.id);
    const { body } = await partner.as(seller?.id ?? '').ask('GET', path);
    assert.ok(body.current.volume > 0);
    assert.equal((await partner.as(business.merchant.id).ask('GET', path)).status, 404);
    assert.equal((await person.as(seller?.id ?? '').ask('GET', path)).status, 404);
  });
});
