// Attacks on reconciliation: broken statements, results that no room takes, odd periods, decisions that come too early.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { StatementAnswer, StatementLine } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { changeBank, deleteJournals, deleteRows, removeCharge } from '../support/damage.ts';
import { inWords, statementInWords } from '../support/findings.ts';
import { aPaidTransaction, aTransaction, payBlik } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { handleCallback, tickAll } from '../support/rooms.ts';
import { aMerchant, aNode, aService, roomsOf, type Service, serve, type TestMerchant } from '../support/service.ts';
import { findingsOf, listTotals } from '../support/verify.ts';

const receivable = 'acquirer:simulator:receivable';
const deadlineMilliseconds = 1_000;

interface Shop {
  readonly service: Service;
  readonly merchant: TestMerchant;
}

async function aShop(config = {}): Promise<Shop> {
  const service = await aService({ config });
  const merchant = await aMerchant(service);
  await fund(service, merchant, 1_000_000n);
  return { service, merchant };
}

async function reconcile(service: Service, period = {}) {
  // A period ends before its last instant; runs are listed by the wall clock.
  service.world.clock.advance({ seconds: 1 });
  service.world.wall.advance({ seconds: 1 });
  const run = await service.rooms.reconciliation.reconcile(period);
  assert.ok(run, 'no other run is in progress');
  return run;
}

async function keyOf({ world }: Service, transactionId: string): Promise<string> {
  return world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${transactionId} order by number desc limit 1`;
}

function items({ world }: Service): Promise<string[]> {
  return world.db.sql.many((row) => readText(row, 'named'))`
    select kind || ' ' || difference || ' ' || state as named from reconciliation_item order by named`;
}

function itemIds({ world }: Service): Promise<string[]> {
  return world.db.sql.many((row) => readText(row, 'id'))`select id from reconciliation_item order by id`;
}

async function decide(service: Service, decision: 'not-captured' | { capturedMinor: bigint }): Promise<void> {
  const [id = ''] = await itemIds(service);
  assert.equal(await service.rooms.reconciliation.parked.decide(id, decision), true);
}

/** What the acquirer owes us by the books, less what it really does: zero in the end. */
async function gapOf({ world }: Service): Promise<bigint> {
  const totals = await listTotals(world.db.sql);
  const booked = totals.find(({ account }) => account === receivable)?.minor ?? 0n;
  const { captures, refunds } = world.bank.record();
  const sum = (moved: readonly { amount: { minor: bigint } }[]) =>
    moved.reduce((all, one) => all + one.amount.minor, 0n);
  return booked - (sum(captures) - sum(refunds));
}

async function problems({ world }: Service): Promise<string[]> {
  return inWords(await findingsOf(world));
}

/** A capture at the bank that we never asked for. */
async function aStrayCapture({ world }: Service, minor = 1_001n): Promise<string> {
  const key = world.ids.ulid();
  await world.bank.charge({
    key,
    merchant: 'stray',
    initiator: 'payer',
    amount: money(minor, 'PLN'),
    instrument: { kind: 'blik', code: new Secret('777123'), aliases: [] },
    description: 'stray',
    returnUrl: 'https://shop.example',
    deadlineMilliseconds,
  });
  return key;
}

/** A node whose bank gives these pages instead of its own. */
async function withPages(
  service: Service,
  pages: (after: string | null) => StatementAnswer,
): Promise<Service['rooms']> {
  const { world } = service;
  const { bank } = world;
  const acquirer = {
    name: bank.name,
    charge: bank.charge.bind(bank),
    refund: bank.refund.bind(bank),
    cancel: bank.cancel.bind(bank),
    findCharge: bank.findCharge.bind(bank),
    findRefund: bank.findRefund.bind(bank),
    statement: async ({ after }: { after: string | null }) => pages(after),
  };
  return roomsOf({ ...world, acquirers: acquirersOf(world, acquirer) });
}

function onePage(lines: readonly StatementLine[]): () => StatementAnswer {
  return () => ({ kind: 'page', lines, next: null });
}

/** A payment that we hold for declined and that the bank captured. */
async function aLateCapture({ service, merchant }: Shop): Promise<string> {
  const { world } = service;
  world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
  const id = await aTransaction(service, merchant);
  await payBlik(service, merchant, id);
  world.bank.setFaults({});
  const key = await keyOf(service, id);
  await handleCallback(world, { kind: 'charge', key, result: { kind: 'declined', reason: 'internal error' } });
  return key;
}

suite('no damage, no difference', () => {
  test('captured after it was declined: a surplus, and no difference afterwards', async () => {
    const shop = await aShop();
    await aLateCapture(shop);
    const first = await reconcile(shop.service);
    assert.deepEqual([first.applied, first.found], [1, 0]);
    await tickAll(shop.service.world);
    shop.service.world.clock.advance({ minutes: 5 });
    await tickAll(shop.service.world);
    assert.equal(await gapOf(shop.service), 0n);
    await reconcile(shop.service);
    assert.deepEqual(await items(shop.service), []);
  });
});

suite('results that no room takes are named', () => {
  test('a recurring charge that stands in its schedule, without its payment and its journal', async () => {
    const { service, merchant } = await aShop();
    await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    await tickAll(service.world);
    const key = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where purpose = 'recurring'`;
    await deleteJournals(service.world, [key], ['payment']);
    await deleteRows(service.world, [{ table: 'charge', where: 'id', values: [key] }]);
    await reconcile(service);
    await reconcile(service);
    assert.deepEqual([await gapOf(service), await items(service)], [0n, ['capture not_booked parked']]);
  });

  test('a surplus of a declined payment whose journals are gone', async () => {
    const shop = await aShop();
    const { service } = shop;
    const key = await aLateCapture(shop);
    await handleCallback(service.world, {
      kind: 'charge',
      key,
      result: { kind: 'approved', amount: money(1_001n, 'PLN') },
    });
    service.world.clock.advance({ minutes: 5 });
    await tickAll(service.world);
    assert.equal(await gapOf(service), 0n);
    await deleteJournals(service.world, [key], ['surplus', 'surplus refund']);
    await reconcile(service);
    assert.deepEqual(await items(service), ['capture not_booked parked', 'refund row_missing parked']);
  });
});

