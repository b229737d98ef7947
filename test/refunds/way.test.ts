// A refund at a bank that misbehaves. Every test ends with the invariants.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { findRefusedWhy, listParkedOutgoing } from '../../src/banking/index.ts';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { reasonInWords, refusedWith } from '../support/findings.ts';
import { gated } from '../support/gate.ts';
import {
  aPaidTransaction,
  aTransaction,
  checkInvariants,
  passTime,
  payCard,
  settleAll,
  show,
} from '../support/payments.ts';
import { aRefund, fund, wholeOf } from '../support/refunds.ts';
import { decideParked, receiveRefundCallback } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('the way of a refund', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService();
  });
  beforeEach(async () => {
    merchant = await aMerchant(service, { refundFeeMinor: 100n });
    await fund(service, merchant, 100_000n);
  });
  afterEach(() => service.world.bank.setFaults({}));
  after(() => checkInvariants(service.world));

  const balance = () => findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id));
  const statusOf = async (id: string) =>
    (await service.ask('GET', `/refunds/${id}`, { token: merchant.token })).body.status;
  /** Steps of one time, whose order their ids would decide, are joined by `=`. */
  const stepsOf = async (id: string) =>
    (
      await service.world.db.sql.many((row) => readText(row, 'steps'))`
        select string_agg(body::jsonb #>> '{data,refundStatus}', '=' order by id) as steps
          from event where subject_id = ${id} group by created_at order by created_at`
    ).join(' ');
  const givenBack = (id: string) => service.world.bank.record().refunds.filter(({ key }) => key === id).length;
  const pass = (duration: Temporal.DurationLike, steps?: number) => passTime(service.world, duration, steps);

  async function aCardRefund(): Promise<{ transaction: string; refund: string }> {
    const transaction = await aTransaction(service, merchant);
    await payCard(service, merchant, transaction);
    return { transaction, refund: await aRefund(service, merchant, transaction) };
  }
  async function aBlikRefund(): Promise<{ transaction: string; refund: string }> {
    const transaction = await aPaidTransaction(service, merchant);
    return { transaction, refund: await aRefund(service, merchant, transaction) };
  }
  const always = (name: keyof Faults): Faults => ({ [name]: { probability: 1, seed: 1 } });

  // Guarantee: a refund that the bank reports as paid with a different amount is never booked: it is looked up three
  // times, then an operator decides.
  test('a bank that names another amount', async () => {
    const { refund } = await aCardRefund();
    service.world.bank.setFaults(always('lostAnswer'));
    let looks = 0;
    const findRefund = async () => {
      looks += 1;
      return { kind: 'approved', amount: { minor: 100n, currency: 'PLN' } } as const;
    };
    const world = {
      ...service.world,
      acquirers: acquirersOf(service.world, { ...gated(service.world.bank, {}), findRefund }),
    };
    await passTime(world, { minutes: 5 }, 20);
    assert.equal(looks, 3);
    assert.equal(await statusOf(refund), 'Pending');
    const [parked] = (await listParkedOutgoing(service.world.db.sql)).filter(({ id }) => id === refund);
    assert.equal(reasonInWords(parked?.why), 'The bank reports a different amount.');
    const given = { capturedMinor: 100n };
    await assert.rejects(() => decideParked(service.world, refund, given), refusedWith(/was requested, not 1\.00\./));
    await decideParked(service.world, refund, await wholeOf(service, refund));
    assert.equal(await statusOf(refund), 'Done');
  });

  // Guarantee: a refund that the bank never accepts is not sent forever.
  test('a bank that never takes it: parked after three days', async () => {
    const { refund } = await aCardRefund();
    const world = {
      ...service.world,
      acquirers: acquirersOf(service.world, {
        ...gated(service.world.bank, {}),
        refund: async () => ({ kind: 'unknown' }) as const,
        findRefund: async () => ({ kind: 'notFound' }) as const,
      }),
    };
    await passTime(world, { hours: 80 }, 20);
    const [parked] = (await listParkedOutgoing(service.world.db.sql)).filter(({ id }) => id === refund);
    assert.equal(reasonInWords(parked?.why), 'The bank gave no result for three days.');
    await decideParked(service.world, refund, 'not-captured');
  });

  // Guarantee: nothing is sent before its time, and then each status is reported in order.
  test('a bank that decides immediately', async () => {
    const card = await aCardRefund();
    const blik = await aBlikRefund();
    await settleAll(service.world);
    assert.deepEqual([await statusOf(card.refund), await statusOf(blik.refund)], ['New', 'BLIK_pending']);
    service.world.clock.advance({ seconds: 5 });
    await settleAll(service.world);
    assert.equal(await stepsOf(card.refund), 'New Pending Processed Done');
    assert.equal(await stepsOf(blik.refund), 'BLIK_pending BLIK_processed');
  });

  // Guarantee: a refund that the bank has accepted is Processed until the bank confirms it.
  test('a bank that confirms later', async () => {
    service.world.bank.setFaults(always('waitingRefund'));
    const card = await aCardRefund();
    const blik = await aBlikRefund();
    await pass({ seconds: 10 });
    assert.deepEqual([await statusOf(card.refund), await statusOf(blik.refund)], ['Processed', 'BLIK_pending']);
    await pass({ minutes: 2 });
    assert.deepEqual([await statusOf(card.refund), await statusOf(blik.refund)], ['Done', 'BLIK_processed']);
    assert.equal(await stepsOf(card.refund), 'New Pending Processed Done');
  });

  // Guarantee: if the bank declines, amount and fee are returned; a full refund is undone. Why is kept, whether the bank
  // says so at once, by callback or when it is asked.
  for (const faults of [
    always('refusedRefund'),
    { ...always('refusedRefund'), ...always('waitingRefund') },
    { ...always('refusedRefund'), ...always('lostAnswer'), ...always('duplicateCallback') },
  ]) {
    test(`a bank that refuses: ${Object.keys(faults).join(', ')}`, async () => {
      const card = await aCardRefund();
      const blik = await aBlikRefund();
      service.world.bank.setFaults(faults);
      assert.equal((await show(service, merchant, card.transaction)).body.status, 'refund');
      await pass({ minutes: 10 });
      assert.deepEqual([await statusOf(card.refund), await statusOf(blik.refund)], ['Cancel', 'BLIK_incorrect']);
      for (const { refund: key } of [card, blik]) {
        const said = await service.world.bank.findRefund({ key, deadlineMilliseconds: 1_000 });
        const why = await findRefusedWhy(service.world.db.sql, key);
        assert.ok(why !== null && said.kind === 'declined' && said.why === why, `${why}`);
      }
      // The opening balance and both payments are back.
      assert.equal(await balance(), 100_000n + 2_002n);
      for (const { transaction } of [card, blik]) {
        assert.equal((await show(service, merchant, transaction)).body.status, 'paid');
      }
      service.world.bank.setFaults({});
      const again = await aRefund(service, merchant, card.transaction);
      await pass({ minutes: 1 });
      assert.equal(await statusOf(again), 'Done');
    });
  }

  // Guarantee: a timeout is not a decline; the bank is asked by key, and refunds the money once.
  for (const faults of [
    always('lostAnswer'),
    always('lostRequest'),
    always('unreachable'),
    always('duplicateCallback'),
    { ...always('waitingRefund'), ...always('lateCallback') },
    { ...always('waitingRefund'), ...always('duplicateCallback'), ...always('reorderedCallbacks') },
    { ...always('lostRequest'), ...always('lostAnswer'), ...always('waitingRefund') },
  ]) {
    test(`a bank with ${Object.keys(faults).join(', ')}`, async () => {
      const before = await balance();
      const card = await aCardRefund();
      const blik = await aBlikRefund();
      service.world.bank.setFaults(faults);
      await pass({ hours: 2 }, 60);
      assert.deepEqual([await statusOf(card.refund), await statusOf(blik.refund)], ['Done', 'BLIK_processed']);
      assert.deepEqual([givenBack(card.refund), givenBack(blik.refund)], [1, 1]);
      assert.equal(before - (await balance()), 200n, 'the fees');
    });
  }

  // Guarantee: over many refunds and all faults together, money is in exactly one place.
  test('a bank that does all of it, by seed', async () => {
    const refunds: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      refunds.push((await (index % 2 === 0 ? aCardRefund() : aBlikRefund())).refund);
    }
    const seed = 'all of it';
    service.world.bank.setFaults({
      lostAnswer: { probability: 0.3, seed },
      lostRequest: { probability: 0.3, seed },
      unreachable: { probability: 0.3, seed },
      waitingRefund: { probability: 0.4, seed },
      refusedRefund: { probability: 0.3, seed },
      duplicateCallback: { probability: 0.5, seed },
      lateCallback: { probability: 0.3, seed },
      reorderedCallbacks: { probability: 0.5, seed },
    });
    await pass({ hours: 5 }, 60);
    const statuses = await Promise.all(refunds.map(statusOf));
    const ends = new Set(['Done', 'Cancel', 'BLIK_processed', 'BLIK_incorrect']);
    assert.deepEqual([...new Set(statuses.filter((status) => !ends.has(status)))], []);
    assert.equal(new Set(statuses).size, 4, 'every end was seen');
  });

  suite('parked', () => {
    async function aParked(): Promise<{ transaction: string; refund: string }> {
      const made = await aCardRefund();
      service.world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 1e9 } });
      await pass({ hours: 80 }, 40);
      const parked = await listParkedOutgoing(service.world.db.sql);
      assert.deepEqual(
        parked.map(({ id, state }) => [id, state]),
        [[made.refund, 'sent']],
      );
      assert.equal(await statusOf(made.refund), 'Pending');
      return made;
    }

    // Guarantee: what nobody could resolve is neither done nor undone by itself; the operator decides.
    test('the bank has paid it out', async () => {
      const { refund } = await aParked();
      service.world.bank.setFaults({});
      // The operator arranges it outside the service: here the bank is called directly.
      await service.world.bank.refund(await requestOf(refund));
      assert.equal(await decideParked(service.world, refund, await wholeOf(service, refund)), true);
      assert.equal(await statusOf(refund), 'Done');
      assert.equal(await decideParked(service.world, refund, await wholeOf(service, refund)), false, 'once');
    });

    test('the bank has not', async () => {
      const { refund, transaction } = await aParked();
      assert.equal(await decideParked(service.world, refund, 'not-captured'), true);
      assert.equal(await statusOf(refund), 'Cancel');
      assert.equal((await show(service, merchant, transaction)).body.status, 'paid');
    });

    // Guarantee: money that the bank paid out after all is in the ledger, and an operator sees it.
    test('the bank has not, and then it has', async () => {
      const { refund } = await aParked();
      await decideParked(service.world, refund, 'not-captured');
      service.world.bank.setFaults({});
      const endedAt = () =>
        service.world.db.sql.many((row) =>
          String(row.ended_at),
        )`select ended_at::text from refund where id = ${refund}`;
      const ended = await endedAt();
      service.world.clock.advance({ minutes: 1 });
      await service.world.bank.refund(await requestOf(refund));
      const callback = { kind: 'refund', key: refund, result: { kind: 'approved' } } as const;
      assert.equal(await receiveRefundCallback(service.world, callback), true);
      assert.equal(await receiveRefundCallback(service.world, callback), true, 'twice');
      assert.equal(await statusOf(refund), 'Cancel');
      assert.deepEqual(await endedAt(), ended, 'it ended when it was declined');
      const parked = await listParkedOutgoing(service.world.db.sql);
      assert.deepEqual(
        parked.map(({ id, why }) => [id, reasonInWords(why)]),
        [[refund, 'The bank paid out a refund that it had declined.']],
      );
      await checkInvariants(service.world);
      assert.equal(await decideParked(service.world, refund, await wholeOf(service, refund)), true);
      assert.deepEqual(await listParkedOutgoing(service.world.db.sql), []);
    });

    async function requestOf(refund: string) {
      const [row] = await service.world.db.sql.many((one) => readText(one, 'charge_key'))`
        select charge_key from outgoing_refund where id = ${refund}`;
      const amount = { minor: 1_001n, currency: 'PLN' } as const;
      return { key: refund, chargeKey: row ?? '', amount, deadlineMilliseconds: 1_000 };
    }
  });

  // Guarantee: the schema itself refuses a transaction with status refund while something of it is left.
  test('a total with room left', async () => {
    const { transaction } = await aCardRefund();
    const { sql } = service.world.db;
    await assert.rejects(
      async () => sql.run`update refund_total set refunded_minor = 1000 where transaction_id = ${transaction}`,
      /something of it is left/,
    );
  });

  // Guarantee: a callback for an unknown key is not taken for a refund of ours.
  test('a strange callback', async () => {
    const callback = { kind: 'refund', key: 'strange', result: { kind: 'approved' } } as const;
    assert.equal(await receiveRefundCallback(service.world, callback), false);
  });

  // Guarantee: two engines on one database send each refund once.
  test('two engines', async () => {
    const refunds: string[] = [];
    for (let index = 0; index < 10; index += 1) refunds.push((await aBlikRefund()).refund);
    service.world.clock.advance({ seconds: 5 });
    await Promise.all([settleAll(service.world), settleAll(service.world), settleAll(service.world)]);
    for (const refund of refunds) {
      assert.deepEqual([await statusOf(refund), givenBack(refund)], ['BLIK_processed', 1]);
      assert.equal(await stepsOf(refund), 'BLIK_pending BLIK_processed');
    }
  });
});
