// Whoever writes to the database past the schema changes what goes back, before it is sent or after a try without an answer.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { damage, removeCharge } from '../support/damage.ts';
import { reasonInWords } from '../support/findings.ts';
import { aPaidTransaction, aTransaction, payBlik, payCard } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { handleCallback, moveRefunds } from '../support/rooms.ts';
import { aMerchant, aWorld, type Service, serve, type TestMerchant } from '../support/service.ts';
import { StatementBank } from '../support/statement-bank.ts';

suite('what goes back was changed by SQL', () => {
  let service: Service;
  let bank: StatementBank;
  let merchant: TestMerchant;
  beforeEach(async () => {
    const world = await aWorld();
    bank = new StatementBank(() => world.clock.now());
    service = await serve({ ...world, acquirers: acquirersOf(world, bank) });
    merchant = await aMerchant(service);
    await fund(service, merchant, 100_000n);
  });

  async function moveAll(): Promise<void> {
    service.world.clock.advance({ minutes: 10 });
    for (let moved = 1; moved > 0; ) moved = await moveRefunds(service.world);
  }
  /** What the bank paid, and what became of the row. */
  async function becameOf(id: string): Promise<{ paid: bigint | undefined; state: string; why: string | undefined }> {
    const row = await service.world.db.sql.one((one) => ({
      state: readText(one, 'state'),
      why: one.parked_why === null ? undefined : readText(one, 'parked_why'),
    }))`
      select state, parked_why from outgoing_refund where id = ${id}`;
    return { paid: bank.minorOf('refund', id), ...row };
  }
  const change = (id: string) =>
    damage(service.world, `update outgoing_refund set amount_minor = amount_minor * 10 where id = '${id}'`);
  const stopped = { paid: undefined, state: 'sent', why: 'return_changed' };

  async function aCardRefund(): Promise<string> {
    const id = await aTransaction(service, merchant);
    await payCard(service, merchant, id);
    return aRefund(service, merchant, id, { amount: 5 });
  }
  /** Captured, and no transaction takes it. */
  async function aSurplus(): Promise<string> {
    const id = await aTransaction(service, merchant);
    bank.answers = 'unknown';
    await payBlik(service, merchant, id);
    await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    const key = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${id}`;
    const result = { kind: 'approved', amount: money(1_001n, 'PLN') } as const;
    await handleCallback(service.world, { kind: 'charge', key, result });
    return service.world.db.sql.one((row) =>
      readText(row, 'id'),
    )`select id from outgoing_refund where subject_id = ${key}`;
  }
  /** A capture that nobody asked for, which an operator gives back. */
  async function aReturn(key = 'stray'): Promise<string> {
    service.world.clock.advance({ seconds: 1 });
    await service.rooms.reconciliation.reconcile({});
    const item = (await service.rooms.reconciliation.parked.list()).at(-1);
    const capturedMinor = item?.amountMinor ?? 0n;
    assert.equal(await service.rooms.reconciliation.parked.decide(item?.id ?? '', { capturedMinor }), true);
    return service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from outgoing_refund where charge_key = ${key} and purpose = 'unallocated'`;
  }

  const kinds = {
    'a refund': aCardRefund,
    'a refund of BLIK': async () =>
      aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 }),
    'a capture that no transaction takes': aSurplus,
  };
  for (const [name, begin] of Object.entries(kinds)) {
    // Guarantee: no more is given back than the books owe the payer, and whatever else is due is sent.
    test(`${name}, before it is sent`, async () => {
      const other = await aCardRefund();
      const id = await begin();
      bank.answers = 'approved';
      await change(id);
      await moveAll();
      assert.deepEqual(await becameOf(id), stopped);
      assert.deepEqual(await becameOf(other), { paid: 500n, state: 'done', why: undefined });
    });

    // Guarantee: the same of what is sent again, because the bank did not know it.
    test(`${name}, after a try without an answer`, async () => {
      const id = await begin();
      bank.answers = 'unknown';
      await moveAll();
      assert.equal((await becameOf(id)).state, 'sent');
      bank.answers = 'approved';
      await change(id);
      await moveAll();
      assert.deepEqual(await becameOf(id), stopped);
    });
  }

  /** What an operator is told about the capture. */
  const told = async () => (await service.rooms.reconciliation.parked.list()).map(({ why }) => reasonInWords(why));
  const notDecided = 'What was to be sent is not what was decided: run grosz verify.';

  // Guarantee: what belongs to nobody is given back with the amount that was decided.
  for (const tries of [0, 1]) {
    test(`a capture that belongs to nobody, after ${tries} tries`, async () => {
      bank.say('capture', 'stray', 1_001n);
      const id = await aReturn();
      bank.answers = 'unknown';
      if (tries > 0) await moveAll();
      await change(id);
      bank.answers = 'approved';
      await moveAll();
      assert.deepEqual(await becameOf(id), { paid: undefined, state: 'held', why: undefined });
      assert.deepEqual(await told(), [notDecided]);
    });

    // Guarantee: a capture that a payment took meanwhile is not given back.
    test(`a capture that a payment took after ${tries} tries`, async () => {
      const paid = await aPaidTransaction(service, merchant);
      const key = await service.world.db.sql.one((row) => readText(row, 'id'))`
        select id from charge where transaction_id = ${paid}`;
      const putBack = await removeCharge(service.world, key);
      const id = await aReturn(key);
      bank.answers = 'unknown';
      if (tries > 0) await moveAll();
      await putBack();
      bank.answers = 'approved';
      await moveAll();
      assert.deepEqual(await becameOf(id), { paid: undefined, state: 'held', why: undefined });
      assert.deepEqual(await told(), ['A payment has taken it meanwhile.']);
    });
  }
});