suite('periods', () => {
  test('an end in the future does not stop later runs', async () => {
    const { service } = await aShop({ reconcileAt: 240 });
    const { clock, wall } = service.world;
    await reconcile(service, { to: clock.now().add({ hours: 24 * 30 }) });
    await aStrayCapture(service);
    clock.advance({ hours: 24 * 5 });
    wall.advance({ hours: 24 * 5 });
    await tickAll(service.world);
    assert.deepEqual(await items(service), ['capture not_booked parked'], 'by the daily run');
  });

  test('by hand, neither', async () => {
    const { service } = await aShop();
    await reconcile(service, { to: service.world.clock.now().add({ hours: 24 * 30 }) });
    service.world.clock.advance({ hours: 24 });
    await aStrayCapture(service);
    const run = await reconcile(service);
    assert.deepEqual([run.state, await items(service)], ['differs', ['capture not_booked parked']]);
  });

  test('an end before the default beginning compares more than a millisecond', async () => {
    const { service } = await aShop();
    const { clock } = service.world;
    await aStrayCapture(service);
    clock.advance({ hours: 1 });
    const to = clock.now();
    clock.advance({ hours: 24 * 10 });
    await reconcile(service, { from: clock.now().subtract({ hours: 1 }) });
    const run = await reconcile(service, { to });
    assert.deepEqual([run.state, await items(service)], ['differs', ['capture not_booked parked']]);
  });

  test('a beginning before 1970', async () => {
    const { service } = await aShop();
    const run = await reconcile(service, { from: Temporal.Instant.from('1960-01-01T00:00:00Z') });
    assert.deepEqual([run.state, run.why], ['agreed', null]);
  });

  test('days without a complete run are compared by the next default run', async () => {
    const { service } = await aShop();
    const { clock } = service.world;
    await reconcile(service);
    await aStrayCapture(service);
    clock.advance({ hours: 24 * 10 });
    await reconcile(service, { from: clock.now().subtract({ hours: 24 }) });
    await reconcile(service);
    // The first of the two saw the payout of a capture that it did not see.
    assert.deepEqual(await items(service), ['capture not_booked parked', 'payout not_booked closed']);
  });
});

