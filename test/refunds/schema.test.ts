// What the schema refuses of refunds and of the money that goes back, whatever the code does.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aPaidTransaction } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';

const unknown = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';
const now = '2026-01-01Z';

suite('the schema', () => {
  let service: Service;
  let id: string;

  before(async () => {
    service = await aService();
    const merchant = await aMerchant(service);
    await fund(service, merchant, 100_000n);
    id = await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 1 });
  });

  const run = (statement: string) => service.world.db.sql.run([statement] as unknown as TemplateStringsArray);

  /** The outgoing refund of the refund again, for something else. */
  const again = (changes: object) =>
    `insert into outgoing_refund select (jsonb_populate_record(one, '${JSON.stringify({ id: unknown, ...changes })}')).*
       from outgoing_refund as one where id = '${id}'`;
  const surplus = { purpose: 'surplus', subject_id: unknown, charge_key: unknown };
  const unallocated = { purpose: 'unallocated', subject_id: unknown, merchant_id: null };

  // Guarantee: a refund says the same as the row by which its money goes back.
  for (const [what, statement] of [
    ['a refund that is held while it may be sent', () => `update refund set status = 'Hold' where id = '${id}'`],
    [
      'a refund that is done while its money has not gone back',
      () => `update refund set status = 'BLIK_processed', ended_at = '${now}' where id = '${id}'`,
    ],
    [
      'a refund that is canceled while it may be sent',
      () => `update refund set status = 'Cancel', ended_at = '${now}', canceled_by = 'merchant' where id = '${id}'`,
    ],
    ['a refund of more than goes back', () => `update refund set amount_minor = amount_minor + 1 where id = '${id}'`],
    [
      'a refund whose money does not go back',
      () => `insert into refund select (jsonb_populate_record(one, '{"id": "${unknown}", "number": 2}')).*
               from refund as one where id = '${id}'`,
    ],
  ] as const) {
    test(`refuses ${what}`, () => assert.rejects(run(statement()), /outgoing refund disagree/));
  }

  // Guarantee: no more than was paid is refunded, and a refund that is not sent is not called otherwise.
  test('refuses more than 100 %', () =>
    assert.rejects(run('update refund_total set refunded_minor = paid_minor + 1'), /refund_total_limit/));

  test('a refund that is New was not sent', async () => {
    const [agrees] = await service.world.db.sql.many((row) => row.agrees)`
      select refund_agrees('New', null, false, 'sent') as agrees`;
    assert.equal(agrees, false);
  });

  // Guarantee: money goes back once for each reason, only what may be sent is due, and what was asked stays.
  for (const [what, statements, message] of [
    ['a refund under another key', () => [again({})], /violates check constraint/],
    [
      'a surplus twice',
      () => [again(surplus), again({ ...surplus, id: unknown.replace('K9', 'KA') })],
      /outgoing_refund_surplus/,
    ],
    [
      'an unallocated capture twice',
      () => [again(unallocated), again({ ...unallocated, id: unknown.replace('K9', 'KA') })],
      /outgoing_refund_unallocated/,
    ],
    ['a held one that is due', () => [`update outgoing_refund set state = 'held'`], /outgoing_refund_scheduled/],
    ['a new one that is not due', () => [`update outgoing_refund set next_try_at = null`], /outgoing_refund_scheduled/],
    [
      'one that is done at no time',
      () => [`update outgoing_refund set state = 'done', sent_at = '${now}', next_try_at = null`],
      /violates check constraint/,
    ],
    ['nothing that goes back', () => [again({ ...unallocated, amount_minor: 0 })], /violates check constraint/],
    ['another amount', () => ['update outgoing_refund set amount_minor = 1'], /never changed/],
    ['another charge', () => [`update outgoing_refund set charge_key = 'x'`], /never changed/],
  ] as const) {
    test(`refuses ${what}`, () =>
      assert.rejects(
        service.world.db.atomic(async (sql) => {
          for (const statement of statements()) await sql.run([statement] as unknown as TemplateStringsArray);
        }),
        message,
      ));
  }

  test('takes another try of a capture that the bank refused', async () => {
    const ended = { state: 'refused', sent_at: now, next_try_at: null };
    assert.equal(await run(again({ ...unallocated, ...ended })), 1);
    assert.equal(await run(again({ ...unallocated, id: unknown.replace('K9', 'KA') })), 1);
  });
});
