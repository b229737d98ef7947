// More parked refunds than a list shows.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listParkedOutgoing } from '../../src/banking/index.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aRefund, fund, wholeOf } from '../support/refunds.ts';
import { decideParked } from '../support/rooms.ts';
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
    await sql.run`
      update outgoing_refund set state = 'sent', sent_at = ${now}, next_try_at = null, parked_at = ${now}, parked_why = 'no_result'
       where id = ${refund}`;
    await sql.run`
      insert into outgoing_refund
      select made.* from outgoing_refund as first
       cross join generate_series(2, 1001) as place
       cross join lateral jsonb_populate_record(first, jsonb_build_object(
              'id', lpad(place::text, 26, '0'), 'subject_id', lpad(place::text, 26, '0'),
              'parked_at', first.parked_at - place * interval '1 second')) as made`;
    await sql.run`
      insert into refund
      select made.* from refund as first
       cross join generate_series(2, 1001) as place
       cross join lateral jsonb_populate_record(first, jsonb_build_object(
              'id', lpad(place::text, 26, '0'), 'number', place)) as made`;
    const listed = await listParkedOutgoing(sql);
    assert.equal(listed.length, 1_000);
    assert.ok(!listed.some(({ id }) => id === refund));
    assert.equal(await decideParked(service.world, refund, await wholeOf(service, refund)), true);
    const shown = await service.ask('GET', `/refunds/${refund}`, { token: merchant.token });
    assert.equal(shown.body.status, 'BLIK_processed');
    assert.equal(await decideParked(service.world, refund, await wholeOf(service, refund)), false);
  });
});
