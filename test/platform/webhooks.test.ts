// The notifications in the API's description are those that are sent.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { eventTypes } from '../../contract/events.ts';
import type { TSchema } from '../../contract/schema.ts';
import { webhooks } from '../../contract/webhooks.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import {
  disputeNotification,
  marketplaceNotification,
  type Payload,
  payoutNotification,
  recurringNotification,
  refundNotification,
  settlementNotification,
  transactionNotification,
} from '../../src/notifications/payload.ts';

const at = Temporal.Instant.from('2026-07-15T10:30:00Z');
const zone = 'Europe/Warsaw';
const amount = money(12_345n, 'PLN');
const account = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';
const id = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';
const title = 'TR-7X2M-Q4K9ZP1';

function problemsOf(schema: TSchema, value: unknown): string {
  return Compile(schema)
    .Errors(value)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
    .join('; ');
}

const transaction = {
  merchantNumber: 100_001,
  title,
  createdAt: at,
  zone,
  hiddenDescription: 'order-1024',
  amount,
  paid: amount,
  description: 'Order 1024',
  status: 'TRUE',
  error: 'none',
  payerEmail: 'jan.nowak@example.com',
  testMode: true,
  channelId: 53,
  securityCode: new Secret('code'),
} as const;

const recurring = {
  merchantId: account,
  recurringId: id,
  transactionId: id,
  hiddenDescription: null,
  iterationCount: 1,
  iterationAttemptCount: 2,
  zone,
} as const;

const savedCard = { token: new Secret('tok'), expiryDate: '1229', tail: '1111', brand: 'Visa' };

const sent: Record<string, readonly Payload[]> = {
  transaction: [
    transactionNotification(transaction),
    transactionNotification({ ...transaction, channelId: null, status: 'FALSE' }),
    transactionNotification({ ...transaction, status: 'FALSE', error: 'wrong_code' }),
    transactionNotification({ ...transaction, savedCard }),
  ],
  recurring: [
    recurringNotification({ ...recurring, status: 'correct', nextChargeAt: at, reason: null }),
    recurringNotification({ ...recurring, status: 'failed', nextChargeAt: null, reason: 'payer rejected' }),
  ],
  marketplace: [
    marketplaceNotification({
      merchantId: account,
      transactionId: id,
      title,
      amount,
      paid: amount,
      status: 'paid',
      hiddenDescription: null,
      payerEmail: 'jan.nowak@example.com',
      createdAt: at,
      zone,
      description: 'Cart 9',
    }),
  ],
  dispute: [
    disputeNotification({
      merchantId: account,
      disputeId: id,
      transactionId: id,
      title,
      status: 'opened',
      amount,
      returned: amount,
      reason: 'fraudulent',
      respondUntil: at,
      at,
      zone,
    }),
  ],
  settlement: [
    settlementNotification({
      merchantId: account,
      settlementId: id,
      number: 1,
      payoutId: null,
      opening: money(-100n, 'PLN'),
      closing: amount,
      lines: 2,
      at,
      zone,
    }),
  ],
  payout: [
    payoutNotification({
      merchantId: account,
      payoutId: id,
      status: 'failed',
      amount,
      feeMinor: 0n,
      ending: '2874',
      onDemand: true,
      reason: 'refused_by_bank',
      bankCode: 'AC04',
      at,
      zone,
    }),
  ],
  refund: [
    refundNotification({
      merchantId: account,
      refundId: id,
      transactionId: id,
      title,
      status: 'Done',
      amount,
      at,
      zone,
    }),
  ],
};

function contentsOf({ contentType, body }: Payload): unknown {
  return contentType === 'application/json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

suite('webhooks of the OpenAPI document', () => {
  // Guarantee: every kind of event is described.
  test('one for each type of event', () => {
    assert.deepEqual(webhooks.map(({ name }) => name).sort(), [...eventTypes].sort());
  });

  // Guarantee: what is sent fits the schema, without fields that it does not name; and so do the examples.
  for (const { name, contentType, schema, examples } of webhooks) {
    test(`${name}: what is sent, and its examples`, () => {
      for (const payload of sent[name] ?? []) {
        assert.equal(payload.contentType, contentType);
        assert.equal(problemsOf(schema, contentsOf(payload)), '', payload.body);
      }
      for (const { value } of Object.values(examples)) assert.equal(problemsOf(schema, value), '');
      assert.ok((sent[name] ?? []).length > 0 && Object.keys(examples).length > 0);
    });
  }
});
