// After a long outage: oldest first, fair between merchants, nothing skipped.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { readInteger, readText } from '../../src/database/index.ts';
import { knownId, Secret } from '../../src/kernel/index.ts';
import { readRecurring, signPlan } from '../../src/recurring/index.ts';
import { checkInvariants } from '../support/payments.ts';
import { anOverdueRecurring, attemptsOf, chargeAll, recurringOf } from '../support/recurring.ts';
import { chargeDue } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

suite('catching up', () => {
  let service: Service;
  let world: TestWorld;
  let merchant: TestMerchant;
  beforeEach(async () => {
    service = await aService();
    world = service.world;
    merchant = await aMerchant(service);
  });
  afterEach(() => checkInvariants(world));

  /** Copies of one recurring payment, each a second after the previous one; the instrument is encrypted for each. */
  const copies = async (who: TestMerchant, count: number, firstChargeDate: string) => {
    const id = await anOverdueRecurring(service, who, firstChargeDate, { chargeCount: 1 });
    const first = Temporal.Instant.from(firstChargeDate);
    const original = await world.db.sql.one(readRecurring)`
      select recurring.*, account.zone from recurring join account on account.id = merchant_id where recurring.id = ${id}`;
    const rows = Array.from({ length: count - 1 }, (_, index) => {
      const copy = world.ids.ulid();
      const firstChargeAt = first.add({ seconds: index + 1 });
      const plan = { ...original.plan, firstChargeAt };
      return {
        id: copy,
        due_at: firstChargeAt.toString(),
        plan_mac: signPlan(world.vault, { ...original, id: knownId(copy), plan }),
        sealed: world.vault.seal(new Secret('tok'), `recurring ${copy} instrument`),
      };
    });
    await world.db.sql.run`
      insert into recurring (id, merchant_id, status, request_hash, plan_mac, description, payer, amount_minor, currency,
                             first_charge_at, interval, interval_type, charge_count, instrument_type, instrument_sealed,
                             callback_url, created_at, iteration, attempts, retries_used, scheduled_at, due_at)
      select given.id, merchant_id, status, request_hash, given.plan_mac, description, payer, amount_minor, currency, given.due_at,
             interval, interval_type, charge_count, instrument_type, given.sealed, callback_url, created_at, 1, 0, 0,
             given.due_at, given.due_at
        from recurring, json_to_recordset(${JSON.stringify(rows)}::json) as given (id text, due_at timestamptz, sealed text, plan_mac text)
       where recurring.id = ${id}`;
  };
  const chargedBy = async () =>
    new Map(
      await world.db.sql.many((row) => [readText(row, 'merchant_id'), readInteger(row, 'charged')] as const)`
        select recurring.merchant_id, count(*)::integer as charged
          from charge join recurring on recurring.id = charge.recurring_id group by 1`,
    );

  // Guarantee: after an outage of months every iteration is made, none skipped or merged, in order.
  test('three months in one go', async () => {
    const id = await anOverdueRecurring(service, merchant, '2025-12-31T10:00:00+01:00', { chargeCount: 5 });
    await chargeAll(world);
    assert.deepEqual(
      (await attemptsOf(service, merchant, id)).map((item) => `${item.iterationCount} ${item.createdAt}`),
      // Due on 31 December, 31 January and 28 February; it is 10 March.
      [1, 2, 3].map((iteration) => `${iteration} 2026-03-10T10:00:00+01:00`),
    );
    world.clock.set('2026-04-30T08:00:00Z');
    await chargeAll(world);
    assert.equal((await attemptsOf(service, merchant, id)).length, 5);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
  });

  /** A round that cannot do more, so the next ones know that there is a backlog. One node for all rounds of a test. */
  const aPacedNode = () => {
    const paced = { ...world, config: { ...world.config, chargesPerSecond: 100 } };
    return async () => {
      const charged = await chargeDue(paced);
      world.wall.advance({ seconds: 1 });
      return charged;
    };
  };

  // Guarantee: oldest first.
  test('oldest first', async () => {
    await copies(merchant, 250, '2026-01-01T10:00:00Z');
    assert.equal(await aPacedNode()(), 100);
    const times = await world.db.sql.many((row) => `${readText(row, 'status')} ${readText(row, 'first_at')}`)`
      select status, first_charge_at::text as first_at from recurring order by first_charge_at`;
    assert.deepEqual(
      times.map((text) => text.split(' ')[0]),
      [...Array(100).fill('finished'), ...Array(150).fill('active')],
    );
    await chargeAll(world);
  });

  // Guarantee: one merchant with thousands overdue does not delay others: after a round that could not do everything,
  // each gets its share of the next.
  test('fair between merchants', async () => {
    await copies(merchant, 400, '2026-01-01T10:00:00Z');
    const small = await Promise.all(Array.from({ length: 3 }, () => aMerchant(service)));
    for (const one of small) await copies(one, 10, '2026-03-01T10:00:00Z');
    const round = aPacedNode();
    // The first round knows of no backlog, the second gives shares: ten each, twenty for the large merchant, and the
    // rest to it.
    await round();
    assert.equal((await chargedBy()).get(merchant.id), 100);
    await round();
    const charged = await chargedBy();
    for (const one of small) assert.equal(charged.get(one.id), 10);
    assert.equal(charged.get(merchant.id), 170);
    await chargeAll(world);
    assert.equal((await chargedBy()).get(merchant.id), 400);
  });

  // Guarantee: with more merchants waiting than a round has places, they get shares in turn: nobody is left out.
  test('many merchants behind', async () => {
    await copies(merchant, 150, '2026-01-01T10:00:00Z');
    const many = await Promise.all(Array.from({ length: 12 }, () => aMerchant(service)));
    for (const one of many) await copies(one, 50, '2026-02-01T10:00:00Z');
    const round = aPacedNode();
    const served: number[] = [];
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await round();
      served.push((await chargedBy()).size);
    }
    // A hundred of the first; then five merchants at a time, twenty of each; the first may or may not be among them.
    assert.equal(served[0], 1);
    assert.ok(served[1] === 5 || served[1] === 6, `${served}`);
    assert.ok(served[2] === 10 || served[2] === 11, `${served}`);
    assert.equal(served[3], 13);
    await chargeAll(world);
    assert.deepEqual(new Set((await chargedBy()).values()), new Set([150, 50]));
  });
});
