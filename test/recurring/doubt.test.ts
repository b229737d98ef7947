// Charges about which the bank reports the impossible: a different amount than requested, or waiting forever.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { unresolvedReason } from '../../contract/codes/parking.ts';
import type { Acquirer } from '../../src/acquirer/index.ts';
import { listParkedCharges } from '../../src/banking/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { gated } from '../support/gate.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, attemptsOf, chargeAll, notificationsOf, recurringOf, storyOf } from '../support/recurring.ts';
import { decideParked, handleCallback } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';
import { listTotals } from '../support/verify.ts';

let service: Service;
let merchant: TestMerchant;
beforeEach(async () => {
  service = await aService();
  merchant = await aMerchant(service);
});

/** The same world, with scripted responses of its bank. */
const scripted = (answers: Partial<Acquirer>): TestWorld => ({
  ...service.world,
  acquirers: acquirersOf(service.world, { ...gated(service.world.bank, {}), ...answers }),
});

const pass = async (world: TestWorld, duration: Temporal.DurationLike, steps: number) => {
  for (let step = 0; step < steps; step += 1) {
    world.clock.advance(duration);
    await chargeAll(world);
  }
};
const keyOf = async (id: string) => (await attemptsOf(service, merchant, id))[0]?.transactionId ?? '';
const parked = async () => (await listParkedCharges(service.world.db.sql)).map(({ why }) => why);
const booked = async () => (await listTotals(service.world.db.sql)).filter(({ minor }) => minor !== 0n);

suite('an ended charge is approved with another amount', () => {
  const one = { minor: 100n, currency: 'PLN' } as const;
  const approved = (key: string) => ({ kind: 'charge', key, result: { kind: 'approved', amount: one } }) as const;
  const failed = async () => {
    const id = await aRecurring(service, merchant, {
      schedule: { chargeCount: 1, retryIntervals: [] },
      paymentInstrument: { value: 'payer-rejected' },
    });
    await chargeAll(service.world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed payer rejected']);
    return id;
  };

  // Guarantee: an approval of 1.00 never books 49.90: the bank is asked by key, and if it contradicts itself, an
  // operator decides.
  for (const decision of [{ capturedMinor: 4_990n }, 'not-captured'] as const) {
    const captured = decision !== 'not-captured';
    test(`the bank does not confirm it: parked, decided ${captured ? 'captured' : decision}`, async () => {
      const id = await failed();
      const key = await keyOf(id);
      await handleCallback(service.world, approved(key));
      await chargeAll(service.world);
      assert.deepEqual(await booked(), []);
      assert.deepEqual(await parked(), [unresolvedReason('ended_contradicted')]);
      await handleCallback(service.world, approved(key));
      await chargeAll(service.world);
      assert.equal((await parked()).length, 1);
      await assert.rejects(() => decideParked(service.world, key, { capturedMinor: 100n }), {
        why: { code: 'not_requested', parameters: { asked: '49.90', named: '1.00' } },
      });
      assert.equal((await parked()).length, 1);
      assert.equal(await decideParked(service.world, key, decision), true);
      assert.deepEqual(await parked(), []);
      assert.equal(await decideParked(service.world, key, decision), false);
      assert.equal((await booked()).length > 0, captured);
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed payer rejected']);
      assert.equal((await notificationsOf(service, id)).length, 1);
    });
  }

  // Guarantee: a lookup that keeps reporting a different amount is repeated three times, then parked; nothing is
  // booked.
  test('the bank insists on the other amount: looked up three times, then parked', async () => {
    const id = await failed();
    let looks = 0;
    const world = scripted({
      findCharge: async () => {
        looks += 1;
        return { kind: 'approved', amount: one };
      },
    });
    await handleCallback(world, approved(await keyOf(id)));
    await pass(world, { seconds: 10 }, 6);
    assert.equal(looks, 3);
    assert.deepEqual([await parked(), await booked()], [[unresolvedReason('other_amount')], []]);
  });

  // Guarantee: a bank that cannot be asked is asked again later, by the engine and not by the sender of the callback.
  test('the bank cannot be asked, and then names the right amount: the money goes back', async () => {
    const id = await failed();
    const key = await keyOf(id);
    const away = scripted({ findCharge: async () => ({ kind: 'notReached' }) });
    await handleCallback(away, approved(key));
    await pass(away, { seconds: 10 }, 3);
    assert.deepEqual([await parked(), await booked()], [[], []]);
    const amount = { minor: 4_990n, currency: 'PLN' } as const;
    const back = scripted({ findCharge: async () => ({ kind: 'approved', amount }) });
    await pass(back, { minutes: 1 }, 1);
    const held = (await booked()).find(({ account }) => account.includes('receivable'));
    assert.equal(held?.minor, 4_990n);
    assert.deepEqual(await parked(), []);
  });
});

suite('the bank calls a charge waiting', () => {
  const waiting = async (answers: Partial<Acquirer> = {}) => {
    const world = scripted({
      charge: async () => ({ kind: 'waiting', link: null }),
      findCharge: async () => ({ kind: 'waiting', link: null }),
      ...answers,
    });
    const id = await aRecurring(service, merchant, { schedule: { chargeCount: 1, retryIntervals: [] } });
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    return { world, id };
  };

  // Guarantee: a charge that nobody confirms within a day ends: the bank promises never to capture it, and it has
  // failed.
  test('for a day: canceled at the bank, then failed', async () => {
    const { world, id } = await waiting();
    await pass(world, { hours: 1 }, 23);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    await pass(world, { hours: 1 }, 2);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed payer rejected']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    await checkInvariants(service.world);
  });

  // Guarantee: a bank that neither decides nor cancels does not keep a charge open forever: an operator sees it.
  for (const [what, cancel] of [
    ['does not answer the cancel', { kind: 'unknown' }],
    ['says that it is too late to cancel', { kind: 'tooLate' }],
  ] as const) {
    test(`and ${what}: parked after three days`, async () => {
      const { world, id } = await waiting({ cancel: async () => cancel });
      await pass(world, { hours: 6 }, 11);
      assert.deepEqual(await parked(), []);
      await pass(world, { hours: 6 }, 2);
      assert.deepEqual(await parked(), [unresolvedReason('no_result')]);
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    });
  }

  // Guarantee: however the bank fails to accept a charge that it never received, it is not sent forever.
  for (const answer of [{ kind: 'unknown' }, { kind: 'notReached' }] as const) {
    test(`never received it, and every new request is ${answer.kind}: parked after three days`, async () => {
      const { world } = await waiting({ charge: async () => answer, findCharge: async () => ({ kind: 'notFound' }) });
      await pass(world, { hours: 6 }, 13);
      assert.deepEqual(await parked(), [unresolvedReason('no_result')]);
    });
  }
});