suite('broken statements', () => {
  test('a capture of nothing leaves the books green', async () => {
    const { service } = await aShop();
    const at = service.world.clock.now();
    const rooms = await withPages(
      service,
      onePage([{ kind: 'capture', key: 'nothing', amount: money(0n, 'PLN'), at }]),
    );
    await rooms.reconciliation.reconcile({});
    assert.deepEqual(await problems(service), []);
  });

  test('a payout of nothing leaves the books green', async () => {
    const { service } = await aShop();
    const at = service.world.clock.now();
    const nothing = money(0n, 'PLN');
    const rooms = await withPages(
      service,
      onePage([{ kind: 'payout', key: 'payout-1', amount: nothing, fee: nothing, at }]),
    );
    await rooms.reconciliation.reconcile({});
    assert.deepEqual(await problems(service), []);
  });

  for (const kind of ['capture', 'payout'] as const) {
    test(`an unknown ${kind} twice in a page does not hide the other lines`, async () => {
      const { service } = await aShop();
      const at = service.world.clock.now();
      const twice = { kind, key: 'twice', amount: money(100n, 'PLN'), fee: money(1n, 'PLN'), at } as StatementLine;
      const other = { kind: 'capture', key: 'other', amount: money(700n, 'PLN'), at } as const;
      const rooms = await withPages(service, onePage([twice, twice, other]));
      const run = await rooms.reconciliation.reconcile({});
      const why = 'The statement names 1 of its lines twice, the first with key twice.';
      assert.deepEqual([run?.state, statementInWords(run?.why)], ['differs', why]);
      assert.ok((await items(service)).includes('capture not_booked parked'));
    });
  }

  test('a capture that the bank has twice under one key is a difference', async () => {
    const { service, merchant } = await aShop();
    const key = await keyOf(service, await aPaidTransaction(service, merchant));
    const line = { kind: 'capture', key, amount: money(1_001n, 'PLN'), at: service.world.clock.now() } as const;
    const rooms = await withPages(service, onePage([line, line]));
    const run = await rooms.reconciliation.reconcile({});
    assert.notEqual(run?.state, 'agreed');
  });

  test('a cursor that goes round ends the run', { timeout: 20_000 }, async () => {
    const { service } = await aShop();
    let asked = 0;
    const rooms = await withPages(service, (after) => {
      asked += 1;
      if (asked > 200) return { kind: 'unknown' };
      return { kind: 'page', lines: [], next: after === 'a' ? 'b' : 'a' };
    });
    const run = await rooms.reconciliation.reconcile({});
    assert.equal(run?.state, 'incomplete');
    assert.ok(asked <= 200, 'it noticed by itself');
  });

  for (const at of ['0000-01-01T00:00:00Z', '2019-01-01T00:00:00Z', '9999-12-31T00:00:00Z']) {
    test(`a line of another period, ${at}, is no line of this one`, async () => {
      const { service } = await aShop();
      const line = { kind: 'capture', key: 'old', amount: money(5n, 'PLN'), at: Temporal.Instant.from(at) } as const;
      const rooms = await withPages(service, onePage([line]));
      const run = await rooms.reconciliation.reconcile({});
      assert.deepEqual(
        [run?.state, statementInWords(run?.why)],
        ['incomplete', 'The statement has a line of another period, the first is line 1.'],
      );
    });
  }

  test('a payout whose fee the bank changed afterwards', async () => {
    const { service, merchant } = await aShop();
    await aPaidTransaction(service, merchant);
    const at = service.world.clock.now();
    const payout = (paid: bigint, fee: bigint): StatementLine => ({
      kind: 'payout',
      key: 'payout-1',
      amount: money(paid, 'PLN'),
      fee: money(fee, 'PLN'),
      at,
    });
    const compare = async (line: StatementLine) =>
      (await withPages(service, onePage([line]))).reconciliation.reconcile({});
    assert.equal((await compare(payout(990n, 10n)))?.state, 'agreed');
    assert.equal((await compare(payout(980n, 20n)))?.state, 'differs');
    assert.deepEqual(await items(service), ['payout other_amount parked']);
  });

  test('a second return of a surplus, under a key that is not ours, is not in the books', async () => {
    const shop = await aShop();
    const { service } = shop;
    const key = await aLateCapture(shop);
    await handleCallback(service.world, {
      kind: 'charge',
      key,
      result: { kind: 'approved', amount: money(1_001n, 'PLN') },
    });
    service.world.clock.advance({ minutes: 5 });
    await tickAll(service.world);
    const at = service.world.clock.now();
    const line = { kind: 'refund', key: 'foreign', chargeKey: key, amount: money(1_001n, 'PLN'), at } as const;
    const rooms = await withPages(service, onePage([line]));
    await rooms.reconciliation.reconcile({});
    assert.deepEqual(
      (await items(service)).filter((one) => one.startsWith('refund')),
      ['refund not_booked parked'],
    );
  });
});

