// Concurrent requests of the marketplace at two nodes: refunds of one line and of one seller, sellers in opposite orders,
// cancels against payments, and sellers that are blocked meanwhile. Every test ends with the invariants.

import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import { acquirersOf } from '../support/acquirers.ts';
import { Gate, gated } from '../support/gate.ts';
import { endRaces, raceCancel } from '../support/market-races.ts';
import {
  aChild,
  aPaidSplit,
  aPartner,
  aSplit,
  balanceOf,
  balancesOf,
  paySplit,
  refundSplit,
  showSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants, settleAll } from '../support/payments.ts';
import { fund } from '../support/refunds.ts';
import { type Answer, aNode, aService, atEnd, faultsOf, type Service, serve } from '../support/service.ts';

const atOnce = 20;
/** `npm run prove` does a thousand. */
const cancelRounds = 96;

let nodes: readonly [Service, Service];
const node = (index: number) => nodes[index % 2 === 0 ? 0 : 1];

before(async () => {
  const service = await aService();
  nodes = [service, await serve(await aNode(service.world))];
  atEnd(() => checkInvariants(nodes[0].world));
});
afterEach(() => settleAll(nodes[0].world));

const counts = (answers: readonly Answer[]) =>
  Object.fromEntries(
    Object.entries(
      Object.groupBy(answers, (answer) => (answer.status === 200 ? 'made' : (faultsOf(answer)[0] ?? ''))),
    ).map(([name, ones]) => [name, ones?.length ?? 0]),
  );

/** The same refund many times at once, at both nodes. */
function refundAtOnce(partner: TestPartner, id: string, body: object): Promise<Answer[]> {
  return Promise.all(Array.from({ length: atOnce }, (_, index) => refundSplit(node(index), partner, id, body)));
}

async function aRichPartner(sellers: number, details: object = {}): Promise<TestPartner> {
  const partner = await aPartner(
    nodes[0],
    Array.from({ length: sellers }, () => details),
  );
  for (const seller of partner.sellers) await fund(nodes[0], seller, 10_000_000n);
  return partner;
}

