// The books against the bank's statement.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Decision } from '../../src/banking/index.ts';
import { readText } from '../../src/database/index.ts';
import { reconciliationItemTable } from '../../src/reconciliation/table.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { changeBank, deleteJournals, deleteRows, removeCharge } from '../support/damage.ts';
import { reasonInWords, refusedWith, statementInWords } from '../support/findings.ts';
import { checkInvariants } from '../support/invariants.ts';
import { aChild, aPaidSplit, aPartner, refundSplit } from '../support/marketplace.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aPaidTransaction, aTransaction, payBlik, payCard, show } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import {
  aMerchant,
  aNode,
  aService,
  aToken,
  roomsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';
import { findingsOf, listTotals } from '../support/verify.ts';

async function balanceOf({ world }: Service, account: string): Promise<bigint> {
  const totals = await listTotals(world.db.sql);
  return totals.find((one) => one.account === account)?.minor ?? 0n;
}

async function reconcile(service: Service) {
  // A period ends before its last instant.
  service.world.clock.advance({ seconds: 1 });
  const run = await service.rooms.reconciliation.reconcile({});
  assert.ok(run, 'no other run is in progress');
  return run;
}

async function keyOf({ world }: Service, transactionId: string): Promise<string> {
  return world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${transactionId} order by number desc limit 1`;
}

/** A payment of 10.01 whose rows and journals are gone. */
async function aLostPayment(service: Service, merchant: TestMerchant): Promise<string> {
  const id = await aPaidTransaction(service, merchant);
  const key = await keyOf(service, id);
  await deleteJournals(service.world, [key], ['payment']);
  await deleteRows(service.world, [
    { table: 'charge', where: 'id', values: [key] },
    { table: 'transaction', where: 'id', values: [id] },
  ]);
  return key;
}

async function parkedOf(service: Service, key: string) {
  return service.world.db.sql.one((row) => ({
    id: readText(row, 'id'),
    state: readText(row, 'state'),
    why: reasonInWords(reconciliationItemTable.read(row).why),
    outcome: String(row.outcome),
  }))`select * from reconciliation_item where key = ${key}`;
}

const receivable = 'acquirer:simulator:receivable';
const unallocated = 'payer:unallocated';

suite('a business of all kinds', () => {
  // Guarantee: books that are right stay as they are; payouts are booked once.
  test('agrees, and its payouts are booked once', async () => {
    const service = await aService();
    const { world } = service;
    const partner = await aPartner(service);
    await fund(service, partner, 1_000_000n);
    for (const seller of partner.sellers) await fund(service, seller, 100_000n);
    const paid = await aPaidTransaction(service, partner);
    await aRefund(service, partner, paid, { amount: 4 });
    await payCard(service, partner, await aTransaction(service, partner));
    await payBlik(service, partner, await aTransaction(service, partner), '111111');
    await aRecurring(service, partner);
    await refundSplit(
      service,
      partner,
      await aPaidSplit(service, partner, [aChild(partner, 0, 7), aChild(partner, 1, 8)]),
    );
    // Captured after its cancel: a surplus, which goes back.
    world.bank.setFaults({ successAfterCancel: { probability: 1, seed: 1 } });
    const canceled = await aTransaction(service, partner);
    await payBlik(service, partner, canceled, '777778');
    await service.ask('POST', `/transactions/${canceled}/cancel`, { token: partner.token });
    world.bank.setFaults({});
    world.clock.advance({ hours: 1 });
    await checkInvariants(world);
    world.clock.advance({ hours: 24 });
    await tickAll(world);

    const { captures, refunds } = world.bank.record();
    const netMinor =
      captures.reduce((sum, { amount }) => sum + amount.minor, 0n) -
      refunds.reduce((sum, { amount }) => sum + amount.minor, 0n);
    assert.equal(await balanceOf(service, receivable), netMinor);
    const run = await reconcile(service);
    const counted = [run.state, Number(run.captures), Number(run.refunds), Number(run.payouts), run.applied, run.found];
    assert.deepEqual(counted, ['agreed', captures.length, refunds.length, 1, 0, 0]);

    // Everything was paid out, less the bank's fee of 0.2 %.
    const fee = (netMinor * 20n + 5_000n) / 10_000n;
    assert.equal(await balanceOf(service, receivable), 0n);
    assert.equal(await balanceOf(service, 'expense:acquirer_fee'), fee);
    assert.equal(run.paidOutMinor, netMinor - fee);
    const again = await reconcile(service);
    assert.deepEqual([again.state, again.found, await balanceOf(service, receivable)], ['agreed', 0, 0n]);
    assert.deepEqual(await findingsOf(service.world), []);
  });
});

suite('reconcile', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
  });

  async function decide(key: string, decision: Decision): Promise<boolean> {
    return service.rooms.reconciliation.parked.decide((await parkedOf(service, key)).id, decision);
  }

  // Guarantee: captured money is never outside the books.
  test('a capture that nobody knows is booked, parked, and returned to the payer on decision', async () => {
    const key = await aLostPayment(service, merchant);
    const [owed, nobodys] = [await balanceOf(service, receivable), await balanceOf(service, unallocated)];
    assert.equal((await reconcile(service)).found, 1);
    assert.equal(await balanceOf(service, receivable), owed + 1_001n);
    assert.equal(await balanceOf(service, unallocated), nobodys - 1_001n);
    const parked = await service.rooms.reconciliation.parked.list();
    const { why, amountMinor } = parked.find((one) => reasonInWords(one.why)?.includes('10.01')) ?? {};
    assert.deepEqual(
      [reasonInWords(why), amountMinor],
      ['The bank captured 10.01; no payment of ours has it.', 1_001n],
    );

    await assert.rejects(decide(key, { capturedMinor: 1_000n }), refusedWith(/It is about 10.01, not 10.00/));
    assert.equal(await decide(key, { capturedMinor: 1_001n }), true);
    await tickAll(service.world);
    assert.equal(service.world.bank.record().netMinor.get(key), 0n);
    assert.equal(await balanceOf(service, receivable), owed);
    assert.equal(await balanceOf(service, unallocated), nobodys);
    assert.deepEqual((await parkedOf(service, key)).outcome, 'returned');
    const again = await reconcile(service);
    assert.deepEqual([again.state, again.found], ['agreed', 0]);
  });

  test('a capture that the bank reversed leaves the books', async () => {
    const key = await aLostPayment(service, merchant);
    const [owed, nobodys] = [await balanceOf(service, receivable), await balanceOf(service, unallocated)];
    await reconcile(service);
    assert.equal(await decide(key, 'not-captured'), true);
    assert.equal(await decide(key, 'not-captured'), true, 'a promise of the bank can be decided again');
    assert.equal(await balanceOf(service, receivable), owed);
    assert.equal(await balanceOf(service, unallocated), nobodys);
  });

  test('a refused return is parked again', async () => {
    const key = await aLostPayment(service, merchant);
    await reconcile(service);
    service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
    await decide(key, { capturedMinor: 1_001n });
    await tickAll(service.world);
    service.world.bank.setFaults({});
    const { state, why } = await parkedOf(service, key);
    assert.deepEqual([state, why], ['parked', 'The bank refused to give it back.']);
  });

  // Guarantee: what the bank has not is a loss only after an operator said so.
  test('a payment that the bank has not', async () => {
    const id = await aPaidTransaction(service, merchant);
    const key = await keyOf(service, id);
    changeBank(service.world, 'delete from charge where key = ?', key);
    const owed = await balanceOf(service, receivable);
    assert.equal((await reconcile(service)).found, 1);
    assert.equal(await balanceOf(service, receivable), owed);
    assert.equal((await parkedOf(service, key)).why, 'Our books have a capture of 10.01; the bank has not.');
    await decide(key, 'not-captured');
    assert.equal(await balanceOf(service, receivable), owed - 1_001n);
    assert.equal(await balanceOf(service, 'expense:loss'), 1_001n);
    assert.equal((await show(service, merchant, id)).body.status, 'paid');
  });

  test('a payment that the bank names later is closed', async () => {
    const key = await keyOf(service, await aPaidTransaction(service, merchant));
    const hide = 'update charge set state = ?, captured_at = null, reason = ? where key = ?';
    changeBank(service.world, hide, 'declined', 'internal error', key);
    await reconcile(service);
    assert.equal((await parkedOf(service, key)).state, 'parked');
    const at = service.world.clock.now().epochMilliseconds;
    const show = 'update charge set state = ?, captured_at = ?, reason = null where key = ?';
    changeBank(service.world, show, 'approved', at, key);
    await reconcile(service);
    assert.equal((await parkedOf(service, key)).outcome, 'named_later');
  });

  for (const [bankMinor, account, change] of [
    [1_101, unallocated, -100n],
    [901, 'expense:loss', 100n],
  ] as const) {
    test(`the bank captured ${bankMinor} instead of 1001`, async () => {
      const key = await keyOf(service, await aPaidTransaction(service, merchant));
      changeBank(service.world, 'update charge set amount_minor = ? where key = ?', bankMinor, key);
      const [owed, other] = [await balanceOf(service, receivable), await balanceOf(service, account)];
      await reconcile(service);
      await assert.rejects(decide(key, 'not-captured'), refusedWith(/Decide captured .* to book the difference/));
      await decide(key, { capturedMinor: BigInt(bankMinor) });
      assert.equal(await balanceOf(service, receivable), owed + BigInt(bankMinor) - 1_001n);
      assert.equal(await balanceOf(service, account), other + change);
    });
  }

  test('a refund that nobody asked for', async () => {
    const id = await aPaidTransaction(service, merchant);
    const refundId = await aRefund(service, merchant, id, { amount: 3 });
    service.world.clock.advance({ seconds: 6 });
    await tickAll(service.world);
    await deleteJournals(service.world, [refundId], ['refund', 'refund executed']);
    await deleteRows(service.world, [{ table: 'refund', where: 'id', values: [refundId] }]);
    const [owed, nobodys] = [await balanceOf(service, receivable), await balanceOf(service, unallocated)];
    await reconcile(service);
    assert.equal(await balanceOf(service, receivable), owed - 300n);
    assert.equal(await balanceOf(service, unallocated), nobodys + 300n);
    await decide(refundId, 'not-captured');
    assert.equal(await balanceOf(service, receivable), owed);
  });

  // Guarantee: what a payment still waits for is settled by its own rules.
  test('results that did not arrive are passed on', async () => {
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id);
    service.world.bank.setFaults({});
    assert.equal((await show(service, merchant, id)).body.status, 'pending');
    const run = await reconcile(service);
    assert.deepEqual([run.applied, run.found], [1, 0]);
    assert.equal((await show(service, merchant, id)).body.status, 'paid');
  });

  // Guarantee: a charge that is repeated under its key after a restore is not booked twice.
  test('a capture that its payment takes later is closed', async () => {
    const { clock } = service.world;
    await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    await tickAll(service.world);
    const key = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where purpose = 'recurring' order by id desc limit 1`;
    const owed = await balanceOf(service, receivable);
    const putBack = await removeCharge(service.world, key);
    await reconcile(service);
    await putBack();
    await assert.rejects(decide(key, { capturedMinor: 4_990n }), refusedWith(/A payment has taken it meanwhile/));
    clock.advance({ seconds: 1 });
    // Guarantee: that rows which came later took it is said, once.
    assert.equal((await reconcile(service)).found, 1);
    assert.equal((await parkedOf(service, key)).outcome, 'settled_by_payment');
    assert.equal((await reconcile(service)).found, 0);
    assert.equal(await balanceOf(service, receivable), owed);
  });

  test('one run at a time; one that died does not block the next', async () => {
    const other = await serve(await aNode(service.world));
    const runs = await Promise.all([
      service.rooms.reconciliation.reconcile({}),
      other.rooms.reconciliation.reconcile({}),
    ]);
    assert.equal(runs.filter((run) => run === undefined).length, 1);
    await service.world.db.sql.run`
      update reconciliation_run set state = 'running', ended_at = null
       where id = (select max(id) from reconciliation_run)`;
    assert.equal(await service.rooms.reconciliation.reconcile({}), undefined);
    service.world.wall.advance({ minutes: 11 });
    assert.equal((await reconcile(service)).why, null);
  });

  test('without a statement nothing is claimed', async () => {
    await aPaidTransaction(service, merchant);
    const { world } = service;
    const acquirer = {
      ...world.bank,
      name: world.bank.name,
      statement: async () => ({ kind: 'unknown' as const }),
    };
    const silent = { ...world, acquirers: acquirersOf(world, acquirer as unknown as typeof world.bank) };
    const rooms = await roomsOf(silent);
    const run = await rooms.reconciliation.reconcile({});
    assert.deepEqual(
      [run?.state, run?.found, statementInWords(run?.why)],
      ['incomplete', 0, 'The bank gave no statement.'],
    );
  });
});

