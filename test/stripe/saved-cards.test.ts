// Cards that a payer lets be saved in the provider's own fields: behind a token of ours, charged by Stripe only.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { attemptsOf } from '../support/payer.ts';
import { aTransaction, savedTokenOf } from '../support/payments.ts';
import { aRecurring, aRecurringRequest, chargeAll, postRecurring, storyOf } from '../support/recurring.ts';
import { aMerchant, faultsOf } from '../support/service.ts';
import { aCardToken, heldAt } from '../support/stripe.ts';
import { aShop, payOnPage as payOnPageOf, type Shop } from '../support/stripe-shop.ts';

suite('a card that the provider keeps', () => {
  let shop: Shop;
  let token: string;

  const payOnPage = (fields: object) => payOnPageOf(shop, shop.merchant, fields);

  const payWith = async (value: string, merchant = shop.merchant) => {
    const id = await aTransaction(shop.service, merchant, { amount: 12 });
    const body = { channelId: 53, cardPaymentData: { token: value } };
    return shop.service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
  };
  const withToken = (value: string) => ({ paymentInstrument: { paymentType: 'card_token', value } });

  before(async () => {
    shop = await aShop();
    token = await savedTokenOf(shop.service, await payOnPage({ save: '1' }));
  });

  // Guarantee: nothing of the card but what may be shown of it is here.
  test('has a token of ours, and no number', async () => {
    const { db, vault } = shop.service.world;
    const rows = await db.sql.many((row) => row)`select * from card_token`;
    assert.match(token, /^card_[0-9a-f]{56}$/);
    assert.deepEqual(
      rows.map(({ acquirer, brand, tail, expiry }) => [acquirer, brand, tail, String(expiry).length]),
      [['stripe', 'Visa', '4242', 4]],
    );
    const [row] = rows;
    const sealed = vault.open(String(row?.card_sealed), `card ${row?.token}`).reveal();
    assert.deepEqual(JSON.parse(sealed), { token });
  });

  test('without the wish to save there is no token', async () => {
    const id = await payOnPage({});
    await assert.rejects(savedTokenOf(shop.service, id), /a card was saved/);
    assert.deepEqual(await attemptsOf(shop.service, id), ['53 correct']);
  });

  // Guarantee: the token pays without its payer, for its own merchant only.
  test('pays a transaction', async () => {
    const paid = await payWith(token);
    assert.deepEqual([paid.status, paid.body.status], [200, 'paid'], paid.text);
    const other = await aMerchant(shop.service);
    assert.deepEqual(faultsOf(await payWith(token, other)), ['not_valid cardPaymentData.token']);
  });

  // Guarantee: a recurring payment is charged by the acquirer that keeps the card, once for each date.
  test('pays a recurring payment', async () => {
    const { service, merchant, stage } = shop;
    const id = await aRecurring(service, merchant, withToken(token));
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.deepEqual(
      [...heldAt(stage.fake).captures.values()].filter((times) => times > 1),
      [],
    );
  });

  // Guarantee: a bank that asks for an absent payer declines, and the payment is not left open.
  test('whose bank asks for the payer', async () => {
    const { service, merchant, stage, pass } = shop;
    const paid = await payOnPage({ save: '1', token: await aCardToken(stage, 'pm_card_authenticationRequired') });
    const [waiting] = stage.fake.provider.store.listWaiting();
    const link = waiting?.object.next_action?.redirect_to_url?.url ?? '';
    await fetch(link, { method: 'POST', body: 'choice=approve', redirect: 'manual' });
    await pass(1);
    const strict = await savedTokenOf(service, paid);
    const answer = await payWith(strict);
    assert.equal(answer.body.payments.errors[0].errorMessage, 'authentication failed');
    const id = await aRecurring(service, merchant, withToken(strict));
    await chargeAll(service.world);
    assert.match((await storyOf(service, merchant, id)).join(), /^1\.1 failed/);
  });

  // Guarantee: whose acquirer is off, that card is charged by nobody, and whoever tries is told why.
  test('of an acquirer that is switched off', async () => {
    const { service, merchant, takeNew } = shop;
    const id = await aRecurring(service, merchant, withToken(token));
    takeNew(false);
    assert.deepEqual(faultsOf(await payWith(token)), ['card_not_chargeable cardPaymentData.token']);
    const refused = await postRecurring(service, merchant, aRecurringRequest(service, withToken(token)));
    assert.deepEqual(faultsOf(refused), ['card_not_chargeable paymentInstrument.value']);
    await chargeAll(service.world);
    assert.match((await storyOf(service, merchant, id)).join(), /^1\.1 failed/);
    takeNew(true);
    assert.equal((await payWith(token)).body.status, 'paid');
  });

  // Guarantee: a payer who agrees while paying by BLIK is charged later, within the limits of the provider.
  test('BLIK by model O, after a payment with a code', async () => {
    const { service, merchant, pass } = shop;
    const id = await aTransaction(service, merchant, { amount: 20 });
    const blikPaymentData = { blikToken: '123456', aliases: { value: 'payid-9', type: 'PAYID', label: 'Shop' } };
    const body = { groupId: 150, blikPaymentData };
    await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    await pass(6);
    const paymentInstrument = { paymentType: 'blik_payid', value: 'payid-9', blik: { model: 'O' } };
    const recurring = await aRecurring(service, merchant, { paymentInstrument });
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, recurring), ['1.1 correct']);
  });

  // Guarantee: a recurring payment that nobody can charge is refused when it is created, and says why.
  test('400: BLIK models that the provider does not have, and tokens of nobody', async () => {
    const { service, merchant } = shop;
    for (const [model, amount] of [
      ['A', 20],
      ['M', 20],
      ['O', 2_000.01],
    ] as const) {
      const paymentInstrument = { paymentType: 'blik_payid', value: 'payid-1', blik: { model } };
      const body = aRecurringRequest(service, { paymentInstrument, schedule: { amount } });
      const answer = await postRecurring(service, merchant, body);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, ['blik_model_not_taken paymentInstrument.blik.model']]);
    }
    const answer = await postRecurring(service, merchant, aRecurringRequest(service, withToken('tok')));
    assert.deepEqual(faultsOf(answer), ['not_valid paymentInstrument.value']);
    assert.match(answer.text, /The token does not exist or cannot be used/);
  });
});
