// The virtual clock: three years in one move have the same result as three years of waiting.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { build } from '../../src/app.ts';
import { Nodes } from '../../src/database/index.ts';
import { pause, type Work } from '../../src/runtime/index.ts';
import { advance, SandboxClock } from '../../src/sandbox/index.ts';
import { ClockMoves, clockShown } from '../../src/sandbox/move.ts';
import { sandboxRoutes } from '../../src/sandbox/routes.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, attemptsOf } from '../support/recurring.ts';
import { aMerchant, aService, ask, checkAnswer, type Service, type TestMerchant } from '../support/service.ts';

suite('POST /sandbox/clock', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService({ clockOver: (wall) => new SandboxClock(wall) });
    merchant = await aMerchant(service, {}, 'operator');
  });

  // Guarantee: a jump over months makes each charge and each retry at its own time.
  test('charges and retries keep their own times', async () => {
    const monthly = await aRecurring(service, merchant, { schedule: { firstChargeDate: '2026-03-31T10:00:00+02:00' } });
    const failing = await aRecurring(service, merchant, {
      schedule: { firstChargeDate: '2026-03-12T07:15:00+01:00', interval: 10, intervalType: 'days' },
      paymentInstrument: { value: 'fail-2-insufficient-funds' },
    });
    const moved = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body: { advance: 'P4M' } });
    // On a busy machine it goes on after its response.
    assert.equal(moved.status, moved.body.movingTo === null ? 200 : 202, moved.text);
    await untilDone();
    assert.equal((await shown()).now, '2026-07-10T09:00:00Z');
    assert.deepEqual(
      (await attemptsOf(service, merchant, monthly)).map(({ createdAt }) => createdAt),
      [
        '2026-03-31T10:00:00+02:00',
        '2026-04-30T10:00:00+02:00',
        '2026-05-31T10:00:00+02:00',
        '2026-06-30T10:00:00+02:00',
      ],
    );
    assert.deepEqual(
      (await attemptsOf(service, merchant, failing))
        .slice(0, 4)
        .map(({ createdAt, status }) => `${createdAt} ${status}`),
      [
        '2026-03-12T07:15:00+01:00 failed',
        '2026-03-13T07:15:00+01:00 failed',
        '2026-03-14T07:15:00+01:00 correct',
        '2026-03-22T07:15:00+01:00 failed',
      ],
    );
    await checkInvariants(service.world);
  });

  for (const [body, faults] of [
    [{}, 'field_required advance'],
    [{ advance: 'P1M', to: '2030-01-01T00:00:00Z' }, 'unexpected_field to'],
    [{ advance: '-P1M' }, 'not_valid advance'],
    [{ advance: 'soon' }, 'not_valid advance'],
    [{ to: '2020-01-01T00:00:00Z' }, 'too_low to'],
    [{ to: 'tomorrow' }, 'not_valid to'],
  ] as const) {
    test(`400: ${JSON.stringify(body)}`, async () => {
      const answer = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body });
      assert.equal(answer.status, 400);
      assert.equal(`${answer.body.errors[0].errorCode} ${answer.body.errors[0].fieldName}`, faults);
    });
  }

  // Guarantee: one move at a time, so that nothing becomes due twice or at two times.
  test('409: while it is being moved', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const held: Work = {
      name: 'send_mail',
      run: () => {
        reached.resolve();
        return gate.promise.then(() => 0);
      },
    };
    const moving = advance(service.world, [held], { advance: Temporal.Duration.from('P1D') });
    await reached.promise;
    const shown = await service.ask('GET', '/sandbox/clock', { token: merchant.token });
    assert.notEqual(shown.body.movingTo, null);
    const answer = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body: { advance: 'P1D' } });
    assert.equal(answer.status, 409);
    assert.match(answer.body.errors[0].errorMessage, /^The clock is already being moved to 20\d\d-.*Z\. GET \/sandbox/);
    gate.resolve();
    await moving;
    const after = await service.ask('POST', '/sandbox/clock', { token: merchant.token, body: { advance: 'PT1S' } });
    assert.equal(after.status, 200);
  });

  /** A work that stays in its first round until it is let go. */
  function held(): { work: Work; reached: Promise<void>; go: () => void } {
    const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = () => {
      reached.resolve();
      return gate.promise.then(() => 0);
    };
    return { work: { name: 'send_mail' as const, run }, reached: reached.promise, go: gate.resolve };
  }

  const shown = () => clockShown(service.world);

  async function untilDone(): Promise<void> {
    while ((await shown()).movingTo !== null) await pause(20);
  }

  // Guarantee: a long move goes on after its response, everybody can see how far it is, and another one is refused.
  test('a move that takes longer than its response', async (context) => {
    const { world } = service;
    const { work, reached, go } = held();
    context.after(go);
    const nodes = new Nodes(world.db, world.wall, world.random);
    const moves = new ClockMoves(world, [work], nodes, 0);
    const from = world.clock.now();
    const to = from.add({ hours: 30 });
    await moves.begin(to);
    await reached;
    const going = await service.ask('GET', '/sandbox/clock', { token: merchant.token });
    assert.equal(going.body.movingTo, to.toString());
    assert.deepEqual([going.body.movingFrom, going.body.done], [from.toString(), 0]);
    await assert.rejects(new ClockMoves(world, [], nodes).begin(to), { code: 'request_in_progress' });
    go();
    await untilDone();
    const { now, movingFrom, done } = await shown();
    assert.ok(Temporal.Instant.compare(now, to) >= 0);
    assert.deepEqual([movingFrom, done], [null, null]);
  });

  // Guarantee: the same over HTTP: 202 with the target, GET tells how far it is, and with null when it is done.
  test('202: a move that takes longer than its response', async (context) => {
    const { world } = service;
    const { work, reached, go } = held();
    context.after(go);
    const nodes = new Nodes(world.db, world.wall, world.random);
    const short = sandboxRoutes(world, undefined, new ClockMoves(world, [work], nodes, 0));
    const capabilities = service.rooms.capabilities.map(({ register, routes = [], ...room }) => ({
      ...room,
      routes: room.name === 'sandbox' ? short : routes,
    }));
    const app = await build(world, { ...service.rooms, capabilities }, { checkAnswer });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    context.after(() => app.close());
    const { token } = merchant;
    const from = world.clock.now();
    const moved = await ask(url, 'POST', '/sandbox/clock', { token, body: { advance: 'PT40H' } });
    const to = from.add({ hours: 40 }).toString();
    assert.deepEqual([moved.status, moved.body.movingTo], [202, to]);
    await reached;
    const going = await ask(url, 'GET', '/sandbox/clock', { token });
    const { movingTo, movingFrom, done: items } = going.body;
    assert.deepEqual([going.status, movingTo, movingFrom, items], [200, to, from.toString(), 0]);
    go();
    const done = async () => (await ask(url, 'GET', '/sandbox/clock', { token })).body;
    let now = await done();
    for (let looks = 0; looks < 1_000 && now.movingTo !== null; looks += 1) {
      world.wall.advance({ milliseconds: 100 });
      now = await done();
    }
    assert.deepEqual([now.movingTo, now.movingFrom, now.done], [null, null, null]);
    assert.ok(Temporal.Instant.compare(now.now, to) >= 0);
  });

  // Guarantee: a move whose process died goes on elsewhere as soon as that is known; when the process was only frozen,
  // it neither moves nor ends what the other one does.
  test('a move whose process died', async (context) => {
    const { world } = service;
    let milliseconds = 0;
    const aNode = async () => {
      const node = new Nodes(world.db, world.wall, world.random, () => milliseconds);
      await node.round();
      return node;
    };
    const [dying, other] = [await aNode(), await aNode()];
    const first = held();
    context.after(first.go);
    const to = world.clock.now().add({ hours: 50 });
    const frozen = new ClockMoves(world, [first.work], dying, 0);
    await frozen.begin(to);
    await first.reached;
    const second = held();
    context.after(second.go);
    const moves = new ClockMoves(world, [second.work], other, 0);
    await moves.resume();
    for (let beats = 0; beats < 5; beats += 1) {
      milliseconds += 1_000;
      await other.round();
    }
    await moves.resume();
    await second.reached;
    first.go();
    await frozen.close();
    assert.equal((await shown()).movingTo, to.toString(), 'it goes on');
    second.go();
    await untilDone();
    assert.ok(Temporal.Instant.compare((await shown()).now, to) >= 0);
  });

  // Guarantee: a process that is asked to stop leaves the rest of its move to others.
  test('a process that stops', async (context) => {
    const { world } = service;
    const nodes = new Nodes(world.db, world.wall, world.random);
    const { work, reached, go } = held();
    context.after(go);
    const moves = new ClockMoves(world, [work], nodes, 0);
    const to = world.clock.now().add({ hours: 50 });
    await moves.begin(to);
    await reached;
    const closing = moves.close();
    go();
    await closing;
    assert.equal((await shown()).movingTo, to.toString());
    await new ClockMoves(world, [], nodes, 0).resume();
    await untilDone();
    assert.ok(Temporal.Instant.compare((await shown()).now, to) >= 0);
  });
});
