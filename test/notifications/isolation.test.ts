// A hanging endpoint never slows down another (docs/decisions/0011).

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { patientTimes } from '../../src/database/index.ts';
import { aReceiver, confirmed } from '../support/receiver.ts';
import { aWorld } from '../support/service.ts';
import { anAccount, aStage, someEvents, statuses } from './support.ts';

/** Far longer than anything here takes on any machine: nothing depends on its speed. */
const stopMilliseconds = 600_000;
const times = { ...patientTimes, connect: 600_000, lock: 600_000, queue: 600_000 };

suite('endpoints that hang', () => {
  // Guarantee: a hundred healthy receivers get everything while others hang.
  test('thirty hanging ones do not slow down a hundred healthy ones', async () => {
    const stage = await aStage(await aWorld({ times }));
    const { world } = stage;
    const hanging = await Promise.all(Array.from({ length: 30 }, aReceiver));
    const healthy = await Promise.all(Array.from({ length: 100 }, aReceiver));
    for (const receiver of hanging) {
      receiver.answer = 'hang';
      await someEvents(world, (await anAccount(world)).id, receiver.url, 200);
    }
    const account = await anAccount(world);
    for (const receiver of healthy) await someEvents(world, account.id, receiver.url, 10);
    // Far longer than the test takes on any machine: no attempt may end, or another would follow it.
    const sender = stage.sender({ milliseconds: 3_600_000 });
    // A single call: everything after it is triggered by responses. No hanging receiver has responded by then.
    await sender.feed();
    await Promise.all(healthy.map((receiver) => receiver.got(10)));
    assert.ok(hanging.every((receiver) => receiver.received.length <= 4));
    assert.equal(new Set(healthy.flatMap((receiver) => receiver.ids)).size, 1_000);
    // Hanging endpoints occupy their few places and no more, however often the engine runs.
    await sender.feed();
    await sender.feed();
    assert.ok(hanging.every((receiver) => receiver.received.length <= 4));
    await stage.outbound.close();
    await sender.stop(stopMilliseconds);
    const left = await world.db.sql.many((row) => row)`select event_id from delivery where lease_until is not null`;
    assert.deepEqual(left, [], 'leases are given back at a stop');
    assert.deepEqual(await statuses(world), { delivered: 1_000, pending: 6_000 });
  });

  // Guarantee: an account cannot take all places with ever new hanging hosts.
  test('one account with three hundred hanging hosts leaves room for others', async () => {
    const stage = await aStage(await aWorld({ times }));
    const { world } = stage;
    const bad = await anAccount(world);
    const receiver = await aReceiver();
    receiver.answer = 'hang';
    const { port } = new URL(receiver.url);
    // Every address in 127/8 is this machine, and each is its own origin.
    for (let index = 0; index < 300; index += 1) {
      await someEvents(world, bad.id, `http://127.0.${1 + (index >> 8)}.${index & 255}:${port}/`, 2);
    }
    const good = await aReceiver();
    const ids = await someEvents(world, (await anAccount(world)).id, good.url, 20);
    const sender = stage.sender({ milliseconds: 3_600_000, leasedAtMost: 64 });
    while ((await sender.feed()) > 0);
    await good.got(20);
    assert.deepEqual([...good.ids].sort(), [...ids].sort());
    await stage.outbound.close();
    await sender.stop(stopMilliseconds);
  });

  // Guarantee: stopping waits for sends in flight and releases the rest.
  test('a clean stop waits for a slow response', async () => {
    const stage = await aStage(await aWorld({ times }));
    const { world } = stage;
    const receiver = await aReceiver();
    let answerNow = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    receiver.answer = async () => {
      await gate;
      return confirmed;
    };
    await someEvents(world, (await anAccount(world)).id, receiver.url, 10);
    const sender = stage.sender();
    await sender.feed();
    await receiver.got(4);
    const stopped = sender.stop(stopMilliseconds);
    answerNow();
    await stopped;
    assert.deepEqual(await statuses(world), { delivered: 4, pending: 6 });
    assert.equal(await sender.feed(), 0);
    assert.equal(await stage.sender().drain(), 6);
  });

  test('a stop does not wait forever', async () => {
    const stage = await aStage(await aWorld({ times }));
    const { world } = stage;
    const receiver = await aReceiver();
    receiver.answer = 'hang';
    await someEvents(world, (await anAccount(world)).id, receiver.url, 1);
    const sender = stage.sender({ milliseconds: 3_600_000 });
    await sender.feed();
    await receiver.got(1);
    await sender.stop(50);
    assert.deepEqual(await statuses(world), { pending: 1 });
    await stage.outbound.close();
    await sender.idle();
  });
});
