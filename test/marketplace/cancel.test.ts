// M5, POST /marketplace/v1/transaction/{id}/cancel, and the expiry after a month.

import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { readInteger } from '../../src/database/index.ts';
import {
  aChild,
  aPaidSplit,
  aPartner,
  aSplit,
  balancesOf,
  cancelSplit,
  checkDenied,
  checkMethods,
  checkNotFound,
  paySplit,
  refundSplit,
  showSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants, encryptCard, passTime, settleAll } from '../support/payments.ts';
import { expireTransactions } from '../support/rooms.ts';
import { aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

const pathOf = (id: string) => `/marketplace/v1/transaction/${id}/cancel`;

suite('POST /marketplace/v1/transaction/{id}/cancel', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService();
    partner = await aPartner(service, [{}, {}]);
  });
  afterEach(() => service.world.bank.setFaults({}));
  after(() => checkInvariants(service.world));

  /** Of 10.02: a card pays it after 3-D Secure. */
  const split = () => aSplit(service, partner, [aChild(partner, 0, 1_000, { commission: 9 }), aChild(partner, 1, 2)]);
  const cancel = (id: string) => cancelSplit(service, partner, id);
  const shown = async (id: string) => (await showSplit(service, partner, id)).body;
  const eventsOf = (id: string) =>
    service.world.db.sql.one((row) => readInteger(row, 'count'))`
      select count(*)::integer as count from event where subject_id = ${id}`;
  const waiting = async () => {
    const id = await split();
    const { body } = await paySplit(service, partner, id, { cardPaymentData: { card: encryptCard(service) } });
    assert.equal(body.result, 'pending');
    return { id, link: String(body.paymentUrl).split('/').at(-1) ?? '' };
  };
  const netOf = async (id: string) => {
    const [attempt] = (await shown(id)).payments.attempts;
    return service.world.bank.record().netMinor.get(attempt.attemptId) ?? 0n;
  };

  // Guarantee: it can no longer be paid; a repeat gets the same answer; nothing is notified.
  test('200: pending, and again', async () => {
    const id = await split();
    const answer = await cancel(id);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      result: 'success',
      requestId: answer.headers.get('x-request-id'),
      transactionId: id,
      status: 'canceled',
    });
    const again = await cancel(id);
    assert.deepEqual([again.status, again.body.status], [200, 'canceled']);
    assert.equal((await shown(id)).status, 'canceled');
    const paying = await paySplit(service, partner, id);
    assert.deepEqual([paying.status, faultsOf(paying)], [409, ['transaction_canceled']]);
    assert.equal(await eventsOf(id), 0);
  });

  test('200: after a declined attempt, and nothing is notified', async () => {
    const id = await split();
    await paySplit(service, partner, id, { blikPaymentData: { blikToken: '222123' } });
    assert.equal((await cancel(id)).status, 200);
    await settleAll(service.world);
    assert.equal(await eventsOf(id), 0);
  });

  // Guarantee: a payment in progress ends with the cancel; the payer can no longer confirm it.
  test('200: waiting for 3-D Secure', async () => {
    const before = await balancesOf(service, partner);
    const { id, link } = await waiting();
    assert.equal((await cancel(id)).status, 200);
    await settleAll(service.world);
    await service.world.bank.choose(link, 'confirm');
    await passTime(service.world, { minutes: 5 });
    const { status, payments } = await shown(id);
    assert.deepEqual([status, payments.attempts[0].status], ['canceled', 'canceled']);
    assert.equal(await netOf(id), 0n);
    assert.deepEqual(await balancesOf(service, partner), before);
  });

  // Guarantee: money that comes after the cancel is returned to the payer; no seller ever gets it.
  test('200: the money comes later, and is returned', async () => {
    service.world.bank.setFaults({ successAfterCancel: { probability: 1, seed: 0 } });
    const before = await balancesOf(service, partner);
    const { id } = await waiting();
    assert.equal((await cancel(id)).status, 200);
    await passTime(service.world, { minutes: 5 });
    const { payments } = await shown(id);
    assert.ok(service.world.bank.record().captures.some(({ key }) => key === payments.attempts[0].attemptId));
    assert.equal(await netOf(id), 0n);
    assert.equal((await shown(id)).status, 'canceled');
    assert.deepEqual(await balancesOf(service, partner), before);
    assert.equal(await eventsOf(id), 0);
  });

  test('200: repeated under an idempotency key', async () => {
    const id = await split();
    const asking = { token: partner.token, headers: { 'idempotency-key': 'cancel-1' } };
    const first = await service.ask('POST', pathOf(id), asking);
    assert.equal((await service.ask('POST', pathOf(id), asking)).text, first.text);
    const other = await service.ask('POST', pathOf(await split()), asking);
    assert.deepEqual([other.status, faultsOf(other)], [422, ['idempotency_key_reused']]);
  });

  test('401, 403: who may', async () => {
    const id = await split();
    const call = (who: TestMerchant | undefined, of: string) =>
      service.ask('POST', pathOf(of), who ? { token: who.token } : {});
    await checkDenied(service, partner, call, { id, writes: true });
    assert.equal((await shown(id)).status, 'pending');
  });

  test('404: foreign, standard and malformed ids', () =>
    checkNotFound(service, partner, (who, id) => service.ask('POST', pathOf(id), who ? { token: who.token } : {})));

  test('405: other methods', () => checkMethods(service, pathOf('x'), 'POST'));

  // Guarantee: what is paid is refunded, not canceled.
  test('409: paid, refunded', async () => {
    const id = await aPaidSplit(service, partner, [aChild(partner, 0, 100)]);
    const answer = await cancel(id);
    assert.deepEqual([answer.status, faultsOf(answer)], [409, ['already_paid']]);
    assert.deepEqual(answer.body.reasons, [answer.body.errors[0].errorMessage]);
    await refundSplit(service, partner, id);
    const refunded = await cancel(id);
    assert.deepEqual([refunded.status, faultsOf(refunded)], [409, ['already_refunded']]);
    assert.equal((await shown(id)).status, 'refund');
  });

  // Guarantee: not paid within one month, it is canceled, to the second; an attempt in progress ends too.
  test('expiry after one month', async () => {
    const idle = await split();
    const { id: open } = await waiting();
    const paid = await aPaidSplit(service, partner, [aChild(partner, 0, 100)]);
    const { clock } = service.world;
    const end = clock.now().toZonedDateTimeISO('UTC').add({ months: 1 }).toInstant();
    clock.set(end.subtract({ seconds: 1 }).toString());
    await expireTransactions(service.world);
    assert.equal((await shown(idle)).status, 'pending');
    clock.set(end.toString());
    await settleAll(service.world);
    await passTime(service.world, { minutes: 5 });
    assert.deepEqual(
      [(await shown(idle)).status, (await shown(open)).status, (await shown(paid)).status],
      ['canceled', 'canceled', 'paid'],
    );
    assert.equal(await netOf(open), 0n);
    assert.deepEqual([await eventsOf(idle), await eventsOf(open)], [0, 0]);
    assert.equal((await cancel(idle)).status, 200);
  });
});