suite('killed at every edge', () => {
  // Guarantee: whatever a dead run did, the next one names each difference once and books it once.
  test('each difference is named and booked once', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const { world } = service;
    const lost: string[] = [];
    for (let dieAt = 1, survived = false; !survived; dieAt += 1) {
      assert.ok(dieAt < 60, 'there are few edges');
      const token = await aToken(service, merchant.clientId, merchant.clientSecret);
      lost.push(await aLostPayment(service, { ...merchant, token }));
      world.clock.advance({ seconds: 1 });
      const node = aMortalNode(world, dieAt);
      await node.prepare(roomsOf);
      const edge = await node.live(async (dying) => (await roomsOf(dying)).reconciliation.reconcile({}));
      survived = edge === undefined;
      world.wall.advance({ minutes: 11 });
    }
    await reconcile(service);
    const named = await world.db.sql.many((row) => readText(row, 'key'))`select key from reconciliation_item`;
    assert.deepEqual(named.sort(), lost.sort());
    assert.equal(await balanceOf(service, unallocated), -1_001n * BigInt(lost.length));
  });
});

suite('every day', () => {
  test('after the configured time, once', async () => {
    const service = await aService({ config: { reconcileAt: 240 } });
    const { world } = service;
    world.clock.set('2026-03-10T09:00:00Z');
    const merchant = await aMerchant(service);
    const runs = async () => (await service.rooms.reconciliation.runs()).length;
    await tickAll(world);
    assert.equal(await runs(), 1, 'the first one at once');
    await aLostPayment(service, merchant);
    world.clock.set('2026-03-11T03:59:59Z');
    await tickAll(world);
    assert.equal(await runs(), 1);
    world.clock.set('2026-03-11T04:00:00Z');
    // Runs are listed by the wall clock.
    world.wall.advance({ minutes: 1 });
    await tickAll(world);
    await tickAll(world);
    const [last] = await service.rooms.reconciliation.runs();
    assert.deepEqual([await runs(), last?.state, last?.found], [2, 'differs', 1]);
    const metrics = await world.metrics.registry.metrics();
    assert.match(metrics, /grosz_reconciliation_open\{acquirer="simulator"\} 1\n/);
  });
});
