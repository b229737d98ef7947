import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { money, Secret } from '../kernel/index.ts';
import {
  type MarketplaceNotificationData,
  marketplaceNotification,
  type RecurringNotificationData,
  recurringNotification,
  type TransactionNotificationData,
  transactionNotification,
} from './payload.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

suite('the form of a transaction', () => {
  const data: TransactionNotificationData = {
    merchantNumber: 100_001,
    title: 'TR-7X2M-Q4K9ZP1',
    createdAt: Temporal.Instant.from('2026-07-15T10:30:00Z'),
    zone: 'Europe/Warsaw',
    hiddenDescription: 'order-1024',
    amount: money(12_345n, 'PLN'),
    paid: money(12_345n, 'PLN'),
    description: 'Order 1024',
    status: 'TRUE',
    error: 'none',
    payerEmail: 'jan.nowak@example.com',
    testMode: true,
    channelId: 64,
    securityCode: new Secret('code'),
  };
  const card = { token: new Secret('tok'), expiryDate: '1229', tail: '1111', brand: 'Visa' };
  const cases: [string, Partial<TransactionNotificationData>, Record<string, string>][] = [
    ['paid', {}, {}],
    ['refunded in full', { status: 'CHARGEBACK' }, { tr_status: 'CHARGEBACK' }],
    ['declined for good', { status: 'FALSE', paid: money(0n, 'PLN') }, { tr_status: 'FALSE', tr_paid: '0.00' }],
    [
      'an attempt was declined',
      { status: 'FALSE', error: 'wrong_code', paid: money(0n, 'PLN') },
      { tr_status: 'FALSE', tr_error: 'wrong_code', tr_paid: '0.00' },
    ],
    ['no channel', { channelId: null }, { tr_channel: '' }],
    ['not a test', { testMode: false }, { test_mode: '0' }],
    ['winter', { createdAt: Temporal.Instant.from('2026-01-15T10:30:00Z') }, { tr_date: '2026-01-15 11:30:00' }],
    ['letters', { description: 'Zażółć & gęślą=jaźń +1' }, { tr_desc: 'Zażółć & gęślą=jaźń +1' }],
    ['nothing hidden', { hiddenDescription: '' }, { tr_crc: '', md5sum: md5('100001TR-7X2M-Q4K9ZP1123.45code') }],
    [
      'a whole amount',
      { amount: money(1_000n, 'PLN') },
      { tr_amount: '10.00', md5sum: md5('100001TR-7X2M-Q4K9ZP110.00order-1024code') },
    ],
    [
      'a saved card',
      { savedCard: card },
      { card_token: 'tok', token_expiry_date: '1229', card_tail: '1111', card_brand: 'Visa' },
    ],
  ];
  const usual = {
    id: '100001',
    tr_id: 'TR-7X2M-Q4K9ZP1',
    tr_date: '2026-07-15 12:30:00',
    tr_crc: 'order-1024',
    tr_amount: '123.45',
    tr_paid: '123.45',
    tr_desc: 'Order 1024',
    tr_status: 'TRUE',
    tr_error: 'none',
    tr_email: 'jan.nowak@example.com',
    test_mode: '1',
    tr_channel: '64',
    md5sum: md5('100001TR-7X2M-Q4K9ZP1123.45order-1024code'),
  };
  // Guarantee: exactly the fields of docs/api.md, in that order.
  for (const [name, change, expected] of cases) {
    test(name, () => {
      const payload = transactionNotification({ ...data, ...change });
      assert.equal(payload.contentType, 'application/x-www-form-urlencoded');
      const fields = [...new URLSearchParams(payload.body)];
      assert.deepEqual(fields, Object.entries({ ...usual, ...expected }));
      assert.equal(payload.confidential, change.savedCard !== undefined);
    });
  }
});

suite('the JSON of a recurring payment', () => {
  const data: RecurringNotificationData = {
    merchantId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
    recurringId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    hiddenDescription: 'sub-7',
    iterationCount: 2,
    iterationAttemptCount: 1,
    status: 'correct',
    nextChargeAt: Temporal.Instant.from('2026-03-31T08:00:00Z'),
    zone: 'Europe/Warsaw',
    reason: null,
  };
  const usual = {
    recurringId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    hiddenDescription: 'sub-7',
    iterationCount: 2,
    iterationAttemptCount: 1,
    status: 'correct',
    nextChargeDate: '2026-03-31T10:00:00+02:00',
    reason: null,
    merchantId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
  };
  const cases: [string, Partial<RecurringNotificationData>, object][] = [
    ['correct', {}, {}],
    ['the last one', { nextChargeAt: null }, { nextChargeDate: null }],
    ['failed', { status: 'failed', reason: 'insufficient funds' }, { status: 'failed', reason: 'insufficient funds' }],
    ['nothing hidden', { hiddenDescription: null }, { hiddenDescription: null }],
  ];
  // Guarantee: every key of a recurring notification is always present, and so is the account.
  for (const [name, change, expected] of cases) {
    test(name, () => {
      const payload = recurringNotification({ ...data, ...change });
      assert.equal(payload.contentType, 'application/json');
      assert.equal(payload.body, JSON.stringify({ ...usual, ...expected }));
    });
  }
});

suite('the JSON of a marketplace transaction', () => {
  const reported: MarketplaceNotificationData = {
    merchantId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    title: 'TR-7X2M-Q4K9ZP1',
    amount: money(12_345n, 'PLN'),
    paid: money(12_340n, 'PLN'),
    status: 'paid',
    hiddenDescription: 'cart-9',
    payerEmail: 'jan.nowak@example.com',
    createdAt: Temporal.Instant.from('2026-07-15T10:30:00Z'),
    zone: 'Europe/Warsaw',
    description: 'Cart 9',
  };
  // Guarantee: amounts are strings with two decimal places, and every key is always present.
  for (const hiddenDescription of ['cart-9', null]) {
    test(`hiddenDescription ${hiddenDescription}`, () => {
      const payload = marketplaceNotification({ ...reported, hiddenDescription });
      const data = {
        transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
        transactionTitle: 'TR-7X2M-Q4K9ZP1',
        transactionAmount: '123.45',
        transactionPaidAmount: '123.40',
        transactionStatus: 'paid',
        transactionHiddenDescription: hiddenDescription,
        payerEmail: 'jan.nowak@example.com',
        transactionDate: '2026-07-15 12:30:00',
        transactionDescription: 'Cart 9',
      };
      assert.equal(
        payload.body,
        JSON.stringify({ type: 'marketplace_transaction', data, merchantId: reported.merchantId }),
      );
    });
  }
});
