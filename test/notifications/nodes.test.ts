// Several nodes, and nodes that die: nothing is lost, and a repeated delivery has the same id.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Tools } from '../../src/tools.ts';
import { aReceiver, confirmed, type ReceiverAnswer } from '../support/receiver.ts';
import { anAccount, aStage, someEvents, statuses } from './support.ts';

/** A node that dies between the response and the commit: its results never reach the database. */
function dyingWorld(world: Tools): Tools {
  const db = Object.create(world.db, {
    batch: { value: () => Promise.reject(new Error('The process died.')) },
  }) as Tools['db'];
  return { ...world, db };
}

suite('nodes', () => {
  // Guarantee: two live nodes never send the same event.
  test('two nodes share the work', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receivers = await Promise.all(Array.from({ length: 5 }, aReceiver));
    const account = await anAccount(world);
    const ids: string[] = [];
    for (const receiver of receivers) ids.push(...(await someEvents(world, account.id, receiver.url, 100)));
    const counts = await Promise.all([stage.sender().drain(), stage.sender().drain(), stage.sender().drain()]);
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      500,
    );
    const received = receivers.flatMap((receiver) => receiver.ids);
    assert.deepEqual([...received].sort(), [...ids].sort());
    assert.deepEqual(await statuses(world), { delivered: 500 });
  });

  // Guarantee: a crash between the send and the commit causes a second delivery with the same id, and nothing else.
  test('a node that dies after sending: sent again by another when the lease ends, with the same id', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receiver = await aReceiver();
    const [eventId] = await someEvents(world, (await anAccount(world)).id, receiver.url);
    const dying = stage.sender({}, dyingWorld(world));
    await dying.feed();
    await dying.idle();
    // It claims nothing more.
    await dying.stop(1_000);
    assert.deepEqual(receiver.ids, [eventId]);
    assert.equal(await stage.sender().drain(), 0, 'the lease still holds');
    world.clock.advance({ hours: 100 });
    assert.equal(await stage.sender().drain(), 0, 'leases are by the wall clock: moving the other does not end them');
    world.wall.advance({ seconds: 26 });
    assert.equal(await stage.sender().drain(), 1);
    assert.deepEqual(receiver.ids, [eventId, eventId]);
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body);
    assert.deepEqual(await statuses(world), { delivered: 1 });
  });

  // Guarantee: what waited so long that its lease might end during the attempt is given back, not sent.
  test('a delivery whose lease is too short by now is not sent', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receiver = await aReceiver();
    const ids = await someEvents(world, (await anAccount(world)).id, receiver.url, 3);
    const gate = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await gate.promise;
      return confirmed;
    };
    const slow = stage.sender({ inFlightAtMost: 1 });
    await slow.feed();
    await receiver.got(1);
    world.wall.advance({ seconds: 6 });
    gate.resolve();
    await slow.idle();
    assert.equal(receiver.ids.length, 1);
    assert.deepEqual(await statuses(world), { delivered: 1, pending: 2 });
    assert.equal(await stage.sender().drain(), 2);
    assert.deepEqual([...receiver.ids].sort(), [...ids].sort());
  });

  // Guarantee: a result with an old fence changes nothing, also while another node is sending.
  test('a late result while another node has the lease', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receiver = await aReceiver();
    await someEvents(world, (await anAccount(world)).id, receiver.url);
    const answers = [Promise.withResolvers<ReceiverAnswer>(), Promise.withResolvers<ReceiverAnswer>()];
    receiver.answer = () => answers[receiver.received.length - 1]?.promise ?? confirmed;
    const [late, second] = [stage.sender(), stage.sender()];
    await late.feed();
    await receiver.got(1);
    world.wall.advance({ seconds: 26 });
    await second.feed();
    await receiver.got(2);
    answers[0]?.resolve({ status: 500, body: '' });
    await late.idle();
    answers[1]?.resolve(confirmed);
    await second.idle();
    assert.deepEqual(await statuses(world), { delivered: 1 });
    const tries = await world.db.sql.many((row) => row.status)`select status from delivery_try order by number`;
    assert.deepEqual(tries, [200]);
  });

  // Guarantee: a result that arrives after its lease was lost changes nothing.
  test('a node that was away for too long: its late result is ignored', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receiver = await aReceiver();
    const [eventId] = await someEvents(world, (await anAccount(world)).id, receiver.url);
    let failLate = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      failLate = resolve;
    });
    receiver.answer = async () => {
      await gate;
      return { status: 500, body: '' };
    };
    const late = stage.sender();
    await late.feed();
    await receiver.got(1);
    receiver.answer = confirmed;
    world.wall.advance({ seconds: 26 });
    assert.equal(await stage.sender().drain(), 1);
    failLate();
    await late.idle();
    assert.deepEqual(receiver.ids, [eventId, eventId]);
    assert.deepEqual(await statuses(world), { delivered: 1 });
    const tries = await world.db.sql.many((row) => row.error)`select error from delivery_try`;
    assert.deepEqual(tries, [null]);
  });

  // Guarantee: while the database is away nothing is claimed, and afterwards everything continues.
  test('what could not be marked is due again', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receiver = await aReceiver();
    const ids = await someEvents(world, (await anAccount(world)).id, receiver.url, 50);
    const dying = stage.sender({}, dyingWorld(world));
    await dying.feed();
    await dying.idle();
    // It claims nothing more.
    await dying.stop(1_000);
    world.wall.advance({ seconds: 26 });
    await stage.sender().drain();
    assert.deepEqual([...new Set(receiver.ids)].sort(), [...ids].sort());
    assert.deepEqual(await statuses(world), { delivered: 50 });
  });
});
