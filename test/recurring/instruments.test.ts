// Whose instruments may be charged, and that no charge waits for an absent payer.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Acquirer, ChargeRequest } from '../../src/acquirer/index.ts';
import { openSavedCards } from '../../src/cards/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { gated } from '../support/gate.ts';
import { aTransaction, checkInvariants, payBlik, payCard, savedTokenOf, settleAll, show } from '../support/payments.ts';
import {
  aRecurring,
  aRecurringRequest,
  askRecurring,
  chargeAll,
  postRecurring,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import {
  aMerchant,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;
let thief: TestMerchant;
let token: string;
before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
  thief = await aMerchant(service);
  const id = await aTransaction(service, merchant);
  await payCard(service, merchant, id, { save: true });
  token = await savedTokenOf(service, id);
});

const once = { schedule: { chargeCount: 1, retryIntervals: [] } };
const withCard = (value: string) => ({ ...once, paymentInstrument: { paymentType: 'card_token', value } });

suite('a card token of another merchant', () => {
  // Guarantee: a stolen token charges nobody: it gives the same response as a nonexistent one.
  for (const [what, value] of [
    ['of another merchant', () => token],
    ['that nobody has', () => `card_${'0'.repeat(64)}`],
  ] as const) {
    test(`R1 with a token ${what}: 400`, async () => {
      const refused = await postRecurring(service, thief, aRecurringRequest(service, withCard(value())));
      assert.deepEqual([refused.status, faultsOf(refused)], [400, ['not_valid paymentInstrument.value']]);
    });
    test(`R6 with a token ${what}: 400, and the instrument stays`, async () => {
      const id = await aRecurring(service, thief, once);
      const body = { paymentInstrument: { paymentType: 'card_token', value: value() } };
      const refused = await askRecurring(service, thief, id, 'payment_instrument', body);
      assert.deepEqual([refused.status, faultsOf(refused)], [400, ['not_valid paymentInstrument.value']]);
      await chargeAll(service.world);
      assert.deepEqual(await storyOf(service, thief, id), ['1.1 correct']);
    });
  }

  // Guarantee: a card token has at most 64 characters; an alias may have more.
  test('R1 with a card token of 65 characters: 400', async () => {
    const value = 'x'.repeat(65);
    const refused = await postRecurring(service, merchant, aRecurringRequest(service, withCard(value)));
    assert.deepEqual([refused.status, faultsOf(refused)], [400, ['too_long paymentInstrument.value']]);
    const alias = { paymentInstrument: { paymentType: 'blik_payid', value, blik: { model: 'A' } } };
    const taken = await postRecurring(service, merchant, aRecurringRequest(service, { ...once, ...alias }));
    assert.equal(taken.status, 201, taken.text);
  });

  // Guarantee: the token of a card whose first payment failed charges nobody either.
  test('R1 with a token that never became usable: 400', async () => {
    const failed = await aTransaction(service, merchant, { amount: 10.06 });
    await payCard(service, merchant, failed, { save: true });
    const unusable = await savedTokenOf(service, failed);
    const refused = await postRecurring(service, merchant, aRecurringRequest(service, withCard(unusable)));
    assert.deepEqual(faultsOf(refused), ['not_valid paymentInstrument.value']);
  });

  // Guarantee: whatever let a token in, the card behind it is opened for its own merchant only.
  test('the card of a token is for its own merchant', async () => {
    const uses = [merchant, await aMerchant(service)].map(({ id: merchantId }) => ({ merchantId, token }));
    const [own, other] = await openSavedCards(service.world, uses);
    assert.deepEqual([own && 'card' in own && own.card.code, other], ['', undefined]);
  });

  test('the own token is charged', async () => {
    const id = await aRecurring(service, merchant, withCard(token));
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    const body = { paymentInstrument: { paymentType: 'card_token', value: token } };
    const later = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
    assert.equal((await askRecurring(service, merchant, later, 'payment_instrument', body)).status, 201);
  });

  // Guarantee: an acquirer gets the card itself, as for a payment: tokens of our vault mean nothing to it, and would
  // let a reader of its logs charge the card through us.
  test('the acquirer gets the card of an own token, on the first try and on a repeat, and tokens of its own as they are', async () => {
    const asked: ChargeRequest[] = [];
    let away = true;
    const world = scripted({
      charge: async (request) => {
        asked.push(request);
        return away ? { kind: 'notReached' } : service.world.bank.charge(request);
      },
      findCharge: async () => ({ kind: 'notFound' }),
    });
    const own = await aRecurring(service, merchant, withCard(token));
    const foreign = await aRecurring(service, merchant, withCard('tok_of_the_acquirer'));
    await chargeAll(world);
    away = false;
    service.world.clock.advance({ seconds: 20 });
    await chargeAll(world);
    const given = asked.map(({ instrument }) => {
      if (instrument.kind === 'card') return [instrument.card.number.reveal(), instrument.recurring?.attempt];
      return instrument.kind === 'recurring' ? [instrument.value.reveal(), instrument.attempt] : [];
    });
    assert.deepEqual(
      given.sort(([left], [right]) => String(left).localeCompare(String(right))),
      [
        ['4111111111111111', 1],
        ['4111111111111111', 1],
        ['tok_of_the_acquirer', 1],
        ['tok_of_the_acquirer', 1],
      ],
    );
    for (const id of [own, foreign]) assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: the acquirer can check its own tokens: every charge names its merchant.
  test('every charge names its merchant', async () => {
    const asked: ChargeRequest[] = [];
    const world = scripted({
      charge: (request) => {
        asked.push(request);
        return service.world.bank.charge(request);
      },
    });
    await aRecurring(service, merchant, once);
    await chargeAll(world);
    const page = await serve(world);
    await payBlik(page, thief, await aTransaction(page, thief));
    assert.deepEqual(
      asked.map((request) => [request.merchant, request.initiator]),
      [
        [merchant.id, 'merchant'],
        [thief.id, 'payer'],
      ],
    );
  });

  // Guarantee: nor can an alias that a payer registered for one merchant be charged by another.
  test('a BLIK alias of another merchant: the charge fails', async () => {
    const aliases = [{ value: 'alias-of-the-payer', type: 'PAYID', label: 'Shop' }];
    const body = { groupId: 150, blikPaymentData: { blikToken: '777123', aliases } };
    const paid = await aTransaction(service, merchant);
    await service.ask('POST', `/transactions/${paid}/pay`, { token: merchant.token, body });
    const paymentInstrument = {
      paymentType: 'blik_payid',
      value: 'alias-of-the-payer',
      blik: { model: 'A', noDelay: true },
    };
    const [own, foreign] = [
      await aRecurring(service, merchant, { ...once, paymentInstrument }),
      await aRecurring(service, thief, { ...once, paymentInstrument }),
    ];
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, own), ['1.1 correct']);
    assert.deepEqual(await storyOf(service, thief, foreign), ['1.1 failed instrument invalid']);
  });
});

