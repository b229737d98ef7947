// What the schema refuses of transactions and attempts, whatever the code does.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readInteger } from '../../src/database/index.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';

const unknown = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';

/** The attempt of the paid transaction again, under another id. */
const again = (changes: object) =>
  `insert into charge select (jsonb_populate_record(one, '${JSON.stringify({ id: unknown, number: 2, state: 'surplus', ...changes })}')).*
     from charge as one limit 1`;

suite('the schema', () => {
  let service: Service;
  let otherMerchantId: string;
  let otherPosId: string;

  before(async () => {
    service = await aService();
    await aPaidTransaction(service, await aMerchant(service));
    ({ id: otherMerchantId, posId: otherPosId } = await aMerchant(service));
  });

  const run = (statement: string) => service.world.db.sql.run([statement] as unknown as TemplateStringsArray);

  // Guarantee: an attempt belongs to a transaction of its merchant, which stays; a transaction is made at a point of sale of
  // its merchant.
  for (const [what, statement, message] of [
    ['an attempt of an unknown transaction', () => again({ transaction_id: unknown }), /unknown transaction/],
    ['a second attempt that counts', () => again({ state: 'correct' }), /charge_one_correct/],
    ['an attempt of another merchant', () => again({ merchant_id: otherMerchantId }), /unknown transaction/],
    [
      'an attempt that changes its transaction',
      () => `update charge set transaction_id = '${unknown}'`,
      /never changed/,
    ],
    ['an attempt that changes its merchant', () => `update charge set merchant_id = '${unknown}'`, /never changed/],
    ['a transaction that changes its id', () => `update transaction set id = '${unknown}'`, /never changed/],
    ['a deleted transaction with an attempt', () => 'delete from transaction', /has charges/],
    [
      'a transaction at the point of sale of another merchant',
      () =>
        `insert into transaction select (jsonb_populate_record(one, '${JSON.stringify({ id: unknown, title: 'TR-OTHER', pos_id: otherPosId })}')).*
           from transaction as one limit 1`,
      /unknown pos/,
    ],
    ['all transactions deleted', () => 'truncate transaction cascade', /never changed/],
  ] as const) {
    test(`refuses ${what}`, () => assert.rejects(run(statement()), message));
  }

  // Guarantee: a row at version 0 is as it was inserted, so that a process may use what it has inserted without reading it.
  for (const [table, change] of [
    ['charge', 'set checks = checks'],
    ['transaction', "set status = status, version = 0, lang = 'pl'"],
  ] as const) {
    test(`counts every change of a ${table}`, async () => {
      const versions = () =>
        service.world.db.sql.many((row) => readInteger(row, 'version'))([
          `select version from ${table} order by id`,
        ] as unknown as TemplateStringsArray);
      const before = await versions();
      assert.equal(await run(`update ${table} ${change}`), before.length);
      assert.deepEqual(
        await versions(),
        before.map((version) => version + 1),
      );
    });
  }

  test('takes another attempt of the same transaction', async () => {
    assert.equal(await run(again({})), 1);
  });
});
