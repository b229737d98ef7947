import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Stripe } from 'stripe';
import { money, ulid } from '../kernel/index.ts';
import { codeOf, reasonOf, refundWhy } from './declines.ts';
import {
  descriptionOf,
  furthest,
  mayBeForgotten,
  readIntent,
  readRefund,
  readSaved,
  readStage,
  readToken,
} from './rules.ts';

const intent = (fields: Partial<Stripe.PaymentIntent>) =>
  ({
    id: 'pi_1',
    status: 'requires_payment_method',
    currency: 'pln',
    amount: 500,
    amount_received: 0,
    last_payment_error: null,
    next_action: null,
    ...fields,
  }) as Stripe.PaymentIntent;

const error = (code: string, decline_code?: string) =>
  ({ type: 'card_error', code, ...(decline_code && { decline_code }) }) as Stripe.PaymentIntent.LastPaymentError;

// Guarantee: only what the provider says is paid is paid, with what it received; only a payment that was declined is
// declined.
suite('readIntent', () => {
  const declined = { reason: 'payer rejected', code: 'customer_declined' };
  const failure = error('payment_method_provider_decline', 'customer_declined');
  for (const [name, fields, expected] of [
    ['paid', { status: 'succeeded', amount_received: 499 }, { kind: 'approved', amount: money(499n, 'PLN') }],
    ['paid in another currency', { status: 'succeeded', currency: 'eur' }, { kind: 'strange', what: 'paid in eur' }],
    ['not confirmed', {}, { kind: 'idle' }],
    ['with a method, not confirmed', { status: 'requires_confirmation' }, { kind: 'idle' }],
    ['declined', { last_payment_error: failure }, { kind: 'failed', decline: declined }],
    ['being decided', { status: 'processing' }, { kind: 'waiting', link: null }],
    ['canceled', { status: 'canceled' }, { kind: 'canceled', decline: undefined }],
    [
      'canceled after a decline',
      { status: 'canceled', last_payment_error: failure },
      { kind: 'canceled', decline: declined },
    ],
    ['waiting to be captured', { status: 'requires_capture' }, { kind: 'strange', what: 'requires_capture' }],
    [
      'at the page of the bank',
      {
        status: 'requires_action',
        next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example/1', return_url: null } },
      },
      { kind: 'waiting', link: 'https://bank.example/1' },
    ],
    [
      'in the app of the bank',
      { status: 'requires_action', next_action: { type: 'blik_authorize', blik_authorize: {} } },
      { kind: 'waiting', link: null },
    ],
    [
      'an action for a script',
      { status: 'requires_action', next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} } },
      { kind: 'strange', what: 'requires_action use_stripe_sdk' },
    ],
    ['an action without a name', { status: 'requires_action' }, { kind: 'strange', what: 'requires_action' }],
  ] as const satisfies readonly (readonly [string, Partial<Stripe.PaymentIntent>, unknown])[]) {
    test(name, () => assert.deepEqual(readIntent(intent(fields)), expected));
  }
});

// Guarantee: a refund is paid when the provider says so, and declined only when it failed.
test('readRefund', () => {
  const read = (status: string, failure_reason?: string) =>
    readRefund({ status, ...(failure_reason && { failure_reason }) } as Stripe.Refund);
  assert.deepEqual(read('succeeded'), { kind: 'succeeded' });
  assert.deepEqual(read('pending'), { kind: 'waiting' });
  assert.deepEqual(read('requires_action'), { kind: 'waiting' });
  assert.deepEqual(read('failed', 'insufficient_funds'), {
    kind: 'failed',
    decline: { why: 'no_funds', code: 'insufficient_funds' },
  });
  assert.deepEqual(read('canceled'), { kind: 'failed', decline: { why: 'refused', code: 'canceled' } });
});

test('readStage: warnings move no money', () => {
  const stages = ['needs_response', 'under_review', 'won', 'lost', 'warning_needs_response', 'warning_closed'] as const;
  assert.deepEqual(stages.map(readStage), ['opened', 'opened', 'won', 'lost', undefined, undefined]);
});

