// Rows of charges and outgoing refunds that say something else than what was asked: refused, named by verify, or parked.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { aPaidTransaction, aTransaction, payBlik } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { chargeDue, handleCallback, listParked, lookUpPayments, moveRefunds } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

suite('astray', () => {
  let service: Service;
  let merchant: TestMerchant;
  let client: pg.Client;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    client = new pg.Client({ connectionString: service.world.databaseUrl });
    await client.connect();
  });
  after(() => client.end());

  /** As somebody who can write to the database and switches the triggers off. */
  async function damage(text: string, id: string): Promise<void> {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    const { rowCount } = await client.query(text, [id]);
    await client.query('commit');
    assert.equal(rowCount, 1, text);
  }

  async function codesOf(id: string): Promise<string[]> {
    const all = whole(service.world);
    const found = [...(await service.rooms.banking.verify(all)), ...(await service.rooms.refunds.verify(all))];
    return found.filter(({ parameters }) => 'id' in parameters && parameters.id === id).map(({ code }) => code);
  }

  async function keyOf(transactionId: string): Promise<string> {
    return service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${transactionId}`;
  }

  /** A payment whose result is unknown; the bank has captured it. */
  async function anUnknown(): Promise<{ id: string; key: string }> {
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id);
    service.world.bank.setFaults({});
    return { id, key: await keyOf(id) };
  }

  /** A capture of a canceled transaction, which goes back. */
  async function aSurplus(): Promise<{ key: string; outgoingId: string }> {
    const { id, key } = await anUnknown();
    await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    const result = { kind: 'approved', amount: money(1_001n, 'PLN') } as const;
    await handleCallback(service.world, { kind: 'charge', key, result });
    const outgoingId = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from outgoing_refund where subject_id = ${key}`;
    return { key, outgoingId };
  }

  // Guarantee: what is settled is what was asked.
  for (const change of ['amount_minor = amount_minor + 1', "acquirer = 'other'", "purpose = 'payment'"]) {
    test(`a charge does not change: ${change}`, async () => {
      const recurringId = await aRecurring(service, merchant, { paymentInstrument: { value: 'lost-answer' } });
      await chargeDue(service.world);
      await assert.rejects(
        client.query(`update charge set ${change} where recurring_id = $1`, [recurringId]),
        /changed/,
      );
    });
  }

  // Guarantee: a green verify means that what will be sent is what was asked for.
  for (const change of ['amount_minor = 600', "charge_key = 'another'", "acquirer = 'another'"]) {
    test(`an outgoing refund with ${change} is named before it is sent`, async () => {
      const id = await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 });
      await damage(`update outgoing_refund set ${change} where id = $1`, id);
      assert.deepEqual(await codesOf(id), ['refund_sent_otherwise']);
    });
  }

  test('a charge of another amount than its transaction, and one that nobody would look up, are named', async () => {
    const [other, lost] = [await anUnknown(), await anUnknown()];
    await damage('update charge set amount_minor = amount_minor + 1 where id = $1', other.key);
    await damage('update charge set next_check_at = null where id = $1', lost.key);
    assert.deepEqual(await codesOf(other.key), ['charge_differs']);
    assert.deepEqual(await codesOf(lost.key), ['charge_unscheduled']);
  });

  test('a surplus without its charge, and one that does not go back, are named', async () => {
    const [alone, kept] = [await aSurplus(), await aSurplus()];
    assert.deepEqual(await codesOf(alone.outgoingId), []);
    await damage('delete from charge where id = $1', alone.key);
    assert.deepEqual(await codesOf(alone.outgoingId), ['surplus_charge_differs']);
    await damage('delete from outgoing_refund where id = $1', kept.outgoingId);
    assert.deepEqual(await codesOf(kept.key), ['surplus_not_returned']);
  });

  // Guarantee: an outgoing refund whose result cannot be written waits for an operator instead of failing for ever.
  test('a result that cannot be written is parked, and the others are settled', async () => {
    const bad = await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 });
    const fine = await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 });
    await damage(`update refund set amount_minor = 600 where id = $1`, bad);
    service.world.clock.advance({ minutes: 10 });
    await moveRefunds(service.world);
    service.world.clock.advance({ minutes: 10 });
    await moveRefunds(service.world);
    const parked = (await listParked(service.world)).map(({ id }) => id);
    assert.ok(parked.includes(bad));
    assert.ok(!parked.includes(fine));
    assert.equal(service.world.bank.record().refunds.filter(({ key }) => key === fine).length, 1);
  });

  // Guarantee: a payer does not wait behind recurring charges without a result.
  test('payments are looked up apart from recurring charges', async () => {
    await aRecurring(service, merchant, { paymentInstrument: { value: 'lost-answer' } });
    await chargeDue(service.world);
    const { id } = await anUnknown();
    service.world.clock.advance({ minutes: 1 });
    await lookUpPayments(service.world);
    const states = await service.world.db.sql.many((row) => `${readText(row, 'purpose')} ${readText(row, 'state')}`)`
      select distinct purpose, state from charge
       where transaction_id = ${id} or (purpose = 'recurring' and settled_at is null) order by 1, 2`;
    assert.ok(states.includes('payment correct'));
    assert.ok(states.some((state) => state === 'recurring unknown' || state === 'recurring sent'));
  });
});
