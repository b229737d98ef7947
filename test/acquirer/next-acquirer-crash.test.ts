// The process dies between two acquirers of one payment, and another process continues.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { methods } from '../../contract/methods.ts';
import { knownId } from '../../src/kernel/index.ts';
import { findTransaction } from '../../src/transactions/store/transactions.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aTransaction, checkInvariants, passTime, show } from '../support/payments.ts';
import { aMerchant, roomsOf, type Service, serve, type TestMerchant, type TestWorld } from '../support/service.ts';
import { aTwoBankWorld, attemptsAt, type TwoBankWorld, through, unreached } from '../support/two-banks.ts';

const edgesAtMost = 40;

/** Its first bank cannot be reached. */
let world: TwoBankWorld;
/** The same, when it can be reached again. */
let both: TwoBankWorld;
let service: Service;
let merchant: TestMerchant;

before(async () => {
  both = await aTwoBankWorld();
  world = through(both, [unreached(both.bank), both.second]);
  service = await serve(world);
  merchant = await aMerchant(service);
});

const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };

/** As a request under one idempotency key does: each run has the same id of its attempt. */
async function pay(at: TestWorld, id: string, attemptId: string, resumed: boolean) {
  const { transactions } = await roomsOf(at);
  const find = async () => {
    const found = await findTransaction(at.db.sql, merchant.id, knownId(id));
    assert.ok(found);
    return found;
  };
  const payer = { id: merchant.id, name: 'Shop', channels: [methods.blik.id] };
  const read = () => transactions.readInstrument(payer, methods.blik.id, body, find);
  return transactions.payOnce(payer, { attemptId, resumed, read, find });
}

/** Pays at a node that dies at this edge; returns the edge. */
async function payAndDie(id: string, attemptId: string, dieAt: number): Promise<string> {
  const node = aMortalNode(world, dieAt);
  await node.prepare(roomsOf);
  return (await node.live((dying) => pay(dying, id, attemptId, false))) ?? 'it lived';
}

async function everyEdge(after: (id: string, edge: string, attemptId: string) => Promise<void>): Promise<string[]> {
  const edges: string[] = [];
  for (let dieAt = 1; edges.at(-1) !== 'it lived'; dieAt += 1) {
    assert.ok(dieAt <= edgesAtMost, `too many edges: ${edges}`);
    const id = await aTransaction(service, merchant);
    const attemptId = world.ids.ulid();
    const edge = await payAndDie(id, attemptId, dieAt);
    edges.push(edge);
    world.wall.advance({ seconds: 60 });
    await after(id, edge, attemptId);
  }
  await passTime(both, { minutes: 10 });
  await checkInvariants(both);
  assert.ok(edges.filter((edge) => edge.includes('a charge')).length >= 4, `both are asked: ${edges}`);
  return edges;
}

suite('dying between two acquirers', () => {
  // Guarantee: the same request again goes on with the last of its attempts, and the payer pays once.
  test('at every edge, and the request is sent again', async () => {
    await everyEdge(async (id, edge, attemptId) => {
      const captured = world.second.record().captures.length;
      for (let times = 0; times < 2; times += 1) await pay(world, id, attemptId, true);
      await passTime(world, { minutes: 10 });
      const attempts = await attemptsAt(world, id);
      assert.ok(attempts.filter((one) => one === 'second correct').length <= 1, `${edge}: ${attempts}`);
      assert.ok(world.second.record().captures.length <= captured + 1, edge);
      const { attempt } = await pay(world, id, attemptId, true);
      if (attempts.includes('second correct'))
        assert.deepEqual([attempt.acquirer, attempt.state], ['second', 'correct'], edge);
    });
  });

  // Guarantee: nobody needs to come back: what was captured is found, and nothing stays open.
  test('at every edge, and nobody asks again', async () => {
    await everyEdge(async (id, edge) => {
      await passTime(both, { minutes: 10 });
      const attempts = await attemptsAt(world, id);
      const { status } = (await show(service, merchant, id)).body;
      assert.equal(status, attempts.includes('second correct') ? 'paid' : 'pending', `${edge}: ${attempts}`);
      assert.ok(
        attempts.every((one) => /(correct|failed .*)$/.test(one)),
        `${edge}: ${attempts}`,
      );
    });
  });
});