const scripted = (answers: Partial<Acquirer>): TestWorld => ({
  ...service.world,
  acquirers: acquirersOf(service.world, { ...gated(service.world.bank, {}), ...answers }),
});

suite('a saved token that the merchant charges', () => {
  const payByToken = async (at: Service, amount: number) => {
    const id = await aTransaction(at, merchant, { amount });
    const body = { channelId: 53, cardPaymentData: { token } };
    return { id, answer: await at.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body }) };
  };

  // Guarantee: nobody is there for 3-D Secure, so a payment by token is decided immediately, whatever its amount.
  for (const [amount, status, paymentStatus] of [
    [10.02, 'paid', 'correct'],
    [10.0, 'paid', 'correct'],
    [10.05, 'pending', 'declined'],
    [10.06, 'pending', 'declined'],
  ] as const) {
    test(`E2 of ${amount}: ${paymentStatus}`, async () => {
      const { body } = (await payByToken(service, amount)).answer;
      assert.deepEqual([body.status, body.payments.status], [status, paymentStatus]);
      assert.doesNotMatch(body.transactionPaymentUrl, /\/bank\//);
    });
  }

  test('E1 of 10.02: paid', async () => {
    const body = { amount: 10.02, description: 'Order', pay: { channelId: 53, cardPaymentData: { token } } };
    const paid = await service.ask('POST', '/transactions', { token: merchant.token, body });
    assert.deepEqual([paid.body.status, paid.body.payments.status], ['paid', 'correct']);
  });

  // Guarantee: if an acquirer asks for a challenge anyway, it is refused, and the card is not charged later.
  const canceled: string[] = [];
  const challenging = (cancel: 'canceled' | 'unknown' = 'canceled') =>
    scripted({
      charge: async () => ({ kind: 'waiting', link: 'https://acs.example.com/1' }),
      findCharge: async () => ({ kind: 'waiting', link: 'https://acs.example.com/1' }),
      cancel: async ({ key }) => {
        canceled.push(key);
        return { kind: cancel };
      },
    });

  test('E2 at a bank that wants 3-D Secure: declined, and canceled at the bank', async () => {
    const { id, answer } = await payByToken(await serve(challenging()), 10.02);
    assert.equal(answer.body.payments.status, 'declined');
    const [attempt] = (await show(service, merchant, id)).body.payments.attempts;
    assert.ok(canceled.includes(attempt.attemptId));
  });

  // Guarantee: a challenge whose cancel has no response is decided when the bank responds again, not after a day; and
  // nobody is sent to its page.
  test('E2 whose cancel has no response is canceled at the next lookup', async () => {
    const { id, answer } = await payByToken(await serve(challenging('unknown')), 10.02);
    assert.equal(answer.body.payments.status, 'pending');
    for (const seconds of [5, 5, 10]) {
      service.world.clock.advance({ seconds });
      await settleAll(challenging('unknown'));
    }
    const undecided = await show(service, merchant, id);
    assert.equal(undecided.body.payments.status, 'pending');
    assert.doesNotMatch(undecided.text, /acs/);
    service.world.clock.advance({ seconds: 10 });
    await settleAll(challenging());
    const { body } = await show(service, merchant, id);
    assert.deepEqual([body.status, body.payments.status], ['pending', 'declined']);
  });

  test('a recurring charge at a bank that wants 3-D Secure: failed, and canceled at the bank', async () => {
    const id = await aRecurring(service, merchant, withCard(token));
    await chargeAll(challenging());
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
  });

  test('a recurring charge whose cancel has no response is canceled at the next lookup', async () => {
    const id = await aRecurring(service, merchant, withCard(token));
    await chargeAll(challenging('unknown'));
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    service.world.clock.advance({ seconds: 5 });
    await chargeAll(challenging());
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed instrument rejected']);
  });

  test('a card that the payer enters still goes to 3-D Secure', async () => {
    const id = await aTransaction(service, merchant, { amount: 10.02 });
    const { body } = await payCard(service, merchant, id);
    assert.match(body.transactionPaymentUrl, /\/bank\//);
    await settleAll(service.world);
    await checkInvariants(service.world);
  });
});
