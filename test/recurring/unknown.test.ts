// Charges whose response is lost, late, wrong or never comes. The bank's own record decides.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { listParkedCharges, openBanking } from '../../src/banking/index.ts';
import { openRecurring } from '../../src/recurring/index.ts';
import { openVault } from '../../src/runtime/index.ts';
import { reasonInWords } from '../support/findings.ts';
import { checkInvariants, settleAll } from '../support/payments.ts';
import {
  aRecurring,
  askRecurring,
  attemptsOf,
  chargeAll,
  notificationsOf,
  recurringOf,
  storyOf,
} from '../support/recurring.ts';
import { chargeDue, decideParked, handleCallback } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

suite('charges whose outcome is not known immediately', () => {
  let service: Service;
  let world: TestWorld;
  let merchant: TestMerchant;
  beforeEach(async () => {
    service = await aService();
    world = service.world;
    merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  });
  afterEach(() => checkInvariants(world));

  const one = (value: string, schedule: object = {}) =>
    aRecurring(service, merchant, { schedule: { chargeCount: 1, ...schedule }, paymentInstrument: { value } });
  const captures = () => world.bank.record().captures.length;
  const pass = async (seconds: number, step = 3) => {
    for (let passed = 0; passed < seconds; passed += step) {
      world.clock.advance({ seconds: step });
      await chargeAll(world);
    }
  };
  const keyOf = async (id: string) => (await attemptsOf(service, merchant, id))[0]?.transactionId ?? '';

  // Guarantee: a lost response is looked up by the charge's own key; the payer pays once.
  test('lost-answer', async () => {
    const id = await one('lost-answer');
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    assert.equal(captures(), 1);
    await pass(3);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
    assert.equal(captures(), 1);
  });

  test('lost-answer of a failure', async () => {
    const id = await one('lost-answer-payer-rejected');
    await chargeAll(world);
    await pass(3);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed payer rejected']);
    assert.equal((await notificationsOf(service, id)).length, 1);
  });

  test('slow', async () => {
    const id = await one('slow');
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: a bank that could not be reached is asked again with the same key, soon.
  test('unreachable', async () => {
    const id = await one('unreachable');
    await chargeAll(world);
    assert.equal(captures(), 0);
    const key = await keyOf(id);
    await pass(3);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal(await keyOf(id), key);
  });

  // Guarantee: "not found" is accepted only after the bank had time and was asked twice; then the same key is sent
  // again.
  test('a request that never arrived', async () => {
    world.bank.setFaults({ lostRequest: { probability: 1, seed: 1 } });
    const id = await one('tok');
    await chargeAll(world);
    await pass(14, 1);
    assert.equal(captures(), 0);
    await pass(6, 1);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
    assert.equal(captures(), 1);
  });

  // Guarantee: while the bank is away nothing is reported as failed, and nothing new is sent; once it is back
  // everything continues.
  test('the bank is away for an hour', async () => {
    world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 3_600 } });
    const id = await one('tok');
    await chargeAll(world);
    await pass(3_500, 100);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    assert.deepEqual(await notificationsOf(service, id), []);
    await pass(500, 100);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: what cannot be resolved is parked and visible, and an operator decides; it is never guessed.
  for (const [decision, story, status] of [
    [{ capturedMinor: 4_990n }, '1.1 correct', 'finished'],
    ['not-captured', '1.1 failed internal error', 'active'],
  ] as const) {
    const captured = decision !== 'not-captured';
    test(`parked after three days, decided ${captured ? 'captured' : decision}`, async () => {
      world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 999_999 } });
      const id = await one('tok');
      await chargeAll(world);
      await pass(73 * 3_600, 3_600);
      const [parked, ...others] = await listParkedCharges(world.db.sql);
      assert.deepEqual(
        [parked?.id, reasonInWords(parked?.why), others],
        [await keyOf(id), 'The bank gave no result for three days.', []],
      );
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
      await pass(7_200, 3_600);
      const key = await keyOf(id);
      // What the operator found out.
      if (captured) {
        world.bank.setFaults({});
        await world.bank.charge({
          key,
          merchant: merchant.id,
          initiator: 'merchant',
          amount: { minor: 4_990n, currency: 'PLN' },
          instrument: {
            kind: 'recurring',
            value: world.vault.open(await sealed(id), `recurring ${id} instrument`),
            iteration: 1,
            attempt: 1,
            blik: null,
          },
          description: '',
          returnUrl: '',
          deadlineMilliseconds: 1_000,
        });
      }
      assert.equal(await decideParked(world, key, decision), true);
      assert.equal(await decideParked(world, key, decision), false);
      assert.deepEqual(await storyOf(service, merchant, id), [story]);
      assert.equal((await recurringOf(service, merchant, id)).status, status);
      await askRecurring(service, merchant, id, 'cancel');
    });
  }

  const sealed = (id: string) =>
    world.db.sql.one((row) => String(row.instrument_sealed))`select instrument_sealed from recurring where id = ${id}`;

  // Guarantee: a different amount is not accepted; the true one is looked up and booked.
  test('another amount', async () => {
    world.bank.setFaults({ wrongAmount: { probability: 1, seed: 1 } });
    const id = await one('tok');
    await chargeAll(world);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 pending']);
    await pass(3);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
  });

  // Guarantee: money captured after the charge was reported as failed is returned to the payer, once, however often it
  // is reported.
  test('a capture after failed', async () => {
    const id = await one('tok', { retryIntervals: [] });
    world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 60 } });
    await chargeAll(world);
    const key = await keyOf(id);
    await world.db.sql.run`
      update charge set parked_at = created_at, parked_why = 'no_result', next_check_at = null where id = ${key}`;
    assert.equal(await decideParked(world, key, 'not-captured'), true);
    assert.equal((await recurringOf(service, merchant, id)).status, 'failed');
    // The operator was wrong: it reaches the bank after all.
    world.bank.setFaults({});
    const amount = { minor: 4_990n, currency: 'PLN' } as const;
    await world.bank.charge({
      key,
      merchant: merchant.id,
      initiator: 'merchant',
      amount,
      instrument: {
        kind: 'recurring',
        value: world.vault.open(await sealed(id), `recurring ${id} instrument`),
        iteration: 1,
        attempt: 1,
        blik: null,
      },
      description: '',
      returnUrl: '',
      deadlineMilliseconds: 1_000,
    });
    const callback = { kind: 'charge', key, result: { kind: 'approved', amount } } as const;
    await Promise.all([handleCallback(world, callback), handleCallback(world, callback)]);
    await handleCallback(world, callback);
    await settleAll(world);
    assert.equal(world.bank.record().netMinor.get(key), 0n);
    assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed internal error']);
    assert.equal((await notificationsOf(service, id)).length, 1);
  });

  // Guarantee: callbacks that repeat a response change nothing.
  test('duplicate callbacks', async () => {
    world.bank.setFaults({ duplicateCallback: { probability: 1, seed: 1 } });
    const ids = await Promise.all(['tok', 'payer-rejected'].map((value) => one(value)));
    await settleAll(world);
    await settleAll(world);
    for (const id of ids) assert.equal((await notificationsOf(service, id)).length, 1);
  });

  suite('one bad row harms no other', () => {
    // Guarantee: an instrument that cannot be decrypted is parked; the others of its batch are charged.
    test('an instrument that cannot be opened', async () => {
      const [bad = '', ...good] = await Promise.all(Array.from({ length: 5 }, () => one('tok')));
      await world.db.sql.run`update recurring set instrument_sealed = 'gone.AAAA' where id = ${bad}`;
      await chargeAll(world);
      for (const id of good) assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
      const [parked] = await listParkedCharges(world.db.sql);
      assert.deepEqual(
        [parked?.id, reasonInWords(parked?.why)],
        [await keyOf(bad), 'The instrument cannot be decrypted: its vault key is missing.'],
      );
      await decideParked(world, parked?.id ?? '', 'not-captured');
      await askRecurring(service, merchant, bad, 'cancel');
    });

    // Guarantee: a node with the wrong keys parks what it cannot decrypt, and loses nothing.
    test('a node without the vault key', async () => {
      const id = await one('tok');
      const blind = { ...world, vault: openVault([{ id: 'other', key: new Uint8Array(32) }], world.random) };
      // Its other rooms would not even open.
      const banking = openBanking(blind);
      const { works } = openRecurring(blind, banking, { ...service.rooms.transactions, sendsMail: false });
      const named = ['charge_recurring', 'look_up_charges'];
      const charging = [...works, ...banking.works].filter(({ name }) => named.includes(name));
      assert.deepEqual(await Promise.all(charging.map((work) => work.run())), [1, 0]);
      assert.equal((await listParkedCharges(world.db.sql)).length, 1);
      assert.equal(captures(), 0);
      await decideParked(world, await keyOf(id), 'not-captured');
      await askRecurring(service, merchant, id, 'retry');
      await chargeAll(world);
      assert.deepEqual(await storyOf(service, merchant, id), ['1.1 failed internal error', '1.2 correct']);
    });

    // Guarantee: a result that cannot be written is parked; the others of its batch are settled.
    test('a result that cannot be written', async () => {
      const ids = await Promise.all(Array.from({ length: 7 }, () => one('tok')));
      const bad = ids[3] ?? '';
      await world.db.sql.run`
        create function refuse_one() returns trigger language plpgsql as $$
        begin raise exception 'this one cannot be written'; end $$`;
      // A trigger's condition cannot have parameters.
      await world.db.sql.run`
        create trigger refuse_one before update on recurring for each row
        when (new.live_transaction_id is null and new.last_state = 'correct' and new.callback_url like '%bad%')
        execute function refuse_one()`;
      await world.db.sql.run`update recurring set callback_url = 'http://bad' where id = ${bad}`;
      await chargeAll(world);
      for (const id of ids.filter((candidate) => candidate !== bad)) {
        assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
      }
      const [parked, ...others] = await listParkedCharges(world.db.sql);
      assert.deepEqual([parked?.id, others], [await keyOf(bad), []]);
      await world.db.sql.run`drop trigger refuse_one on recurring`;
      await decideParked(world, parked?.id ?? '', { capturedMinor: 4_990n });
      assert.deepEqual(await storyOf(service, merchant, bad), ['1.1 correct']);
    });

    // Guarantee: only a fault of the row itself parks it: not a held lock, a demoted server, a full disk, or a
    // statement that does not match the schema.
    for (const state of ['55P03', '40001', '25006', '57014', '53100', '42883']) {
      test(`a database that answers ${state} while results are written`, async () => {
        const overrides = { hiddenDescription: state, schedule: { chargeCount: 1 } };
        const ids = await Promise.all(Array.from({ length: 3 }, () => aRecurring(service, merchant, overrides)));
        await world.db.sql.run`
          create function refuse_all() returns trigger language plpgsql as $$
          begin raise exception 'not now' using errcode = new.hidden_description; end $$`;
        await world.db.sql.run`
          create trigger refuse_all before update on recurring for each row
          when (new.last_state = 'correct') execute function refuse_all()`;
        await assert.rejects(chargeDue(world));
        await world.db.sql.run`drop trigger refuse_all on recurring`;
        assert.deepEqual(await listParkedCharges(world.db.sql), []);
        await pass(15);
        for (const id of ids) assert.deepEqual(await storyOf(service, merchant, id), ['1.1 correct']);
        assert.equal(captures(), 3);
      });
    }
  });
});
