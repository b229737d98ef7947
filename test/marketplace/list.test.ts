// M7, GET /marketplace/v1/transaction.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  aChild,
  aPartner,
  aSplit,
  cancelSplit,
  checkDenied,
  paySplit,
  refundSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { aTransaction, checkInvariants } from '../support/payments.ts';
import { aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

const path = '/marketplace/v1/transaction';

suite('GET /marketplace/v1/transaction', () => {
  let service: Service;
  let partner: TestPartner;
  const ids: Record<string, string> = {};

  /** Four, ten minutes apart: 10:00 to 10:30 in Warsaw; and one of another partner, and a standard one. */
  before(async () => {
    service = await aService();
    partner = await aPartner(service, [{}, {}, {}]);
    const other = await aPartner(service, [{}]);
    await aSplit(service, other, [aChild(other, 0, 1)], { hiddenDescription: 'a' });
    await aTransaction(service, partner, { hiddenDescription: 'a' });
    for (const [hiddenDescription, children] of [
      ['a', [aChild(partner, 0, 100)]],
      ['b', [aChild(partner, 0, 100), aChild(partner, 1, 200)]],
      ['a', [aChild(partner, 1, 300), aChild(partner, 1, 300)]],
      ['', [aChild(partner, 0, 400)]],
    ] as const) {
      const name = String(Object.keys(ids).length + 1);
      ids[name] = await aSplit(service, partner, children, { hiddenDescription });
      service.world.clock.advance({ minutes: 10 });
    }
    await paySplit(service, partner, ids[1] ?? '');
    await paySplit(service, partner, ids[2] ?? '');
    await refundSplit(service, partner, ids[2] ?? '');
    await cancelSplit(service, partner, ids[3] ?? '');
  });
  after(() => checkInvariants(service.world));

  const list = (query = '') => service.ask('GET', `${path}${query}`, { token: partner.token });
  const namesOf = (body: { list: { transactionId: string }[] }) =>
    body.list.map(({ transactionId }) => Object.keys(ids).find((name) => ids[name] === transactionId) ?? '?').join(' ');

  // Guarantee: newest first, with the total; only marketplace transactions of the partner.
  test('200: everything', async () => {
    const { status, body, headers } = await list();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['result', 'requestId', 'list', 'page', 'limit', 'total']);
    assert.equal(body.requestId, headers.get('x-request-id'));
    assert.equal(namesOf(body), '4 3 2 1');
    assert.deepEqual([body.page, body.limit, body.total], [1, 35, 4]);
    assert.deepEqual(
      body.list.map(({ status: of, amount, children }: Record<string, unknown>) => [of, amount, children]),
      [
        ['pending', 400, 1],
        ['canceled', 600, 2],
        ['refund', 300, 2],
        ['paid', 100, 1],
      ],
    );
  });

  // Guarantee: an item is the head of M6.
  test('200: an item', async () => {
    const [item] = (await list()).body.list;
    const shown = (await service.ask('GET', `${path}/${item.transactionId}`, { token: partner.token })).body;
    const { result: _r, requestId: _i, childTransactions, payments: _p, refunds: _f, ...head } = shown;
    assert.deepEqual(item, { ...head, children: childTransactions.length });
  });

  // Guarantee: filters, pages and limits. `from` and `to` are inclusive, to the second.
  for (const [query, names, total] of [
    ['?limit=1', '4', 4],
    ['?limit=2&page=2', '2 1', 4],
    ['?limit=2&page=3', '', 4],
    ['?status=paid', '1', 1],
    ['?status=pending', '4', 1],
    ['?status=refund', '2', 1],
    ['?status=canceled', '3', 1],
    ['?hiddenDescription=a', '3 1', 2],
    ['?hiddenDescription=A', '', 0],
    ['?hiddenDescription=a&status=paid', '1', 1],
    ['?merchantId={0}', '4 2 1', 3],
    ['?merchantId={1}', '3 2', 2],
    ['?merchantId[]={1}', '3 2', 2],
    ['?merchantId[]={0}&merchantId[]={1}', '4 3 2 1', 4],
    ['?merchantId={2}', '', 0],
    ['?merchantId={1}&status=refund&limit=1', '2', 1],
    ['?from=2026-03-10 10:10:00', '4 3 2', 3],
    ['?from=2026-03-10 10:10:01', '4 3', 2],
    ['?to=2026-03-10 10:10:00', '2 1', 2],
    ['?to=2026-03-10 10:09:59', '1', 1],
    ['?from=2026-03-10 10:10:00&to=2026-03-10 10:20:00&merchantId={1}', '3 2', 2],
    ['?from=2027-01-01 00:00:00', '', 0],
  ] as const) {
    test(`200: ${query}`, async () => {
      const asked = query.replaceAll(/\{(\d)\}/g, (_, index: string) => String(partner.sellers[Number(index)]?.id));
      const { status, body, text } = await list(asked.replaceAll(' ', '%20'));
      assert.equal(status, 200, text);
      assert.deepEqual([namesOf(body), body.total], [names, total]);
    });
  }

  // Guarantee: a seller of another partner gives nothing, as one that does not exist.
  test('200: a foreign seller', async () => {
    const other = await aPartner(service, [{}]);
    await aSplit(service, other, [aChild(other, 0, 1)]);
    for (const id of [other.sellers[0]?.id, service.world.ids.ulid()])
      assert.equal((await list(`?merchantId=${id}`)).body.total, 0);
  });

  for (const [query, faults] of [
    ['?page=0', ['too_low page']],
    ['?limit=0', ['too_low limit']],
    ['?limit=101', ['too_high limit']],
    ['?limit=x', ['not_integer limit']],
    ['?status=done', ['not_valid status']],
    ['?merchantId=x', ['not_valid merchantId.0']],
    ['?hiddenDescription=', ['too_short hiddenDescription']],
    ['?from=yesterday', ['not_valid from']],
    ['?from=2026-02-30%2000:00:00', ['not_valid from']],
    ['?page=0&limit=0&to=x', ['not_valid to', 'too_low limit', 'too_low page']],
  ] as const) {
    test(`400: ${query}`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [...faults]], answer.text);
      assert.deepEqual(Object.keys(answer.body.violations).sort(), faults.map((fault) => fault.split(' ')[1]).sort());
    });
  }

  test('401, 403: who may', () =>
    checkDenied(
      service,
      partner,
      (who: TestMerchant | undefined) => service.ask('GET', path, who ? { token: who.token } : {}),
      { id: '', writes: false },
    ));
});
