// A worker dies at every edge of a charge, and others continue: between claim, send, response, settlement and what
// follows. The edges are counted, not listed: the worker dies at the first, the second and so on, until it survives.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readBoolean, readText } from '../../src/database/index.ts';
import { aMortalNode } from '../support/mortal.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll, notificationsOf, storyOf } from '../support/recurring.ts';
import { chargeDue, lookUpCharges } from '../support/rooms.ts';
import { aMerchant, aNode, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

const edgesAtMost = 80;
const goesOnWithinSeconds = 20;

/** What is charged, and the expected result, whenever a worker dies. */
const charges = [
  ['tok', '1.1 correct'],
  ['payer-rejected', '1.1 failed payer rejected'],
  ['lost-answer', '1.1 correct'],
  ['unreachable', '1.1 correct'],
] as const;
const captured = 3;

suite('a worker dies at every edge of a charge', () => {
  let service: Service;
  let others: TestWorld[];
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    others = [service.world, await aNode(service.world), await aNode(service.world)];
    merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  });
  after(() => checkInvariants(service.world));

  const captures = () => service.world.bank.record().captures.length;
  const open = () =>
    service.world.db.sql.many((row) => readText(row, 'id'))`
      select id from recurring where status = 'active' and merchant_id = ${merchant.id}`;
  const make = () =>
    Promise.all(
      charges.map(([value]) =>
        aRecurring(service, merchant, {
          schedule: { firstChargeDate: service.world.clock.now().toString(), chargeCount: 1, retryIntervals: [] },
          paymentInstrument: { value },
        }),
      ),
    );
  const isDue = () =>
    service.world.db.sql.one((row) => readBoolean(row, 'due'))`
      select exists (select from recurring where due_at <= ${service.world.clock.now()})
          or exists (select from charge where next_check_at <= ${service.world.clock.now()}) as due`;
  /** Second by second, until there is something to do or this many have passed; returns how many did. */
  const passIdle = async (atMost: number) => {
    for (let seconds = 1; ; seconds += 1) {
      service.world.clock.advance({ seconds: 1 });
      if (seconds >= atMost || (await isDue())) return seconds;
    }
  };
  /** The other workers continue together; returns after how many seconds everything was decided. */
  const advance = async (edge: string) => {
    for (let seconds = 0; ; ) {
      await Promise.all(others.map(chargeAll));
      if ((await open()).length === 0) return seconds;
      assert.ok(seconds < goesOnWithinSeconds, `not within ${goesOnWithinSeconds} s after: ${edge}`);
      seconds += await passIdle(goesOnWithinSeconds - seconds);
    }
  };

  // Guarantee: no charge is made twice, none is missed, each is reported once; work in progress at a dead worker
  // continues within 20 s.
  test('and the others continue', async () => {
    const died: string[] = [];
    let slowest = 0;
    for (let dieAt = 1; ; dieAt += 1) {
      assert.ok(dieAt <= edgesAtMost, 'too many edges');
      const ids = await make();
      const before = captures();
      const edge = await aMortalNode(service.world, dieAt).live(async (node) => {
        await chargeDue(node);
        service.world.clock.advance({ seconds: 3 });
        await lookUpCharges(node);
      });
      const when = edge ?? 'it lived';
      slowest = Math.max(slowest, await advance(when));
      for (const [index, id] of ids.entries()) {
        assert.deepEqual(await storyOf(service, merchant, id), [charges[index]?.[1]], when);
        assert.equal((await notificationsOf(service, id)).length, 1, when);
      }
      assert.equal(captures() - before, captured, when);
      if (edge === undefined) break;
      died.push(edge);
    }
    for (const edge of ['before a commit', 'after a commit', 'before a charge', 'after a charge', 'after a look-up']) {
      assert.ok(died.includes(edge), `nobody died ${edge}`);
    }
    assert.ok(slowest <= goesOnWithinSeconds, `${slowest} s`);
  });

  // Guarantee: the same for a recurring payment that is canceled while its worker is dead: it is charged if the bank
  // had the charge, and otherwise never sent.
  test('and the payer cancels before the others continue', async () => {
    for (let dieAt = 1; ; dieAt += 1) {
      assert.ok(dieAt <= edgesAtMost, 'too many edges');
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: service.world.clock.now().toString() },
      });
      const before = captures();
      const edge = await aMortalNode(service.world, dieAt).live(chargeDue);
      const reached = captures() > before;
      assert.equal((await askRecurring(service, merchant, id, 'cancel')).status, 200);
      for (let seconds = 0; seconds < goesOnWithinSeconds; ) {
        await Promise.all(others.map(chargeAll));
        seconds += await passIdle(goesOnWithinSeconds - seconds);
      }
      const story = await storyOf(service, merchant, id);
      assert.ok(story.length === 0 || story.join() === (reached ? '1.1 correct' : '1.1 canceled'), `${edge}: ${story}`);
      assert.equal(captures() - before, reached ? 1 : 0, edge ?? 'it lived');
      if (edge === undefined) break;
    }
  });

  const dieAtEveryEdge = async (
    prepare: () => Promise<string>,
    expected: readonly string[],
    seconds: number,
  ): Promise<void> => {
    for (let dieAt = 1; ; dieAt += 1) {
      assert.ok(dieAt <= edgesAtMost, 'too many edges');
      const id = await prepare();
      const edge = await aMortalNode(service.world, dieAt).live(async (node) => {
        await chargeDue(node);
        await lookUpCharges(node);
      });
      for (let passed = 0; passed < seconds; ) {
        await Promise.all(others.map(chargeAll));
        passed += await passIdle(seconds - passed);
      }
      assert.deepEqual(await storyOf(service, merchant, id), expected, edge ?? 'it lived');
      assert.equal((await notificationsOf(service, id)).length, expected.length, edge ?? 'it lived');
      await askRecurring(service, merchant, id, 'cancel');
      if (edge === undefined) break;
    }
  };
  const failedOnce = async (schedule: object) => {
    const id = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: service.world.clock.now().toString(), ...schedule },
      paymentInstrument: { value: 'fail-2-payer-rejected' },
    });
    await chargeAll(service.world);
    return id;
  };

  // Guarantee: the same for a manual retry: it is made once, and the scheduled retry still comes at its time.
  test('of a manual retry', async () => {
    const prepare = async () => {
      const id = await failedOnce({ retryIntervals: [{ value: 1, unit: 'minutes' }] });
      assert.equal((await askRecurring(service, merchant, id, 'retry')).status, 201);
      return id;
    };
    await dieAtEveryEdge(prepare, ['1.1 failed payer rejected', '1.2 failed payer rejected', '1.3 correct'], 61);
  });

  // Guarantee: the same for one that a new instrument restored: it is tried once, and has its retries.
  test('of a restored one', async () => {
    const prepare = async () => {
      const id = await failedOnce({ retryIntervals: [] });
      const paymentInstrument = { paymentType: 'card_token', value: 'tok' };
      const answer = await askRecurring(service, merchant, id, 'payment_instrument', { paymentInstrument });
      assert.equal(answer.status, 201);
      return id;
    };
    await dieAtEveryEdge(prepare, ['1.1 failed payer rejected', '1.2 correct'], goesOnWithinSeconds);
  });

  // Guarantee: the same for a charge that waits for its payer when it is canceled: the bank never captures it.
  test('of canceling what waits for the payer', async () => {
    const before = captures();
    const prepare = async () => {
      const id = await aRecurring(service, merchant, {
        schedule: { firstChargeDate: service.world.clock.now().toString() },
        paymentInstrument: { paymentType: 'blik_payid', value: 'alias', blik: { model: 'M' } },
      });
      await chargeAll(service.world);
      assert.equal((await askRecurring(service, merchant, id, 'cancel')).status, 200);
      return id;
    };
    await dieAtEveryEdge(prepare, ['1.1 canceled'], 90);
    assert.equal(captures(), before);
  });
});