// Guarantee: every code that is known says what the payer can do; the others are refusals of the instrument.
test('reasonOf', () => {
  for (const [code, decline, reason] of [
    ['card_declined', 'insufficient_funds', 'insufficient funds'],
    ['card_declined', 'withdrawal_count_limit_exceeded', 'insufficient funds'],
    ['card_declined', 'card_velocity_exceeded', 'insufficient funds'],
    ['card_declined', 'generic_decline', 'instrument rejected'],
    ['card_declined', 'do_not_honor', 'instrument rejected'],
    ['card_declined', 'lost_card', 'instrument rejected'],
    ['card_declined', 'stolen_card', 'instrument rejected'],
    ['card_declined', 'invalid_amount', 'instrument rejected'],
    ['card_declined', 'invalid_account', 'instrument invalid'],
    ['card_declined', 'incorrect_pin', 'instrument invalid'],
    ['card_declined', 'invalid_pin', 'instrument invalid'],
    ['card_declined', 'authentication_required', 'authentication failed'],
    ['card_declined', 'authentication_not_handled', 'authentication failed'],
    ['card_declined', 'mobile_device_authentication_required', 'authentication failed'],
    ['card_declined', 'issuer_not_available', 'internal error'],
    ['card_declined', 'reenter_transaction', 'internal error'],
    ['card_declined', 'try_again_later', 'internal error'],
    ...['expired_card', 'incorrect_number', 'incorrect_cvc', 'incorrect_zip', 'invalid_number', 'invalid_cvc'].flatMap(
      (one) => [[one, undefined, 'instrument invalid'] as const, ['card_declined', one, 'instrument invalid'] as const],
    ),
    ...['invalid_expiry_month', 'invalid_expiry_year'].flatMap((one) => [
      [one, undefined, 'instrument invalid'] as const,
      ['card_declined', one, 'instrument invalid'] as const,
    ]),
    ['insufficient_funds', undefined, 'insufficient funds'],
    ['authentication_required', undefined, 'authentication failed'],
    ['payment_intent_authentication_failure', undefined, 'authentication failed'],
    ['processing_error', undefined, 'internal error'],
    ['processing_error', 'processing_error', 'internal error'],
    ['payment_intent_payment_attempt_failed', undefined, 'payer rejected'],
    ['payment_intent_payment_attempt_expired', undefined, 'timed out'],
    ['payment_method_customer_decline', undefined, 'payer rejected'],
    ['payment_method_invalid_parameter', 'code_invalid', 'wrong code'],
    ['payment_method_invalid_parameter', 'code_expired', 'timed out'],
    ['payment_method_provider_timeout', 'partner_generic_decline', 'timed out'],
    ['payment_method_provider_decline', 'customer_declined', 'payer rejected'],
    ['payment_method_provider_decline', 'payment_limit_exceeded', 'instrument rejected'],
    ['payment_method_provider_decline', 'partner_generic_decline', 'instrument rejected'],
    ['something_new', 'something_newer', 'instrument rejected'],
    [undefined, undefined, 'instrument rejected'],
  ] as const)
    assert.equal(reasonOf({ code, decline_code: decline }), reason, `${code} ${decline}`);
});

test('codeOf: the more precise one, cut', () => {
  assert.equal(codeOf({ code: 'card_declined', decline_code: 'do_not_honor' }), 'do_not_honor');
  assert.equal(codeOf({ code: 'card_declined', decline_code: '' }), 'card_declined');
  assert.equal(codeOf({}), 'unknown');
  assert.equal(codeOf({ code: 'x'.repeat(101) }).length, 100);
});

// Guarantee: an operator is told to try later only if that helps.
test('refundWhy', () => {
  for (const [code, why] of [
    ['balance_insufficient', 'no_funds'],
    ['insufficient_funds', 'no_funds'],
    ['charge_already_refunded', 'already_refunded'],
    ['amount_too_large', 'already_refunded'],
    ['charge_disputed', 'disputed'],
    ['refund_disputed_payment', 'disputed'],
    ['charge_for_pending_refund_disputed', 'disputed'],
    ['expired_or_canceled_card', 'refused'],
    [undefined, 'refused'],
  ] as const)
    assert.equal(refundWhy(code), why, code ?? 'none');
});

test('descriptionOf: at most 70 characters, one line, never empty', () => {
  assert.equal(descriptionOf('  Order\n\t1  '), 'Order 1');
  assert.equal(descriptionOf(' \n '), undefined);
  assert.equal([...(descriptionOf('🍵'.repeat(80)) ?? '')].length, 70);
  assert.equal(descriptionOf(`${'x'.repeat(69)} yy`), 'x'.repeat(69));
});

// Guarantee: after an hour, and for keys whose age is unknown, the provider is searched before anything is sent.
test('mayBeForgotten', () => {
  const now = Temporal.Instant.from('2026-03-10T09:00:00Z');
  const made = (secondsAgo: number) => ulid(now.epochMilliseconds - secondsAgo * 1_000, new Uint8Array(16));
  assert.equal(mayBeForgotten(made(3_599), now), false);
  assert.equal(mayBeForgotten(made(3_600), now), true);
  assert.equal(mayBeForgotten(made(-5), now), false);
  assert.equal(mayBeForgotten('not a ulid', now), true);
});

