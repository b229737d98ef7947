// R5, POST /recurring/{recurringId}/cancel.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, attemptsOf, chargeAll, recurringOf, storyOf } from '../support/recurring.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /recurring/{recurringId}/cancel', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  const cancel = (id: string, who = merchant) => askRecurring(service, who, id, 'cancel');

  // Guarantee: nothing is charged after a cancel, and earlier charges are kept.
  test('200', async () => {
    const id = await aRecurring(service, merchant, { schedule: { interval: 1, intervalType: 'days' } });
    await chargeAll(service.world);
    const { status, body } = await cancel(id);
    assert.equal(status, 200);
    assert.deepEqual(body, await recurringOf(service, merchant, id));
    assert.equal(body.status, 'canceled');
    service.world.clock.advance({ hours: 24 * 10 });
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: retries stop too, including a requested manual one.
  test('200: retries stop', async () => {
    const id = await aRecurring(service, merchant, { paymentInstrument: { value: 'insufficient-funds' } });
    await chargeAll(service.world);
    await askRecurring(service, merchant, id, 'retry');
    const { body } = await cancel(id);
    assert.deepEqual([body.status, body.reason], ['canceled', 'insufficient funds']);
    service.world.clock.advance({ hours: 24 * 20 });
    await chargeAll(service.world);
    assert.equal((await attemptsOf(service, merchant, id)).length, 1);
  });

  // Guarantee: canceling twice repeats the response, and the end time does not change.
  test('200 again', async () => {
    const id = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    const endedAt = () =>
      service.world.db.sql.one((row) => String(row.ended_at))`select ended_at from recurring where id = ${id}`;
    const first = await cancel(id);
    const ended = await endedAt();
    service.world.clock.advance({ hours: 1 });
    const second = await cancel(id);
    assert.deepEqual([second.status, second.body], [200, first.body]);
    assert.equal(await endedAt(), ended);
    const many = await Promise.all(Array.from({ length: 10 }, () => cancel(id)));
    assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([200]));
  });

  // Guarantee: one that failed ends too, and can then not be restored; canceling it twice repeats the response.
  test('200: failed', async () => {
    const failed = await aRecurring(service, merchant, {
      schedule: { retryIntervals: [] },
      paymentInstrument: { value: 'payer-rejected' },
    });
    await chargeAll(service.world);
    const { status, body } = await cancel(failed);
    assert.deepEqual([status, body.status], [200, 'canceled']);
    assert.deepEqual((await cancel(failed)).body, body);
    assert.deepEqual(await recurringOf(service, merchant, failed), body);
    const changed = await askRecurring(service, merchant, failed, 'payment_instrument', {
      paymentInstrument: { paymentType: 'card_token', value: 'tok' },
    });
    assert.deepEqual([changed.status, faultsOf(changed)], [409, ['recurring_not_active']]);
  });

  // Guarantee: one whose charges were all made cannot be canceled.
  test('409: finished', async () => {
    const id = await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    await chargeAll(service.world);
    const answer = await cancel(id);
    assert.deepEqual([answer.status, faultsOf(answer)], [409, ['recurring_not_active']]);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
  });

  test('401, 403', async () => {
    const id = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    assert.equal((await service.ask('POST', `/recurring/${id}/cancel`)).status, 401);
    const answer = await cancel(id, await aCredential(service, merchant, 'read_only'));
    assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']]);
    assert.equal((await recurringOf(service, merchant, id)).status, 'active');
  });

  test('404', async () => {
    const id = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    for (const [of, who] of [
      [id, await aMerchant(service)],
      [service.world.ids.ulid(), merchant],
      ['x', merchant],
    ] as const) {
      const answer = await cancel(of, who);
      assert.deepEqual([answer.status, faultsOf(answer)], [404, ['not_found']]);
    }
    assert.equal((await recurringOf(service, merchant, id)).status, 'active');
  });
});
