// R2, GET /recurring/{recurringId}.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll, pauseCharges, recurringOf } from '../support/recurring.ts';
import { chargeDue } from '../support/rooms.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

const fields = [
  'callbackUrl',
  'description',
  'hiddenDescription',
  'id',
  'payer',
  'paymentInstrument',
  'schedule',
  'status',
];

suite('GET /recurring/{recurringId}', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });

  const get = (id: string, token = merchant.token) => service.ask('GET', `/recurring/${id}`, { token });

  // Guarantee: exactly the documented fields; no firstChargeDate, no retryIntervals, nothing more about the payer.
  test('200: the exact fields', async () => {
    const id = await aRecurring(service, merchant, {
      hiddenDescription: 'h',
      payer: {
        email: 'a@example.com',
        name: 'A',
        phone: '1',
        address: 'b',
        code: 'c',
        city: 'd',
        country: 'PL',
        taxId: 'e',
      },
      schedule: { chargeCount: 3, retryIntervals: [], firstChargeDate: '2030-01-01T10:00:00Z' },
      paymentInstrument: { paymentType: 'blik_payid', value: 'x', blik: { model: 'A', noDelay: true } },
    });
    const { status, body } = await get(id);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), fields);
    assert.deepEqual(Object.keys(body.payer).sort(), ['email', 'name']);
    assert.deepEqual(Object.keys(body.schedule).sort(), [
      'amount',
      'chargeCount',
      'currency',
      'interval',
      'intervalType',
    ]);
    assert.deepEqual(body.paymentInstrument, { paymentType: 'blik_payid' });
    assert.equal(body.schedule.chargeCount, 3);
  });

  // Guarantee: chargeCount is null, not missing and not an empty string.
  test('200: chargeCount null', async () => {
    const id = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    assert.equal((await get(id)).body.schedule.chargeCount, null);
  });

  // Guarantee: `reason` is present exactly if the last attempt failed.
  test('200: reason', async () => {
    const id = await aRecurring(service, merchant, { paymentInstrument: { value: 'fail-2-payer-rejected' } });
    const reason = async () => (await recurringOf(service, merchant, id)).reason;
    assert.equal(await reason(), undefined);
    await chargeAll(service.world);
    assert.equal(await reason(), 'payer rejected');
    assert.deepEqual(Object.keys((await get(id)).body).sort(), [...fields, 'reason'].sort());
    // While the next attempt is in flight it is the last one, and has not failed.
    const held = pauseCharges(service.world, 'before');
    await askRecurring(service, merchant, id, 'retry');
    const round = chargeDue(held.world);
    await held.gate.arrived();
    assert.equal(await reason(), undefined);
    held.gate.open();
    await round;
    assert.equal(await reason(), 'payer rejected');
    await askRecurring(service, merchant, id, 'retry');
    await chargeAll(service.world);
    assert.equal(await reason(), undefined);
    await checkInvariants(service.world);
  });

  // Guarantee: each status shows.
  test('200: active, finished, failed, canceled', async () => {
    const finished = await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    const failed = await aRecurring(service, merchant, {
      schedule: { retryIntervals: [] },
      paymentInstrument: { value: 'instrument-invalid' },
    });
    const canceled = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    assert.equal((await get(canceled)).body.status, 'active');
    await askRecurring(service, merchant, canceled, 'cancel');
    await chargeAll(service.world);
    assert.deepEqual(await Promise.all([finished, failed, canceled].map(async (id) => (await get(id)).body.status)), [
      'finished',
      'failed',
      'canceled',
    ]);
  });

  test('200 with a read-only credential', async () => {
    const id = await aRecurring(service, merchant);
    assert.equal((await get(id, (await aCredential(service, merchant, 'read_only')).token)).status, 200);
  });

  test('401', async () => {
    const answer = await service.ask('GET', `/recurring/${await aRecurring(service, merchant)}`);
    assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer']);
  });

  // Guarantee: another merchant's, an unknown and a malformed id give the same response, byte for byte.
  test('404', async () => {
    const other = await aMerchant(service);
    const theirs = await aRecurring(service, other);
    const texts = new Set<string>();
    for (const id of [theirs, service.world.ids.ulid(), 'x', theirs.toLowerCase(), `${theirs}0`, '%00', "'"]) {
      const answer = await get(encodeURIComponent(decodeURIComponent(id)));
      assert.deepEqual([answer.status, faultsOf(answer)], [404, ['not_found']], id);
      texts.add(answer.text.replace(answer.body.requestId, ''));
    }
    assert.equal(texts.size, 1);
  });

  test('405', async () => {
    const answer = await service.ask('DELETE', `/recurring/${await aRecurring(service, merchant)}`, {
      token: merchant.token,
    });
    assert.equal(answer.status, 405);
  });
});
