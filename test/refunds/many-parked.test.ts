// More parked refunds than a list shows.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listParkedRefunds } from '../../src/refunds/index.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aRefund, fund, wholeOf } from '../support/refunds.ts';
import { decideParkedRefund } from '../support/rooms.ts';
import { aMerchant, aService } from '../support/service.ts';

suite('many parked refunds', () => {
  // Guarantee: an operator can decide any parked refund by its id, however many were parked before it.
  test('the last of 1,001', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    await fund(service, merchant, 100_000n);
    const { sql } = service.world.db;
    const refund = await aRefund(service, merchant, await aPaidTransaction(service, merchant));
    const now = service.world.clock.now();
    await sql.run`update refund set sent_at = ${now} where id = ${refund}`;
    await sql.run`
      insert into refund
      select made.* from refund as first
       cross join generate_series(2, 1001) as place
       cross join lateral jsonb_populate_record(first, jsonb_build_object(
              'id', lpad(place::text, 26, '0'), 'number', place)) as made`;
    await sql.run`delete from refund_work`;
    await sql.run`
      insert into refund_work (refund_id, parked_at, parked_why)
      select id, ${now}::timestamptz + number * interval '-1 second', 'a test' from refund`;
    const listed = await listParkedRefunds(service.world.db.sql);
    assert.equal(listed.length, 1_000);
    assert.ok(!listed.some(({ id }) => id === refund));
    assert.equal(await decideParkedRefund(service.world, refund, await wholeOf(service, refund)), true);
    const shown = await service.ask('GET', `/refunds/${refund}`, { token: merchant.token });
    assert.equal(shown.body.status, 'BLIK_processed');
    assert.equal(await decideParkedRefund(service.world, refund, await wholeOf(service, refund)), false);
  });
});
