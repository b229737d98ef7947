// R4, POST /recurring/{recurringId}/retry.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import {
  aRecurring,
  askRecurring,
  attemptsOf,
  chargeAll,
  pauseCharges,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import { chargeDue } from '../support/rooms.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /recurring/{recurringId}/retry', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  const retry = (id: string, who = merchant) => askRecurring(service, who, id, 'retry');
  const aFailedOne = async (value = 'fail-1-insufficient-funds', schedule: object = {}) => {
    const id = await aRecurring(service, merchant, { schedule, paymentInstrument: { value } });
    await chargeAll(service.world);
    return id;
  };

  // Guarantee: a retry is made immediately, without changing the status; the response is the representation of R2.
  test('201', async () => {
    const id = await aFailedOne();
    const { status, body } = await retry(id);
    assert.equal(status, 201);
    assert.deepEqual(body, await recurringOf(service, merchant, id));
    assert.equal(body.status, 'active');
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed insufficient funds', '1.2 correct']);
  });

  // Guarantee: no body is needed, and any is accepted.
  test('201: an empty body, an empty object', async () => {
    const id = await aFailedOne('fail-9-insufficient-funds');
    for (const asking of [{ raw: '', headers: { 'content-type': 'application/json' } }, { body: {} }, {}]) {
      const answer = await service.ask('POST', `/recurring/${id}/retry`, { token: merchant.token, ...asking });
      assert.equal(answer.status, 201, answer.text);
      await chargeAll(service.world);
    }
    assert.equal((await attemptsOf(service, merchant, id)).length, 4);
  });

  suite('406', () => {
    const refused = async (id: string, code: string) => {
      const before = await attemptsOf(service, merchant, id);
      const answer = await retry(id);
      assert.deepEqual([answer.status, faultsOf(answer)], [406, [code]]);
      await chargeAll(service.world);
      assert.deepEqual(await attemptsOf(service, merchant, id), before);
    };

    // Guarantee: recurring_not_active for every status but active.
    test('finished, failed, canceled', async () => {
      await refused(await aFailedOne('tok', { chargeCount: 1 }), 'recurring_not_active');
      await refused(await aFailedOne('payer-rejected', { retryIntervals: [] }), 'recurring_not_active');
      const canceled = await aFailedOne();
      await askRecurring(service, merchant, canceled, 'cancel');
      await refused(canceled, 'recurring_not_active');
    });

    // Guarantee: last_attempt_not_failed if there was no attempt, the last one was correct, or one is in flight.
    test('the last attempt did not fail', async () => {
      const untried = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
      await refused(untried, 'last_attempt_not_failed');
      await refused(await aFailedOne('tok'), 'last_attempt_not_failed');
    });

    test('one is on its way', async () => {
      const id = await aFailedOne();
      assert.equal((await retry(id)).status, 201);
      const held = pauseCharges(service.world, 'before');
      const round = chargeDue(held.world);
      await held.gate.arrived();
      const answer = await retry(id);
      assert.deepEqual([answer.status, faultsOf(answer)], [406, ['last_attempt_not_failed']]);
      held.gate.open();
      await round;
      assert.equal((await attemptsOf(service, merchant, id)).length, 2);
    });

    // Guarantee: a retry that was already requested is not requested twice.
    test('asked for already', async () => {
      const id = await aFailedOne('payer-rejected');
      const answers = await Promise.all(Array.from({ length: 10 }, () => retry(id)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(406)]);
      await chargeAll(service.world);
      assert.equal((await attemptsOf(service, merchant, id)).length, 2);
    });

    // Guarantee: the 31st manual retry of an iteration is refused; it is still active, and its scheduled retries come.
    test('thirty manual retries made', async () => {
      const id = await aFailedOne('insufficient-funds', { retryIntervals: [{ value: 1, unit: 'days' }] });
      for (let made = 0; made < 30; made += 1) {
        assert.equal((await retry(id)).status, 201);
        await chargeAll(service.world);
      }
      await refused(id, 'retry_limit_reached');
      assert.equal((await recurringOf(service, merchant, id)).status, 'active');
      service.world.clock.advance({ hours: 24 });
      await chargeAll(service.world);
      assert.equal((await attemptsOf(service, merchant, id)).length, 32);
      assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    });
  });

  test('401, 403', async () => {
    const id = await aFailedOne();
    assert.equal((await service.ask('POST', `/recurring/${id}/retry`)).status, 401);
    const answer = await retry(id, await aCredential(service, merchant, 'read_only'));
    assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']]);
  });

  // Guarantee: not found and access denied give the same response.
  test('404', async () => {
    const other = await aMerchant(service);
    for (const [id, who] of [
      [await aFailedOne(), other],
      [service.world.ids.ulid(), merchant],
      ['x', merchant],
    ] as const) {
      const answer = await retry(id, who);
      assert.deepEqual([answer.status, faultsOf(answer)], [404, ['not_found']]);
    }
  });
});
