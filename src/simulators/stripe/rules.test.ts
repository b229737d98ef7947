// The pure rules of the fake: forms, parameters, cards, BLIK, amounts, signatures, faults.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Stripe } from 'stripe';
import { amountFault, feeOf, takesCurrency, usualFees } from './amounts.ts';
import { blikError, isBlikCode, outcomeOfEmail } from './blik.ts';
import { isCardNumber, namedCard, testCard } from './cards.ts';
import { changeClock, machineTime, timeOf } from './clock.ts';
import { InvalidParameter } from './errors.ts';
import { checkRules, Faults } from './faults.ts';
import { readFields } from './form.ts';
import { canonical } from './idempotency.ts';
import { keysOf } from './ids.ts';
import { changeSettings, usualSettings } from './settings.ts';
import { readParameters } from './spec.ts';
import { signatureHeader } from './webhooks.ts';

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidParameter) return `${error.body.code} ${error.body.param}`;
    throw error;
  }
  return undefined;
};

suite('forms', () => {
  // Guarantee: what the official SDK writes is read back: objects, lists in both spellings, empty texts.
  test('are read with their brackets', () => {
    const read = readFields('a[b][c]=1&list[]=x&list[]=y&numbered[0]=z&empty=');
    assert.deepEqual(JSON.parse(JSON.stringify(read)), {
      a: { b: { c: '1' } },
      list: { 0: 'x', 1: 'y' },
      numbered: { 0: 'z' },
      empty: '',
    });
  });

  test('that contradict themselves are refused', () => {
    assert.equal(
      codeOf(() => readFields('a=1&a=2')),
      'parameter_invalid a',
    );
    assert.equal(
      codeOf(() => readFields('a=1&a[b]=2')),
      'parameter_invalid a[b]',
    );
  });
});

suite('parameters', () => {
  const fields = {
    amount: 'integer',
    name: 'text',
    on: 'boolean',
    kind: { of: ['one', 'two'] },
    deep: { fields: { text: 'text' } },
    metadata: 'metadata',
  } as const;
  const read = (form: string) => readParameters(readFields(form), fields, ['amount']);

  // Guarantee: the fake takes nothing that the provider refuses.
  for (const [form, code] of [
    ['amount=1&unheard=2', 'parameter_unknown unheard'],
    ['amount=1&deep[other]=2', 'parameter_unknown deep[other]'],
    ['amount=1.5', 'parameter_invalid_integer amount'],
    ['name=x', 'parameter_missing amount'],
    ['amount=1&name=', 'parameter_invalid_empty name'],
    ['amount=1&on=yes', 'parameter_invalid on'],
    ['amount=1&kind=three', 'parameter_invalid kind'],
    [`amount=1&metadata[${'k'.repeat(41)}]=v`, 'parameter_invalid metadata'],
    [`amount=1&metadata[k]=${'v'.repeat(501)}`, 'parameter_invalid metadata'],
    ['amount=1&__proto__[x]=2', 'parameter_unknown __proto__'],
  ] as const)
    test(`${form.slice(0, 40)}: ${code}`, () =>
      assert.equal(
        codeOf(() => read(form)),
        code,
      ));

  test('are the same whatever their order', () => {
    assert.equal(canonical({ a: 1, b: { c: [1, 2] } }), canonical({ b: { c: [1, 2] }, a: 1 }));
    assert.notEqual(canonical({ a: 1 }), canonical({ a: '1' }));
  });
});

suite('cards', () => {
  // Guarantee: the numbers and names of test mode do what people know them for.
  test('of test mode', () => {
    assert.deepEqual(testCard('4242424242424242'), { brand: 'visa', last4: '4242' });
    assert.equal(testCard('4000000000009995')?.decline?.decline_code, 'insufficient_funds');
    assert.equal(testCard('4000002500003155')?.authentication, 'unless set up');
    assert.equal(namedCard('pm_card_visa_chargeDeclined')?.decline?.decline_code, 'generic_decline');
    assert.equal(namedCard('pm_card_refundFail')?.refund, 'fails later');
    assert.equal(namedCard('pm_card_unheard'), undefined);
    assert.equal(namedCard('toString'), undefined);
    assert.ok(isCardNumber('4242424242424242') && !isCardNumber('4242424242424241') && !isCardNumber('42'));
  });
});

suite('BLIK', () => {
  test('the email says what fails, and the version what it is called', () => {
    assert.equal(outcomeOfEmail('shop+customer_declined@example.com'), 'customer_declined');
    assert.equal(outcomeOfEmail('jan@example.com'), undefined);
    assert.equal(outcomeOfEmail(null), undefined);
    assert.equal(blikError('invalid_code', '2026-10-28.endive').decline_code, 'code_invalid');
    assert.equal(blikError('invalid_code', '2026-07-29.dahlia').decline_code, 'generic_decline');
    assert.ok(isBlikCode('000000') && !isBlikCode('12345') && !isBlikCode('12345a'));
  });
});

