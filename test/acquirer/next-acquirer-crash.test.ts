// The process dies between two acquirers of one payment, and another process continues.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { build } from '../../src/app.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aTransaction, checkInvariants, passTime, show } from '../support/payments.ts';
import { aMerchant, roomsOf, type Service, serve, type TestMerchant } from '../support/service.ts';
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

/** Pays at a node that dies at this edge; returns the edge. */
async function payAndDie(id: string, dieAt: number): Promise<string> {
  const node = aMortalNode(world, dieAt);
  const app = await node.prepare(async (dying) => build(dying, await roomsOf(dying)));
  const edge = await node.live(() => app.inject({ method: 'POST', url: `/transactions/${id}/pay`, ...asking(id) }));
  return edge ?? 'it lived';
}

const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
const asking = (id: string) => ({
  headers: { authorization: `Bearer ${merchant.token}`, 'idempotency-key': `next-${id}` },
  payload: body,
});

async function everyEdge(after: (id: string, edge: string) => Promise<void>): Promise<string[]> {
  const edges: string[] = [];
  for (let dieAt = 1; edges.at(-1) !== 'it lived'; dieAt += 1) {
    assert.ok(dieAt <= edgesAtMost, `too many edges: ${edges}`);
    const id = await aTransaction(service, merchant);
    const edge = await payAndDie(id, dieAt);
    edges.push(edge);
    world.wall.advance({ seconds: 60 });
    await after(id, edge);
  }
  await passTime(both, { minutes: 10 });
  await checkInvariants(both);
  assert.ok(edges.filter((edge) => edge.includes('a charge')).length >= 4, `both are asked: ${edges}`);
  return edges;
}

suite('dying between two acquirers', () => {
  // Guarantee: the same request again goes on with the last of its attempts, and the payer pays once.
  test('at every edge, and the request is sent again', async () => {
    await everyEdge(async (id, edge) => {
      const captured = world.second.record().captures.length;
      const answer = await service.ask('POST', `/transactions/${id}/pay`, {
        token: merchant.token,
        body,
        headers: { 'idempotency-key': `next-${id}` },
      });
      assert.equal(answer.status, 200, answer.text);
      await passTime(world, { minutes: 10 });
      const attempts = await attemptsAt(world, id);
      assert.ok(attempts.filter((one) => one === 'second correct').length <= 1, `${edge}: ${attempts}`);
      assert.ok(world.second.record().captures.length <= captured + 1, edge);
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
