// What the schema refuses of products and of refunded lines, whatever the code does.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aChild, aPaidSplit, aPartner, refundSplit } from '../support/marketplace.ts';
import { aService, type Service } from '../support/service.ts';

const tea = { externalId: 'tea', name: '', quantity: 1_000_000, unitPriceMinor: 0 };
const line = { line: 1, quantity: 1_000_000, unitPriceMinor: 0, sold: 1_000_000 };

suite('the schema', () => {
  let service: Service;

  before(async () => {
    service = await aService();
    const partner = await aPartner(service, [{}]);
    const id = await aPaidSplit(service, partner, [aChild(partner, 0, 1_000)]);
    assert.equal((await refundSplit(service, partner, id)).status, 200);
  });

  /** A copy of the first row with something else in the column; of a part it comes before the check of the sum. */
  const write = (table: string, column: string, value: unknown) =>
    service.world.db.sql.run([
      `insert into ${table} select (jsonb_populate_record(one, '${JSON.stringify({ [column]: JSON.stringify(value) })}')).*
         from ${table} as one limit 1`,
    ] as unknown as TemplateStringsArray);

  // Guarantee: parts sum up to their transaction, belong to sellers of its partner, and cover what their sellers pay.
  test('checks parts against their transaction', async () => {
    const other = await aPartner(service, [{}]);
    for (const [changes, constraint] of [
      [{ amount_minor: 999 }, 'transaction_part_sum'],
      [{ amount_minor: 1_001 }, 'transaction_part_sum'],
      [{ merchant_id: other.sellers[0]?.id }, 'transaction_part_seller'],
      [{ fee_minor: 500, commission_minor: 501 }, 'transaction_part_covers'],
    ] as const) {
      const row = JSON.stringify({ id: service.world.ids.ulid(), number: 2, ...changes });
      const statement = `insert into transaction_part select (jsonb_populate_record(one, '${row}')).*
        from transaction_part as one limit 1`;
      const write = service.world.db.sql.run([statement] as unknown as TemplateStringsArray);
      await assert.rejects(write, { constraint }, row);
    }
  });

  // Guarantee: stored products and lines have the fields that their readers name, with numbers that are in range.
  for (const [table, column, right, wrong] of [
    [
      'transaction_part',
      'products',
      tea,
      [
        1,
        [tea],
        {},
        { ...tea, quantity: '1' },
        { ...tea, quantity: 0 },
        { ...tea, name: null },
        { ...tea, unitPriceMinor: -1 },
      ],
    ],
    [
      'refund_part',
      'lines',
      line,
      [1, [line], {}, { ...line, line: 0 }, { ...line, quantity: '1' }, { ...line, sold: null }],
    ],
  ] as const) {
    test(`checks the shape of ${table}.${column}`, async () => {
      const refused = { constraint: `${table}_${column}` };
      for (const one of wrong) await assert.rejects(write(table, column, [one]), refused, JSON.stringify(one));
      for (const one of wrong) await assert.rejects(write(table, column, [right, one]), refused, JSON.stringify(one));
      await assert.rejects(write(table, column, right), /only be applied to an array/);
      await assert.rejects(write(table, column, [right]), { constraint: `${table}_pkey` });
    });
  }
});
