import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ChargeRequest, Instrument } from '../acquirer/index.ts';
import { money, Secret } from '../kernel/index.ts';
import { bySaved, confirmationOf } from './instrument.ts';

const returnUrl = 'https://pay.example.com/back';
const payer = { email: 'jan@example.com', name: 'Jan Kowalski' };
const billing_details = payer;

const asked = (instrument: Instrument, more: Partial<ChargeRequest> = {}): ChargeRequest => ({
  key: '01KKBCTHR0CHARGE0000000001',
  merchant: '01KKBCTHR0MERCHANT00000001',
  initiator: 'payer',
  amount: money(500n, 'PLN'),
  instrument,
  description: 'Order',
  payer,
  returnUrl,
  deadlineMilliseconds: 1_000,
  ...more,
});

/** The whole of it, with what is sent. */
function shown(request: ChargeRequest, rawCards = false): object {
  const confirmation = confirmationOf(request, { rawCards });
  return confirmation.kind === 'fits' ? { ...confirmation, params: confirmation.params() } : confirmation;
}

const refused = (reason: string, code: string) => ({ kind: 'refused', reason, code });

suite('BLIK', () => {
  const alias = (type: 'UID' | 'PAYID') => ({ value: new Secret(`of ${type}`), type, label: 'Shop' });
  const withCode = (...aliases: ReturnType<typeof alias>[]) =>
    ({ kind: 'blik', code: new Secret('123456'), aliases }) as const;
  const payment_method_data = { type: 'blik', blik: {}, billing_details };
  const payment_method_options = { blik: { code: '123456' } };

  // Guarantee: an alias that the provider cannot keep is not sent as if it could.
  test('with a code, and without a name to keep', () => {
    for (const instrument of [withCode(), withCode(alias('UID'))]) {
      const params = { payment_method_data, payment_method_options };
      assert.deepEqual(shown(asked(instrument)), { kind: 'fits', method: 'blik', params });
    }
  });

  // Guarantee: what the payer agreed to, and only that, is kept, under the name that may be charged.
  test('kept under a name', () => {
    const kept = alias('PAYID');
    const mandate_data = { customer_acceptance: { type: 'offline', offline: {} } };
    const params = { payment_method_data, payment_method_options, mandate_data };
    const expected = { kind: 'fits', method: 'blik', saves: true, alias: kept.value, params };
    assert.deepEqual(shown(asked(withCode(alias('UID'), kept))), expected);
  });

  test('without a code', () => {
    const instrument = { kind: 'blik', code: null, aliases: [alias('UID')] } as const;
    assert.deepEqual(shown(asked(instrument)), refused('instrument invalid', 'grosz_blik_alias'));
  });

  test('charged again: by model O only', () => {
    const value = new Secret('payid');
    const turn = { iteration: 1, attempt: 1 };
    const byModel = (model: 'A' | 'M' | 'O') =>
      shown(asked({ kind: 'recurring', value, blik: { model, noDelay: true }, ...turn }));
    assert.deepEqual(byModel('O'), { kind: 'alias', method: 'blik', value });
    const not = refused('instrument rejected', 'grosz_recurring_not_offered');
    assert.deepEqual(byModel('A'), not);
    assert.deepEqual(byModel('M'), not);
    assert.deepEqual(shown(asked({ kind: 'recurring', value, blik: null, ...turn })), not);
  });
});

suite('a bank transfer', () => {
  // Guarantee: the provider refuses a payer without an email, so nothing is sent.
  test('needs the email of the payer', () => {
    const transfer = { kind: 'transfer' } as const;
    const not = refused('instrument invalid', 'grosz_payer_email');
    assert.deepEqual(shown(asked(transfer, { payer: { email: '', name: 'Jan' } })), not);
    const { payer: _, ...without } = asked(transfer);
    assert.deepEqual(shown(without), not);
    for (const [known, sent] of [
      [payer, billing_details],
      [{ email: payer.email, name: '' }, { email: payer.email }],
    ] as const) {
      const params = { payment_method_data: { type: 'p24', p24: {}, billing_details: sent }, return_url: returnUrl };
      assert.deepEqual(shown(asked(transfer, { payer: known })), { kind: 'fits', method: 'p24', params });
    }
  });
});

suite('a card', () => {
  test('in the fields of the provider, kept or not', () => {
    for (const save of [true, false]) {
      const params = { confirmation_token: 'ctoken_1', return_url: returnUrl, use_stripe_sdk: false };
      const expected = { kind: 'fits', method: 'card', saves: save, params };
      assert.deepEqual(shown(asked({ kind: 'fields', token: new Secret('ctoken_1'), save })), expected);
    }
  });

  test('that was kept with an earlier charge, charged without the payer', () => {
    const expected = { kind: 'saved', method: 'card', chargeKey: 'earlier' };
    assert.deepEqual(shown(asked({ kind: 'saved', chargeKey: 'earlier' })), expected);
    assert.deepEqual(bySaved('pm_1'), { payment_method: 'pm_1', off_session: true });
  });

  const numbered = (code: string) =>
    ({
      kind: 'card',
      card: { number: new Secret('4242424242424242'), expiry: new Secret('07/31'), code: new Secret(code) },
    }) as const;
  const number = { number: '4242424242424242', exp_month: 7, exp_year: 2_031 };

  // Guarantee: numbers are sent only by those who may; without the payer nobody is asked for 3-D Secure.
  test('by its number', () => {
    assert.deepEqual(shown(asked(numbered('123'))), refused('instrument rejected', 'grosz_card_numbers_off'));
    const typed = { type: 'card', card: { ...number, cvc: '123' }, billing_details };
    const present = { payment_method_data: typed, return_url: returnUrl, use_stripe_sdk: false };
    assert.deepEqual(shown(asked(numbered('123')), true), { kind: 'fits', method: 'card', params: present });
    const { payer: _, ...nobody } = asked(numbered(''), { initiator: 'merchant' });
    const absent = { payment_method_data: { type: 'card', card: number }, off_session: true };
    assert.deepEqual(shown(nobody, true), { kind: 'fits', method: 'card', params: absent });
  });
});

// Guarantee: what the provider does not have is declined, and the operator sees which it was.
test('everything else is refused by its name', () => {
  const card = { network: 'Visa', number: new Secret('4'), expiry: new Secret('07/31'), cryptogram: new Secret('c') };
  const wallet = { kind: 'wallet', card: { ...card, eci: null } } as Instrument;
  assert.deepEqual(shown(asked(wallet), true), refused('instrument rejected', 'grosz_wallet_not_offered'));
});
