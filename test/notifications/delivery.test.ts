// Sending: what is sent, what counts as delivered, and when it is retried.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { insertEvents, type SenderLimits } from '../../src/notifications/index.ts';
import { aReceiver, confirmed, type ReceiverAnswer } from '../support/receiver.ts';
import {
  anAccount,
  anEvent,
  aStage,
  aTransactionPayload,
  passTime,
  type Stage,
  someEvents,
  statuses,
} from './support.ts';

interface TriedRow {
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string;
}

function triesOf(stage: Stage, eventId: string): Promise<TriedRow[]> {
  return stage.world.db.sql.many((row) => row as unknown as TriedRow)`
    select number, status, error, answer from delivery_try where event_id = ${eventId} order by number`;
}

suite('a delivery', () => {
  let stage: Stage;
  before(async () => {
    stage = await aStage();
  });

  // Guarantee: what was written at the commit is what arrives, once, and the log says so.
  test('is made immediately, byte for byte', async () => {
    const { world } = stage;
    const account = await anAccount(world);
    const receiver = await aReceiver();
    const payload = aTransactionPayload(account);
    const event = {
      ...anEvent(world, account.id, `${receiver.url}/hook?order=1`, payload),
      type: 'transaction' as const,
    };
    await insertEvents(world.db.sql, world.vault, [event]);
    const sender = stage.sender();
    assert.equal(await sender.drain(), 1);
    assert.equal(await sender.drain(), 0);
    const [received] = receiver.received;
    assert.equal(receiver.received.length, 1);
    assert.equal(received?.body, payload.body);
    assert.equal(received?.path, '/hook?order=1');
    assert.equal(received?.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.equal(received?.headers['webhook-id'], event.id);
    assert.deepEqual(await triesOf(stage, event.id), [{ number: 1, status: 200, error: null, answer: 'TRUE' }]);
  });

  // Guarantee: results wait for those of other sends and never for the clock: the last one triggers the write.
  test('results are written together, and immediately when nothing else is in flight', async () => {
    const { world } = stage;
    const account = await anAccount(world);
    const receiver = await aReceiver();
    await someEvents(world, account.id, receiver.url, 30);
    const hour = 3_600_000;
    assert.equal(await stage.sender({ gatherMilliseconds: hour }).drain(), 30);
    assert.equal(receiver.received.length, 30);
  });

  const flooded: Partial<SenderLimits> = {};
  const cases: [
    name: string,
    answer: ReceiverAnswer,
    limits: Partial<SenderLimits>,
    status: number | null,
    error: string,
  ][] = [
    ['200 with a wrong body', { status: 200, body: 'OK' }, {}, 200, 'wrong_answer'],
    ['500', { status: 500, body: 'TRUE' }, {}, 500, 'wrong_status'],
    ['a hang', 'hang', { milliseconds: 100 }, null, 'timed_out'],
    ['1 GB', 'flood', flooded, 200, 'answer_too_large'],
    ['a broken connection', 'drop', {}, null, 'connection_failed'],
  ];
  // Guarantee: only the agreed response counts, and no response exceeds its limits.
  for (const [name, answer, limits, status, error] of cases) {
    test(`${name} is a failure, tried again after 5 s`, async () => {
      const { world } = stage;
      const account = await anAccount(world);
      const receiver = await aReceiver();
      receiver.answer = answer;
      const [eventId = ''] = await someEvents(world, account.id, receiver.url);
      const failedAt = world.clock.now();
      assert.equal(await stage.sender(limits).drain(), 1);
      const [tried] = await triesOf(stage, eventId);
      assert.deepEqual([tried?.status, tried?.error], [status, error]);
      assert.ok((tried?.answer.length ?? 0) <= 1_024);
      assert.ok(receiver.bytesSent < 20_000_000, `${receiver.bytesSent} bytes were read`);
      const next = await world.db.sql.one((row) => row.at)`
        select next_try_at as at from delivery where event_id = ${eventId}`;
      assert.ok(next instanceof Temporal.Instant);
      const delay = failedAt.until(next).total('seconds');
      assert.ok(delay >= 4.5 && delay <= 5.5, `${delay} s`);
      receiver.answer = confirmed;
      world.clock.advance({ seconds: 6 });
      await stage.sender().drain();
      assert.deepEqual(receiver.ids, [eventId, eventId]);
    });
  }

  // Guarantee: a receiver cannot make us call another host.
  for (const status of [301, 302, 303, 307, 308]) {
    test(`a redirect (${status}) is a failure and is not followed`, async () => {
      const { world } = stage;
      const account = await anAccount(world);
      const [receiver, other] = [await aReceiver(), await aReceiver()];
      receiver.answer = { status, body: 'TRUE', headers: { location: other.url } };
      const [eventId = ''] = await someEvents(world, account.id, receiver.url);
      await stage.sender().drain();
      assert.deepEqual(
        (await triesOf(stage, eventId)).map(({ error }) => error),
        ['redirect'],
      );
      assert.equal(other.received.length, 0);
      receiver.answer = confirmed;
      world.clock.advance({ seconds: 6 });
      await stage.sender().drain();
    });
  }

  // Guarantee: a URL that was saved under another policy is still not called.
  test('an address that the guard refuses opens no connection and is logged', async () => {
    const { world } = stage;
    const account = await anAccount(world);
    const [eventId = ''] = await someEvents(world, account.id, 'http://169.254.169.254/latest');
    await stage.sender().drain();
    assert.deepEqual(await triesOf(stage, eventId), [
      { number: 1, status: null, error: 'address_not_public', answer: '' },
    ]);
    await world.db.sql.run`delete from delivery where event_id = ${eventId}`;
  });

  test('nothing is left pending', async () => {
    assert.deepEqual(Object.keys(await statuses(stage.world)), ['delivered']);
  });
});

suite('a receiver that fails for long', () => {
  // Guarantee: no event is lost to a receiver that recovers within 72 hours.
  test('and comes back after three days gets everything', async () => {
    const stage = await aStage();
    const { world } = stage;
    const account = await anAccount(world);
    const receiver = await aReceiver();
    receiver.answer = { status: 503, body: '' };
    const ids = await someEvents(world, account.id, receiver.url, 40);
    const sender = stage.sender();
    const began = world.clock.now();
    await passTime(stage, sender, began.add({ hours: 72 }));
    assert.deepEqual(await statuses(world), { pending: 40 });
    const failed = receiver.received.length;
    assert.ok(failed >= 40 * 11 && failed <= 40 * 13, `${failed} tries`);
    receiver.answer = confirmed;
    await passTime(stage, sender, began.add({ hours: 110 }));
    assert.deepEqual(await statuses(world), { delivered: 40 });
    assert.deepEqual([...new Set(receiver.ids.slice(failed))].sort(), [...ids].sort());
    assert.equal(receiver.received.length, failed + 40);
  });

  // Guarantee: after thirteen attempts the delivery is visibly exhausted, and no attempt follows.
  test('and never comes back: thirteen tries, then exhausted', async () => {
    const stage = await aStage();
    const { world } = stage;
    const account = await anAccount(world);
    const receiver = await aReceiver();
    receiver.answer = { status: 503, body: '' };
    const [eventId = ''] = await someEvents(world, account.id, receiver.url);
    await passTime(stage, stage.sender(), world.clock.now().add({ hours: 24 * 30 }));
    assert.deepEqual(await statuses(world), { exhausted: 1 });
    assert.equal(receiver.received.length, 13);
    assert.deepEqual(
      (await triesOf(stage, eventId)).map(({ number }) => number),
      Array.from({ length: 13 }, (_, i) => i + 1),
    );
  });

  // Guarantee: an endpoint that is down gets one request at a time until it responds.
  test('is only probed after ten failures in a row, and trusted again after one success', async () => {
    const stage = await aStage();
    const { world } = stage;
    const account = await anAccount(world);
    const receiver = await aReceiver();
    receiver.answer = { status: 503, body: '' };
    await someEvents(world, account.id, receiver.url, 60);
    const sender = stage.sender();
    await sender.drain();
    assert.ok(receiver.inFlightAtMost <= 4, `${receiver.inFlightAtMost} at once`);
    receiver.inFlightAtMost = 0;
    world.clock.advance({ seconds: 6 });
    await Promise.all([sender.drain(), stage.sender().drain()]);
    assert.equal(receiver.inFlightAtMost, 1);
    // The first is alone; the second gets its response when the third has arrived.
    const before = receiver.received.length;
    receiver.answer = async () => {
      if (receiver.received.length > before + 1) await receiver.got(before + 3);
      return confirmed;
    };
    world.clock.advance({ minutes: 2 });
    await sender.drain();
    assert.deepEqual(await statuses(world), { delivered: 60 });
    const failing = await world.db.sql.many((row) => row)`select * from endpoint_health`;
    assert.deepEqual(failing, []);
  });
});