suite('amounts', () => {
  test('have bounds, currencies and fees', () => {
    assert.equal(amountFault(199, 'pln'), 'amount_too_small');
    assert.equal(amountFault(200, 'pln'), undefined);
    assert.equal(amountFault(100_000_000, 'pln'), 'amount_too_large');
    assert.ok(takesCurrency('p24', 'eur') && !takesCurrency('blik', 'eur') && takesCurrency('card', 'usd'));
    assert.equal(feeOf(10_000, usualFees.card), 250);
    assert.equal(feeOf(50, usualFees.card), 50);
  });
});

suite('webhook signatures', () => {
  // Guarantee: the official SDK accepts what the fake signs, with either secret while one replaces the other.
  test('are verified by the official SDK', () => {
    const body = JSON.stringify({ id: 'evt_1', object: 'event' });
    const header = signatureHeader(body, ['whsec_old', 'whsec_new'], 1_800_000_000);
    const { webhooks } = new Stripe('sk_test_x');
    for (const secret of ['whsec_old', 'whsec_new'])
      assert.ok(webhooks.constructEvent(body, header, secret, 300, undefined, 1_800_000_100_000));
    assert.throws(() => webhooks.constructEvent(body, header, 'whsec_other', 300, undefined, 1_800_000_100_000));
    assert.throws(() => webhooks.constructEvent(body, header, 'whsec_new', 300, undefined, 1_800_000_301_000));
  });
});

suite('faults', () => {
  // Guarantee: a seed strikes the same requests in whatever order they come.
  test('are drawn from the seed and the request', () => {
    const struck = (names: readonly string[]) => {
      const faults = new Faults();
      faults.set(checkRules([{ kind: 'lostAnswer', probability: 0.3, seed: 7 }]));
      return names.filter((name) => faults.strike({ endpoint: 'POST /v1/refunds', name })).sort();
    };
    const names = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    assert.deepEqual(struck(names), struck(names.toReversed()));
    assert.ok(struck(names).length > 30 && struck(names).length < 90);
  });

  test('leave some alone, and end', () => {
    const faults = new Faults();
    faults.set(checkRules([{ kind: 'rateLimit', endpoint: '/confirm', skip: 1, times: 2 }]));
    const strikes = (endpoint: string) => faults.strike({ endpoint, name: 'key' }) !== undefined;
    assert.equal(strikes('POST /v1/refunds'), false);
    const met = [1, 2, 3, 4].map(() => strikes('POST /v1/payment_intents/:id/confirm'));
    assert.deepEqual(met, [false, true, true, false]);
  });

  test('that do not exist are refused', () => {
    assert.throws(() => checkRules([{ kind: 'unheard' }]), RangeError);
    assert.throws(() => checkRules([{ kind: 'slow', seconds: 1_000 }]), RangeError);
    assert.throws(() => changeSettings(usualSettings, { unheard: 1 }), RangeError);
    assert.throws(() => changeSettings(usualSettings, { refundOutcome: 'perhaps' }), RangeError);
  });
});

suite('the clock', () => {
  test('follows the machine, is off, or stands', () => {
    const base = { now: () => Temporal.Instant.from('2026-11-02T10:00:00Z') };
    const at = (setting: typeof machineTime) =>
      Temporal.Instant.fromEpochMilliseconds(timeOf(setting, base)).toString();
    assert.equal(at(changeClock(machineTime, { skewSeconds: -600 })), '2026-11-02T09:50:00Z');
    const stopped = changeClock(machineTime, { stopAt: '2026-12-24T00:00:00Z' });
    assert.equal(at(changeClock(stopped, { advanceSeconds: 60 })), '2026-12-24T00:01:00Z');
    assert.equal(at(changeClock(stopped, { run: true })), '2026-11-02T10:00:00Z');
    assert.throws(() => changeClock(machineTime, { advanceSeconds: -1 }), RangeError);
    for (const name of ['advanceSeconds', 'skewSeconds'])
      assert.throws(() => changeClock(machineTime, { [name]: 'x' }), new RangeError(`${name} must be a number.`));
  });
});

suite('keys', () => {
  test('are those of the seed', () => {
    assert.deepEqual(keysOf('one', 'main'), keysOf('one', 'main'));
    assert.notEqual(keysOf('one', 'main').secretTest, keysOf('two', 'main').secretTest);
    assert.match(keysOf('one', 'main').restrictedLive, /^rk_live_51[A-Za-z0-9]{40,}$/);
  });
});
