// R6, POST /recurring/{recurringId}/payment_instrument.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { addSeller } from '../../src/accounts/index.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll, recurringOf, storyOf } from '../support/recurring.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /recurring/{recurringId}/payment_instrument', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
  });
  after(() => checkInvariants(service.world));

  const change = (id: string, paymentInstrument: unknown, who = merchant) =>
    askRecurring(service, who, id, 'payment_instrument', { paymentInstrument });
  const aLaterOne = () => aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });

  // Guarantee: later charges use the new instrument; the response is the representation of R2.
  test('201: a card becomes an alias and a card again', async () => {
    const id = await aLaterOne();
    for (const instrument of [
      { paymentType: 'blik_payid', value: 'alias', blik: { model: 'A', noDelay: true } },
      { paymentType: 'blik_payid', value: 'alias', blik: { model: 'O' } },
      { paymentType: 'blik_payid', value: 'alias', blik: { model: 'M' } },
      { paymentType: 'blik_payid', value: 'alias', blik: { model: 'M', noDelay: false } },
      { paymentType: 'card_token', value: 'tok2' },
    ]) {
      const { status, body } = await change(id, instrument);
      assert.equal(status, 201);
      assert.deepEqual(body.paymentInstrument, { paymentType: instrument.paymentType });
      assert.deepEqual(body, await recurringOf(service, merchant, id));
    }
  });

  // Guarantee: payments resume after a rejection: the next retry uses the new card.
  test('201: the retry uses the new one', async () => {
    const id = await aRecurring(service, merchant, { paymentInstrument: { value: 'instrument-rejected' } });
    await chargeAll(service.world);
    assert.equal((await change(id, { paymentType: 'card_token', value: 'good' })).status, 201);
    await askRecurring(service, merchant, id, 'retry');
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected', '1.2 correct']);
  });

  suite('400', () => {
    const alias = (blik: unknown) => ({ paymentType: 'blik_payid', value: 'a', blik });
    for (const [name, instrument, expected] of [
      ['nothing', undefined, ['field_required paymentInstrument']],
      ['a text', 'tok', ['not_object paymentInstrument']],
      ['empty', {}, ['field_required paymentInstrument.paymentType', 'field_required paymentInstrument.value']],
      ['cash', { paymentType: 'cash', value: 'x' }, ['not_valid paymentInstrument.paymentType']],
      ['no value', { paymentType: 'card_token' }, ['field_required paymentInstrument.value']],
      ['empty value', { paymentType: 'card_token', value: '' }, ['too_short paymentInstrument.value']],
      ['blik missing', { paymentType: 'blik_payid', value: 'a' }, ['field_required paymentInstrument.blik']],
      ['model missing', alias({ noDelay: true }), ['field_required paymentInstrument.blik.model']],
      ['model X', alias({ model: 'X' }), ['not_valid paymentInstrument.blik.model']],
      ['noDelay with M', alias({ model: 'M', noDelay: true }), ['not_valid paymentInstrument.blik.noDelay']],
      [
        'blik with a card',
        { ...alias({ model: 'A' }), paymentType: 'card_token' },
        ['unexpected_field paymentInstrument.blik'],
      ],
      [
        'several faults',
        { paymentType: 'blik_payid', value: '', blik: { noDelay: 'x' } },
        [
          'field_required paymentInstrument.blik.model',
          'not_boolean paymentInstrument.blik.noDelay',
          'too_short paymentInstrument.value',
        ],
      ],
    ] as const) {
      test(name, async () => {
        const answer = await change(await aLaterOne(), instrument);
        assert.equal(answer.status, 400);
        assert.deepEqual(faultsOf(answer), expected);
      });
    }
  });

  // Guarantee: one that is finished or canceled accepts no new instrument. One that failed does: restore.test.ts.
  test('409: finished, canceled', async () => {
    const finished = await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    const canceled = await aLaterOne();
    await askRecurring(service, merchant, canceled, 'cancel');
    await chargeAll(service.world);
    for (const id of [finished, canceled]) {
      const answer = await change(id, { paymentType: 'card_token', value: 'x' });
      assert.deepEqual([answer.status, faultsOf(answer)], [409, ['recurring_not_active']]);
    }
  });

  test('401, 403, 404', async () => {
    const id = await aLaterOne();
    const instrument = { paymentType: 'card_token', value: 'x' };
    const path = `/recurring/${id}/payment_instrument`;
    assert.equal((await service.ask('POST', path, { body: { paymentInstrument: instrument } })).status, 401);
    assert.equal((await change(id, instrument, await aCredential(service, merchant, 'read_only'))).status, 403);
    assert.equal((await change(id, instrument, await aMerchant(service))).status, 404);
    assert.equal((await change(service.world.ids.ulid(), instrument)).status, 404);
    assert.equal((await change('x', instrument)).status, 404);
  });

  // Guarantee: the header X-Merchant-Id names the account; with any other value nothing is found (docs/decisions/0001).
  test('X-Merchant-Id', async () => {
    const partner = await aMerchant(service, { kind: 'partner' });
    const seller = await aMerchant(service, { kind: 'seller' });
    await addSeller(service.world.db.sql, partner.id, seller.id);
    const id = await aRecurring(service, seller, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    const as = (token: string, merchantId: string) =>
      service.ask('POST', `/recurring/${id}/payment_instrument`, {
        token,
        headers: { 'x-merchant-id': merchantId },
        body: { paymentInstrument: { paymentType: 'card_token', value: 'x' } },
      });
    assert.equal((await as(seller.token, seller.id)).status, 201);
    assert.equal((await as(partner.token, seller.id)).status, 201);
    assert.equal((await as(partner.token, partner.id)).status, 404);
    assert.equal((await as(merchant.token, seller.id)).status, 404);
  });
});