suite('decisions', () => {
  test('a loss that the bank names later is booked again', async () => {
    const { service, merchant } = await aShop();
    const key = await keyOf(service, await aPaidTransaction(service, merchant));
    const hide = 'update charge set state = ?, captured_at = null, reason = ? where key = ?';
    changeBank(service.world, hide, 'declined', 'internal error', key);
    await reconcile(service);
    await decide(service, 'not-captured');
    const at = service.world.clock.now().epochMilliseconds;
    changeBank(
      service.world,
      'update charge set state = ?, captured_at = ?, reason = null where key = ?',
      'approved',
      at,
      key,
    );
    const run = await reconcile(service);
    assert.deepEqual([run.state, await gapOf(service), await problems(service)], ['differs', 0n, []]);
  });

  test('returned to the payer, then its charge is repeated under the key', async () => {
    const { service, merchant } = await aShop();
    await aRecurring(service, merchant, { schedule: { chargeCount: 1 } });
    await tickAll(service.world);
    const key = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where purpose = 'recurring'`;
    const putBack = await removeCharge(service.world, key);
    await reconcile(service);
    await decide(service, { capturedMinor: 4_990n });
    await tickAll(service.world);
    await putBack();
    const run = await reconcile(service);
    assert.deepEqual([run.state, await gapOf(service), await problems(service)], ['differs', 0n, []]);
    const again = await reconcile(service);
    assert.deepEqual([again.state, await gapOf(service)], ['agreed', 0n]);
  });

  test('a return of a surplus that the bank names later is closed', async () => {
    const shop = await aShop();
    const { service } = shop;
    const key = await aLateCapture(shop);
    await handleCallback(service.world, {
      kind: 'charge',
      key,
      result: { kind: 'approved', amount: money(1_001n, 'PLN') },
    });
    service.world.clock.advance({ minutes: 5 });
    await tickAll(service.world);
    const [refund] = service.world.bank.record().refunds;
    assert.ok(refund);
    const at = service.world.clock.now().epochMilliseconds;
    changeBank(service.world, "update refund set state = 'declined', refunded_at = null where key = ?", refund.key);
    await reconcile(service);
    changeBank(service.world, "update refund set state = 'approved', refunded_at = ? where key = ?", at, refund.key);
    await reconcile(service);
    assert.deepEqual(
      (await items(service)).filter((one) => one.startsWith('refund')),
      ['refund not_at_bank closed'],
    );
  });

  test('one decision on two nodes at once moves money once', async () => {
    const { service } = await aShop();
    await aStrayCapture(service);
    await reconcile(service);
    const other = await serve(await aNode(service.world));
    const [id = ''] = await itemIds(service);
    const decided = await Promise.all([
      service.rooms.reconciliation.parked.decide(id, { capturedMinor: 1_001n }),
      other.rooms.reconciliation.parked.decide(id, 'not-captured'),
    ]);
    // A promise of the bank can still be decided, so the second is refused only after the one that moves money.
    assert.equal(decided[0], true);
    await tickAll(service.world);
    assert.deepEqual(await problems(service), []);
  });

  for (const decision of ['not-captured', { capturedMinor: 1_001n }] as const) {
    test(`verify after ${decision === 'not-captured' ? decision : 'captured'}`, async () => {
      const { service } = await aShop();
      await aStrayCapture(service);
      await reconcile(service);
      await decide(service, decision);
      await tickAll(service.world);
      assert.deepEqual(await problems(service), []);
    });
  }
});

suite('two runs', () => {
  test('a run that was taken for dead claims nothing', async () => {
    const { service, merchant } = await aShop();
    await aPaidTransaction(service, merchant);
    await aStrayCapture(service);
    service.world.clock.advance({ seconds: 1 });
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { bank } = service.world;
    let reached: () => void = () => undefined;
    const there = new Promise<void>((resolve) => (reached = resolve));
    const slow = {
      name: bank.name,
      findCharge: bank.findCharge.bind(bank),
      findRefund: bank.findRefund.bind(bank),
      refund: bank.refund.bind(bank),
      charge: bank.charge.bind(bank),
      cancel: bank.cancel.bind(bank),
      statement: async (request: Parameters<typeof bank.statement>[0]) => {
        reached();
        await gate;
        return bank.statement(request);
      },
    };
    const rooms = await roomsOf({ ...service.world, acquirers: acquirersOf(service.world, slow) });
    const first = rooms.reconciliation.reconcile({});
    await there;
    service.world.wall.advance({ minutes: 11 });
    const second = await reconcile(service);
    go();
    const ended = await first;
    assert.deepEqual([second.state, ended?.state], ['differs', 'incomplete']);
    assert.deepEqual(await items(service), ['capture not_booked parked']);
    assert.equal(await gapOf(service), 0n);
  });
});

suite('refunds at the bank', () => {
  // Guarantee: a refund is never booked with an amount that the bank does not name.
  test('the bank paid another amount for a refund that is open', async () => {
    const { service, merchant } = await aShop();
    const id = await aPaidTransaction(service, merchant);
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    const refundId = await aRefund(service, merchant, id, { amount: 5 });
    service.world.clock.advance({ seconds: 6 });
    await tickAll(service.world);
    service.world.bank.setFaults({});
    changeBank(service.world, 'update refund set amount_minor = 900 where key = ?', refundId);
    const run = await reconcile(service);
    assert.deepEqual([run.state, run.applied, await items(service)], ['differs', 0, ['refund other_amount parked']]);
  });

  // Guarantee: after a restore, a refund that the bank has paid cannot be canceled, which would give the money twice.
  for (const status of ['New', 'Hold']) {
    test(`the bank paid a refund that is ${status} in the restored books`, async () => {
      const { service, merchant } = await aShop();
      const id = await aPaidTransaction(service, merchant);
      const refundId = await aRefund(service, merchant, id, { amount: 5 });
      if (status === 'Hold') await service.ask('POST', `/refunds/${refundId}/hold`, merchant);
      const chargeKey = await keyOf(service, id);
      const amount = money(500n, 'PLN');
      await service.world.bank.refund({ key: refundId, chargeKey, amount, deadlineMilliseconds });
      const run = await reconcile(service);
      assert.deepEqual([run.applied, await items(service), await gapOf(service)], [1, [], 0n]);
      const canceled = await service.ask('POST', `/refunds/${refundId}/cancel`, merchant);
      assert.equal(canceled.status, 409);
      assert.deepEqual((await reconcile(service)).state, 'agreed');
      assert.deepEqual(await problems(service), []);
    });
  }

  // Guarantee: what was named about a key does not hide what happens to it later.
  test('a capture whose rows were lost, and later its journal', async () => {
    const { service, merchant } = await aShop();
    const key = await keyOf(service, await aPaidTransaction(service, merchant));
    await deleteRows(service.world, [{ table: 'charge', where: 'id', values: [key] }]);
    await reconcile(service);
    assert.deepEqual(await items(service), ['capture row_missing parked']);
    await deleteJournals(service.world, [key], ['payment']);
    await reconcile(service);
    assert.deepEqual(await items(service), ['capture not_booked parked', 'capture row_missing closed']);
    assert.equal((await reconcile(service)).found, 0);
  });

  // Guarantee: what the bank paid is booked, also when only its statement says so.
  for (const [paidMinor, state, found] of [
    [1_001, 'agreed', ['capture not_booked closed']],
    [500, 'differs', ['capture not_booked returning', 'refund other_amount parked']],
  ] as const) {
    test(`the bank returned ${paidMinor} of 1001 to a payer, and its answers were lost`, async () => {
      const { service } = await aShop();
      await aStrayCapture(service);
      await reconcile(service);
      await decide(service, { capturedMinor: 1_001n });
      service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
      await tickAll(service.world);
      changeBank(service.world, 'update refund set amount_minor = ?', paidMinor);
      const run = await reconcile(service);
      assert.deepEqual([run.state, await items(service)], [state, found]);
    });
  }

  // Guarantee: money that went to another payer does not agree.
  test('the bank paid our refund on the charge of another merchant', async () => {
    const { service, merchant } = await aShop();
    const foreign = await keyOf(service, await aPaidTransaction(service, await aMerchant(service)));
    const refundId = await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 });
    service.world.clock.advance({ minutes: 5 });
    await tickAll(service.world);
    changeBank(service.world, 'update refund set charge_key = ? where key = ?', foreign, refundId);
    const run = await reconcile(service);
    assert.deepEqual([run.state, await items(service)], ['differs', ['refund other_charge parked']]);
    await decide(service, { capturedMinor: 500n });
    assert.equal((await reconcile(service)).state, 'agreed');
  });

  // Guarantee: a refused return is over; the next decision asks under a key of its own.
  test('a refused return can be tried again', async () => {
    const { service } = await aShop();
    await aStrayCapture(service);
    await reconcile(service);
    service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
    await decide(service, { capturedMinor: 1_001n });
    await tickAll(service.world);
    service.world.bank.setFaults({});
    await decide(service, { capturedMinor: 1_001n });
    await tickAll(service.world);
    assert.deepEqual([await items(service), await gapOf(service)], [['capture not_booked closed'], 0n]);
  });
});
