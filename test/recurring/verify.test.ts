// `grosz verify` reports every recurring payment that contradicts its attempts, its transactions or the ledger.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { verifyCharges } from '../../src/banking/index.ts';
import { readText, type Sql } from '../../src/database/index.ts';
import { verifyRecurring } from '../../src/recurring/index.ts';
import { inWords } from '../support/findings.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll, storyOf } from '../support/recurring.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { everythingOf, whole } from '../support/verify.ts';

let service: Service;
let merchant: TestMerchant;
/** After two correct charges, with a failed attempt before each. */
let active: string;
let finished: string;
let failed: string;
/** With a charge in flight. */
let waiting: string;
before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
  const { world } = service;
  const daily = { interval: 1, intervalType: 'days' };
  active = await aRecurring(service, merchant, {
    schedule: { ...daily, retryIntervals: [{ value: 10, unit: 'minutes' }] },
    paymentInstrument: { value: 'fail-1-payer-rejected' },
  });
  finished = await aRecurring(service, merchant, { schedule: { ...daily, chargeCount: 2 } });
  failed = await aRecurring(service, merchant, {
    schedule: { retryIntervals: [] },
    paymentInstrument: { value: 'payer-rejected' },
  });
  const canceled = await aRecurring(service, merchant, {});
  for (const minutes of [0, 10, 24 * 60, 10]) {
    world.clock.advance({ minutes });
    await chargeAll(world);
  }
  await askRecurring(service, merchant, canceled, 'cancel');
  const paymentInstrument = { paymentType: 'blik_payid', value: 'alias', blik: { model: 'M' } };
  waiting = await aRecurring(service, merchant, { schedule: { chargeCount: 1 }, paymentInstrument });
  await chargeAll(world);
  assert.deepEqual(await storyOf(service, merchant, active), [
    '1.1 failed payer rejected',
    '1.2 correct',
    '2.1 failed payer rejected',
    '2.2 correct',
  ]);
  await checkInvariants(world);
});

class RollBack extends Error {}

/** What verify reports after the change, which is then rolled back. */
async function problemsAfter(change: (sql: Sql) => Promise<unknown>): Promise<string[]> {
  let problems: string[] = [];
  const changing = service.world.db.atomic(async (sql) => {
    await change(sql);
    const all = everythingOf(sql, service.world.clock.now());
    problems = inWords([...(await verifyRecurring(service.world, all)), ...(await verifyCharges(all))]);
    throw new RollBack();
  });
  await assert.rejects(changing, RollBack);
  return problems;
}

const keyOf = (sql: Sql, id: string, iteration: number, attempt: number) =>
  sql.one((row) => readText(row, 'transaction_id'))`
    select transaction_id from charge
     where recurring_id = ${id} and iteration = ${iteration} and attempt = ${attempt}`;

