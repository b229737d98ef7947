// Deliveries that are leased on insert and sent by the same process, without a claim.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { insertEvents, type NewEvent } from '../../src/notifications/index.ts';
import { aReceiver } from '../support/receiver.ts';
import { anAccount, anEvent, aStage, type Stage, someEvents, statuses } from './support.ts';

/** An endpoint that has responded to one sender, and new events for it that can be handed over. */
async function anAnsweringEndpoint(stage: Stage) {
  const { world } = stage;
  const receiver = await aReceiver();
  const account = await anAccount(world);
  const sender = stage.sender();
  await someEvents(world, account.id, receiver.url);
  await sender.feed();
  await receiver.got(1);
  await sender.idle();
  const webhookSecretSealed = await world.db.sql.one((row) => readText(row, 'webhook_secret_sealed'))`
    select webhook_secret_sealed from account where id = ${account.id}`;
  const events = (count: number): NewEvent[] =>
    Array.from({ length: count }, () => ({ ...anEvent(world, account.id, receiver.url), webhookSecretSealed }));
  return { receiver, account, sender, events };
}

suite('handover', () => {
  // Guarantee: if an endpoint responds, committed events are sent immediately; each once, with its own id.
  test('an endpoint that answered: sent after the commit, without a claim, as far as there is room', async () => {
    const stage = await aStage();
    const { world } = stage;
    const { receiver, sender, events } = await anAnsweringEndpoint(stage);
    const written = events(20);
    await world.db.atomic((sql) => insertEvents(sql, world.vault, written, sender));
    await sender.idle();
    const { delivered = 0, pending = 0 } = await statuses(world);
    assert.deepEqual([delivered - 1, pending], [5, 15], 'a lane that has answered once has room for five');
    await sender.drain();
    assert.deepEqual(await statuses(world), { delivered: 21 });
    assert.deepEqual(receiver.ids.slice(1).sort(), written.map(({ id }) => id).sort());
  });

  // Guarantee: nothing is sent after a rollback.
  test('rolled back: nothing is sent, and the room is still there', async () => {
    const stage = await aStage();
    const { world } = stage;
    const { receiver, sender, events } = await anAnsweringEndpoint(stage);
    const lost = world.db.atomic(async (sql) => {
      await insertEvents(sql, world.vault, events(3), sender);
      throw new Error('no');
    });
    await assert.rejects(lost, /no/);
    await world.db.atomic((sql) => insertEvents(sql, world.vault, events(5), sender));
    await sender.idle();
    assert.deepEqual(await statuses(world), { delivered: 6 });
    assert.equal(receiver.ids.length, 6);
  });

  // Guarantee: a process that dies between the commit and the send causes a delay, but no notification is lost.
  test('a process that dies after the commit: sent by another when the lease ends', async () => {
    const stage = await aStage();
    const { world } = stage;
    const { receiver, sender, events } = await anAnsweringEndpoint(stage);
    const dying = {
      roomFor: (endpoint: string) => sender.roomFor(endpoint),
      leaseUntil: () => sender.leaseUntil(),
      accept: () => undefined,
    };
    await world.db.atomic((sql) => insertEvents(sql, world.vault, events(2), dying));
    assert.equal(await stage.sender().drain(), 0, 'the lease still holds');
    world.wall.advance({ seconds: 26 });
    assert.equal(await stage.sender().drain(), 2);
    assert.deepEqual(await statuses(world), { delivered: 3 });
    assert.equal(new Set(receiver.ids).size, 3);
  });

  // Guarantee: deliveries to an unproven endpoint, or while the engine is idle, wait for a claim.
  test('left to claims: an endpoint not heard of, an engine that stands still, a sender that ends', async () => {
    const stage = await aStage();
    const { world } = stage;
    const { receiver, account, sender, events } = await anAnsweringEndpoint(stage);
    const endpoint = `${account.id} ${new URL(receiver.url).origin}`;
    assert.equal(sender.roomFor(endpoint), 5);
    assert.equal(sender.roomFor(`${account.id} https://elsewhere.example.com`), 0);
    assert.equal(stage.sender().roomFor(endpoint), 0, 'another node');
    world.wall.advance({ seconds: 2 });
    assert.equal(sender.roomFor(endpoint), 0, 'the engine stands still');
    await sender.feed();
    assert.equal(sender.roomFor(endpoint), 5);
    await sender.stop(1_000);
    assert.equal(sender.roomFor(endpoint), 0, 'it has ended');
    await world.db.atomic((sql) => insertEvents(sql, world.vault, events(1), sender));
    assert.deepEqual(await statuses(world), { delivered: 1, pending: 1 });
  });

  // Guarantee: deliveries committed while a sender stops are released immediately, not when their lease expires.
  test('committed after the end: given back', async () => {
    const stage = await aStage();
    const { world } = stage;
    const { sender, events } = await anAnsweringEndpoint(stage);
    await world.db.atomic(async (sql) => {
      await insertEvents(sql, world.vault, events(2), sender);
      await sender.stop(1_000);
    });
    await sender.idle();
    assert.equal(await stage.sender().drain(), 2);
  });
});