suite('refunds against refunds', () => {
  const tea = (quantity: number) => ({ externalId: 'tea', quantity, unitPrice: 1_000 });

  // Guarantee: a line is never refunded beyond what was sold of it, whatever runs at the same time.
  test(`${atOnce} refunds of 60 % of one line: one is made`, async () => {
    const partner = await aRichPartner(2);
    const id = await aPaidSplit(nodes[0], partner, [
      aChild(partner, 0, 9_000, { commission: 11, products: [tea(2.5)] }),
      aChild(partner, 1, 9_000, { products: [tea(2.5)] }),
    ]);
    const { body } = await showSplit(nodes[0], partner, id);
    const of = { id: body.childTransactions[0].id };
    const answers = await refundAtOnce(partner, id, { childTransactions: [{ ...of, products: [tea(1.5)] }] });
    assert.deepEqual(counts(answers), { made: 1, 'refund_exceeds_paid childTransactions.0.products.0.quantity': 19 });
    const [first, other] = (await showSplit(nodes[1], partner, id)).body.childTransactions;
    assert.deepEqual([first.refunded, first.products[0].refundedQuantity, other.refunded], [1_500, 1.5, 0]);
  });

  // Guarantee: the children of a seller together are never refunded beyond their sum.
  test(`${atOnce} refunds of 60 % of one seller: one is made`, async () => {
    const partner = await aRichPartner(2);
    const id = await aPaidSplit(nodes[0], partner, [
      aChild(partner, 0, 300, { commission: 30 }),
      aChild(partner, 1, 5_000),
      aChild(partner, 0, 700, { commission: 70 }),
    ]);
    const [merchantId] = partner.sellers.map((seller) => seller.id);
    const answers = await refundAtOnce(partner, id, { childTransactions: [{ merchantId, amount: 600 }] });
    assert.deepEqual(counts(answers), { made: 1, 'refund_exceeds_paid childTransactions.0.amount': 19 });
    const { childTransactions } = (await showSplit(nodes[1], partner, id)).body;
    const refunded = childTransactions.map((child: { refunded: number }) => child.refunded);
    assert.deepEqual(refunded, [300, 0, 300]);
  });

  // Guarantee: a full refund takes exactly what the others left.
  test('full, by amount and by products', async () => {
    const partner = await aRichPartner(3, { refundFeeMinor: 3n });
    for (let round = 0; round < 5; round += 1) {
      const id = await aPaidSplit(
        nodes[0],
        partner,
        [0, 1, 2].map((seller) => aChild(partner, seller, 1_000, { commission: 333, products: [tea(1)] })),
      );
      const forms = partner.sellers.flatMap(({ id: merchantId }) => [
        { childTransactions: [{ merchantId, amount: 499 }] },
        { childTransactions: [{ merchantId, products: [tea(0.333333)] }] },
      ]);
      const answers = await Promise.all(
        [...forms.slice(0, 3), {}, ...forms.slice(3)].map((body, index) => refundSplit(node(index), partner, id, body)),
      );
      const sum = answers.reduce((total, { status, body }) => total + (status === 200 ? body.amount : 0), 0);
      const { body } = await showSplit(nodes[1], partner, id);
      assert.equal(body.status === 'refund', answers[3]?.status === 200);
      assert.equal(sum, body.status === 'refund' ? 3_000 : 2_496);
      const returned = body.childTransactions.map((one: { commissionReturned: number }) => one.commissionReturned);
      if (body.status === 'refund') assert.deepEqual(returned, [333, 333, 333]);
    }
  });

  // Guarantee: with a balance for one of two refunds exactly one is made, and nothing of the other moved at any seller.
  test('two transactions, a balance for one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const partner = await aPartner(nodes[0], [{ refundFeeMinor: 500n }, {}, {}]);
      const ids = [
        await aPaidSplit(nodes[0], partner, [aChild(partner, 1, 100), aChild(partner, 0, 500)]),
        await aPaidSplit(nodes[0], partner, [aChild(partner, 0, 500), aChild(partner, 1, 100)]),
      ];
      const answers = await Promise.all(ids.map((id, index) => refundSplit(node(index), partner, id)));
      assert.deepEqual(counts(answers), { made: 1, insufficient_funds: 1 });
      assert.deepEqual(await balancesOf(nodes[0], partner), [0n, 100n, 0n, 0n]);
    }
  });

  // Guarantee: one idempotency key refunds once, at however many nodes it is sent at once.
  test('one key at two nodes', async () => {
    const partner = await aRichPartner(2);
    const id = await aPaidSplit(nodes[0], partner, [aChild(partner, 0, 500), aChild(partner, 1, 500)]);
    const body = { childTransactions: partner.sellers.map(({ id: merchantId }) => ({ merchantId, amount: 10 })) };
    const path = `/marketplace/v1/transaction/${id}/refund`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        node(index).ask('POST', path, { token: partner.token, body, headers: { 'idempotency-key': 'one' } }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
    const { refunds } = (await showSplit(nodes[0], partner, id)).body;
    assert.deepEqual([refunds.length, refunds[0].amount], [1, 20]);
  });
});

suite('the same sellers in opposite orders', () => {
  // Guarantee: payments, refunds, previews and returns over the same sellers wait for each other and never deadlock.
  test('payments, refunds and declines at two nodes', async () => {
    const many = 12;
    const partner = await aRichPartner(many, { refundFeeMinor: 1n, paymentFeeMinor: 1n });
    const forward = Array.from({ length: many }, (_, seller) =>
      aChild(partner, seller, 100 + seller, { commission: 9 }),
    );
    const order = (index: number) => (index % 2 === 0 ? forward : forward.toReversed());
    const paid = await Promise.all(
      Array.from({ length: 10 }, (_, index) => aPaidSplit(node(index), partner, order(index))),
    );
    const { bank, clock } = nodes[0].world;
    bank.setFaults({ refusedRefund: { probability: 0.5, seed: 1 } });
    for (let round = 0; round < 3; round += 1) {
      const items = partner.sellers.map(({ id: merchantId }) => ({ merchantId, amount: 10 }));
      clock.advance({ minutes: 1 });
      const [answers] = await Promise.all([
        Promise.all(
          paid.flatMap((id, index) => [
            refundSplit(node(index), partner, id, { childTransactions: index % 2 ? items : items.toReversed() }),
            refundSplit(node(index + 1), partner, id, {}, '?dryRun=true'),
          ]),
        ),
        Promise.all(Array.from({ length: 6 }, (_, index) => aPaidSplit(node(index), partner, order(index)))),
        settleAll(nodes[0].world),
        settleAll(nodes[1].world),
      ]);
      assert.deepEqual(counts(answers), { made: 20 });
    }
    clock.advance({ minutes: 1 });
    await Promise.all([settleAll(nodes[0].world), settleAll(nodes[1].world)]);
    bank.setFaults({});
    const deadlocks = await nodes[0].world.db.sql.one((row) => Number(row.deadlocks))`
      select deadlocks from pg_stat_database where datname = current_database()`;
    assert.equal(deadlocks, 0);
  });
});