suite('verifyRecurring', () => {
  test('reports nothing if all is correct', async () => {
    assert.deepEqual(await verifyRecurring(service.world, whole(service.world)), []);
  });

  // Guarantee: whatever is wrong with a recurring payment is reported, with its id.
  const wrongs: readonly (readonly [string, (sql: Sql) => Promise<unknown>])[] = [
    [
      'the attempts of iteration 2 have a gap',
      async (sql) => {
        await sql.run`drop trigger charge_stays on charge`;
        await sql.run`
          update charge set attempt = 3 where recurring_id = ${active} and iteration = 2 and attempt = 2`;
      },
    ],
    [
      'its iterations have a gap',
      async (sql) => {
        await sql.run`drop trigger charge_stays on charge`;
        await sql.run`update charge set iteration = 4 where recurring_id = ${active} and iteration = 2`;
      },
    ],
    [
      'iteration 2 has two attempts that are open or correct',
      async (sql) => {
        await sql.run`drop index charge_one_lives`;
        await sql.run`
          update charge set state = 'correct', reason = null
           where recurring_id = ${active} and iteration = 2 and attempt = 1`;
      },
    ],
    [
      'iteration 1 was not paid, but a later one started',
      (sql) => sql.run`
        update charge set state = 'failed', reason = 'internal error'
         where recurring_id = ${active} and iteration = 1 and attempt = 2`,
    ],
    [
      'it is at iteration 1, but has attempts of 2',
      (sql) => sql.run`update recurring set iteration = 1 where id = ${active}`,
    ],
    [
      'it is at iteration 4, but an earlier one is not paid',
      (sql) => sql.run`update recurring set iteration = 4 where id = ${active}`,
    ],
    [
      'it counts 1 attempts of iteration 3, but there are 0',
      (sql) => sql.run`update recurring set attempts = 1 where id = ${active}`,
    ],
    [
      'its current iteration is already paid',
      (sql) => sql.run`update recurring set iteration = 2, attempts = 2 where id = ${active}`,
    ],
    [
      'it counts 1 scheduled retries of iteration 1, but there are 0',
      (sql) => sql.run`update recurring set retries_used = 1 where id = ${failed}`,
    ],
    [
      'iteration 1 has too many manual retries',
      async (sql) => {
        await sql.run`set local session_replication_role = replica`;
        await sql.run`
          insert into charge
          select made.* from charge as first
           cross join generate_series(10, 40) as place
           cross join lateral jsonb_populate_record(first, jsonb_build_object(
                  'id', '01KKBFJYM0FSZ7T1TN5TQHQX' || place, 'transaction_id', '01KKBFJYM0FSZ7T1TN5TQHQX' || place,
                  'attempt', place - 8, 'manual', true)) as made
           where first.recurring_id = ${failed}`;
        await sql.run`update recurring set attempts = 32 where id = ${failed}`;
      },
    ],
    [
      'it is at iteration 3, but an earlier one is not paid',
      (sql) => sql.run`update recurring set passed = 1 where id = ${active}`,
    ],
    ['it is finished after 3 of 2 charges', (sql) => sql.run`update recurring set passed = 1 where id = ${finished}`],
    [
      'its attempt in flight is recorded as none but is',
      (sql) => sql.run`
        update recurring set live_transaction_id = null, due_at = scheduled_at where id = ${waiting}`,
    ],
    [
      'its last attempt is recorded as failed but is correct',
      (sql) => sql.run`update recurring set last_state = 'failed' where id = ${active}`,
    ],
    [
      'it is active, but either nothing is scheduled',
      (sql) => sql.run`update recurring set due_at = null where id = ${active}`,
    ],
    [
      'it is finished after 2 of 3 charges',
      (sql) => sql.run`update recurring set charge_count = 3 where id = ${finished}`,
    ],
    [
      'it is failed, but its last attempt is not',
      (sql) => sql.run`
        update recurring set status = 'failed', ended_at = created_at, due_at = null where id = ${active}`,
    ],
    [
      'the attempt is failed, but its transaction is paid',
      async (sql) => sql.run`
        update transaction set status = 'paid', canceled_at = null, canceled_by = null
         where id = ${await keyOf(sql, failed, 1, 1)}`,
    ],
    [
      'the attempt is correct, but its transaction is canceled',
      async (sql) => sql.run`
        update transaction set status = 'canceled' where id = ${await keyOf(sql, active, 1, 2)}`,
    ],
    [
      'its transaction has another amount',
      (sql) => sql.run`update recurring set amount_minor = 100 where id = ${finished}`,
    ],
    [
      'a transaction of the engine without an attempt',
      (sql) => sql.run`
        delete from charge where recurring_id = ${active} and iteration = 2 and attempt = 2`,
    ],
    [
      'it is failed, but its journals are: payment',
      async (sql) => {
        const key = await keyOf(sql, active, 2, 2);
        await sql.run`
          update charge set state = 'failed', reason = 'internal error' where id = ${key}`;
        await sql.run`update transaction set status = 'canceled' where id = ${key}`;
      },
    ],
  ];
  for (const [what, change] of wrongs) {
    test(what, async () => {
      const problems = await problemsAfter(change);
      assert.ok(
        problems.some((problem) => problem.includes(what)),
        JSON.stringify(problems),
      );
    });
  }
});