// Guarantee: of what carries one key, the payment is found, not the drafts beside it.
test('furthest', () => {
  const ids = (...some: [string, Partial<Stripe.PaymentIntent>][]) =>
    furthest(some.map(([id, fields]) => intent({ id, ...fields })))?.id;
  const failed = { last_payment_error: error('card_declined') };
  const atBank = { type: 'blik_authorize', blik_authorize: {} } as Stripe.PaymentIntent.NextAction;
  assert.equal(furthest([]), undefined);
  assert.equal(ids(['a', { status: 'canceled' }], ['b', {}]), 'b');
  assert.equal(ids(['a', {}], ['b', failed], ['c', {}]), 'b');
  assert.equal(ids(['a', failed], ['b', { status: 'requires_action', next_action: atBank }]), 'b');
  assert.equal(ids(['a', failed], ['b', { status: 'processing' }]), 'b');
  assert.equal(ids(['a', { status: 'processing' }], ['b', { status: 'requires_capture' }]), 'b');
  assert.equal(ids(['a', { status: 'processing' }], ['b', { status: 'succeeded' }], ['c', failed]), 'b');
});

// Guarantee: only a token of a card, of our mode, that nothing was paid with, is charged.
suite('readToken', () => {
  const card = { brand: 'visa', last4: '4242', exp_month: 3, exp_year: 2031 };
  const fresh = { livemode: false, payment_intent: null, setup_intent: null, payment_method_preview: { card } };
  const found = { kind: 'found', card: { brand: 'Visa', tail: '4242', expiry: '03/31' } };
  for (const [name, fields, expected] of [
    ['of a card', {}, found],
    [
      'of Mastercard',
      { payment_method_preview: { card: { ...card, brand: 'mastercard', exp_year: 2009 } } },
      { kind: 'found', card: { brand: 'Mastercard', tail: '4242', expiry: '03/09' } },
    ],
    [
      'of American Express',
      { payment_method_preview: { card: { ...card, brand: 'amex' } } },
      { kind: 'found', card: { brand: 'American Express', tail: '4242', expiry: '03/31' } },
    ],
    [
      'of Discover',
      { payment_method_preview: { card: { ...card, brand: 'discover' } } },
      { kind: 'found', card: { brand: 'Discover', tail: '4242', expiry: '03/31' } },
    ],
    [
      'of JCB',
      { payment_method_preview: { card: { ...card, brand: 'jcb' } } },
      { kind: 'found', card: { brand: 'JCB', tail: '4242', expiry: '03/31' } },
    ],
    [
      'of a brand that we do not name',
      { payment_method_preview: { card: { ...card, brand: 'unionpay', exp_month: 12 } } },
      { kind: 'found', card: { brand: 'Card', tail: '4242', expiry: '12/31' } },
    ],
    ['of the other mode', { livemode: true }, { kind: 'refused' }],
    ['of another method', { payment_method_preview: { type: 'blik' } }, { kind: 'refused' }],
    ['that says nothing', { payment_method_preview: null }, { kind: 'refused' }],
    ['that paid', { payment_intent: 'pi_1' }, { kind: 'refused' }],
    ['that saved', { setup_intent: 'seti_1' }, { kind: 'refused' }],
  ] as const) {
    test(name, () => {
      assert.deepEqual(readToken({ ...fresh, ...fields } as unknown as Stripe.ConfirmationToken, false), expected);
    });
  }
});

// Guarantee: a card is charged later only if its payment succeeded and its payer agreed.
suite('readSaved', () => {
  const paid = { status: 'succeeded', setup_future_usage: 'off_session', customer: 'cus_1', payment_method: 'pm_1' };
  const saved = { customer: 'cus_1', paymentMethod: 'pm_1' };
  for (const [name, fields, expected] of [
    ['paid and kept', {}, saved],
    ['by objects', { customer: { id: 'cus_1' }, payment_method: { id: 'pm_1' } }, saved],
    ['not paid', { status: 'canceled' }, undefined],
    ['not kept', { setup_future_usage: null }, undefined],
    ['for use with the payer only', { setup_future_usage: 'on_session' }, undefined],
    ['of nobody', { customer: null }, undefined],
    ['without a card', { payment_method: null }, undefined],
  ] as const) {
    test(name, () => {
      assert.deepEqual(readSaved(intent({ ...paid, ...fields } as unknown as Partial<Stripe.PaymentIntent>)), expected);
    });
  }
});