suite('a cancel against a payment', () => {
  // Guarantee: paid, or canceled and the money returned to the payer, never both; and the cancel was told which.
  test(`${cancelRounds} rounds at two nodes`, async () => {
    const partner = await aPartner(nodes[0]);
    const indexes = Array.from({ length: cancelRounds }, (_, index) => index);
    const races = await Promise.all(indexes.map((index) => raceCancel(nodes, partner, index)));
    const ended = await endRaces(nodes[0], races);
    assert.deepEqual(ended.wrong, []);
    assert.ok(ended.paid > 0 && ended.canceled > 0, JSON.stringify(ended));
    const paid = races.filter(({ canceled }) => canceled.status !== 200);
    const minor = paid.reduce((sum, one) => sum + one.minor, 0n);
    const balances = await balancesOf(nodes[0], partner);
    assert.equal(
      balances.reduce((sum, one) => sum + one, 0n),
      minor,
      'only paid ones are credited',
    );
  });
});

suite('a seller is blocked', () => {
  const block = (at: Service, partner: TestPartner, seller: number) =>
    at.ask('POST', `/accounts/${partner.sellers[seller]?.id}`, { token: partner.token, body: { status: 'blocked' } });

  // Guarantee: a payment that the bank has begun is credited to all sellers, and can be refunded.
  test('while the bank is charging', async () => {
    const partner = await aPartner(nodes[0], [{}, {}]);
    const id = await aSplit(nodes[0], partner, [aChild(partner, 0, 500), aChild(partner, 1, 501)]);
    const gate = new Gate();
    const held = await serve({
      ...nodes[0].world,
      acquirers: acquirersOf(nodes[0].world, gated(nodes[0].world.bank, { before: gate })),
    });
    const paying = paySplit(held, partner, id);
    await gate.reachedBy(paying);
    assert.equal((await block(nodes[1], partner, 1)).status, 200);
    gate.open();
    assert.equal((await paying).body.status, 'paid');
    assert.deepEqual(await balancesOf(nodes[0], partner), [500n, 501n, 0n]);
    assert.equal((await refundSplit(nodes[0], partner, id)).status, 200);
    assert.deepEqual(await balancesOf(nodes[0], partner), [0n, 0n, 0n]);
  });

  // Guarantee: at the same time, a payment is refused or credited to all sellers, never to some of them.
  test('while others pay', async () => {
    const partner = await aPartner(nodes[0], [{}, {}]);
    const ids = await Promise.all(
      Array.from({ length: atOnce }, () => aSplit(nodes[0], partner, [aChild(partner, 0, 100), aChild(partner, 1, 1)])),
    );
    const half = atOnce / 2;
    const first = ids.slice(0, half).map((id, index) => paySplit(node(index), partner, id));
    const blocking = block(nodes[1], partner, 1);
    const rest = ids.slice(half).map((id, index) => paySplit(node(index), partner, id));
    const answers = await Promise.all([...first, ...rest]);
    assert.equal((await blocking).status, 200);
    for (const { status, body, text } of answers)
      assert.ok(status === 403 || (status === 200 && body.status === 'paid'), text);
    const paid = BigInt(answers.filter(({ status }) => status === 200).length);
    assert.deepEqual(await balancesOf(nodes[0], partner), [paid * 100n, paid, 0n]);
    const late = await aLatePayment(partner, ids, answers);
    assert.equal(late?.status ?? 403, 403);
  });

  /** Pays once more what was refused. */
  async function aLatePayment(partner: TestPartner, ids: readonly string[], answers: readonly Answer[]) {
    const refused = answers.findIndex(({ status }) => status === 403);
    return refused < 0 ? undefined : paySplit(nodes[0], partner, ids[refused] ?? '');
  }

  test('between creating and paying: nothing is charged', async () => {
    const partner = await aPartner(nodes[0], [{}, {}]);
    const id = await aSplit(nodes[0], partner, [aChild(partner, 0, 500), aChild(partner, 1, 501)]);
    await block(nodes[0], partner, 0);
    const captures = nodes[0].world.bank.record().captures.length;
    assert.equal((await paySplit(nodes[1], partner, id)).status, 403);
    assert.equal(nodes[0].world.bank.record().captures.length, captures);
    assert.equal(await balanceOf(nodes[0], partner.sellers[1] ?? partner), 0n);
  });
});
