// A node dies at every edge of what payments and recurring charges have in common: looking them up, a callback, an
// operator's decision, giving back a late capture. Others continue. The edges are counted, not listed: the node dies at
// the first, the second and so on, until it survives.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readBoolean, readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aTransaction, checkInvariants, payBlik, settleAll } from '../support/payments.ts';
import { aRecurring } from '../support/recurring.ts';
import { chargeDue, decideParked, handleCallback, lookUpCharges } from '../support/rooms.ts';
import { aMerchant, aNode, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

const edgesAtMost = 60;
const approved = (minor: bigint) => ({ kind: 'approved', amount: money(minor, 'PLN') }) as const;

/** A charge of each purpose, with its amount. */
const purposes = [
  ['payment', 1_001n],
  ['recurring', 4_990n],
] as const;

suite('a node dies at every edge', () => {
  let service: Service;
  let other: TestWorld;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    other = await aNode(service.world);
    merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  });
  after(() => checkInvariants(service.world));

  const sql = () => service.world.db.sql;
  /** Charges of both purposes whose response is lost; by purpose. */
  async function lostCharges(code = '777123', value = 'tok'): Promise<Map<string, string>> {
    const { world } = service;
    world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id, code);
    const schedule = { firstChargeDate: world.clock.now().toString(), chargeCount: 1, retryIntervals: [] };
    const recurringId = await aRecurring(service, merchant, { schedule, paymentInstrument: { value } });
    await chargeDue(world);
    world.bank.setFaults({});
    const rows = await sql().many((row) => [readText(row, 'purpose'), readText(row, 'id')] as const)`
      select purpose, id from charge where transaction_id = ${id} or recurring_id = ${recurringId}`;
    assert.equal(rows.length, 2);
    return new Map(rows);
  }
  const statesOf = (ids: Iterable<string>) => sql().many(
    (row) => `${readText(row, 'purpose')} ${readText(row, 'state')}`,
  )`
    select purpose, state from charge where id = any(${[...ids]}::text[]) order by purpose`;
  const isOpen = (ids: readonly string[]) => sql().one((row) => readBoolean(row, 'open'))`
    select exists (select from charge where id = any(${ids}::text[]) and settled_at is null) as open`;
  /** The other node continues until both are decided, at most for 20 s. */
  async function resume(ids: readonly string[], edge: string): Promise<void> {
    for (let seconds = 0; await isOpen(ids); seconds += 1) {
      assert.ok(seconds <= 20, `not within 20 s after: ${edge}`);
      service.world.clock.advance({ seconds: 1 });
      await lookUpCharges(other);
    }
    await settleAll(other);
  }
  const captures = () => service.world.bank.record().captures.length;

  // Guarantee: a lookup that dies leaves both kinds of charges to the next one; each is captured and booked once.
  for (const [code, value, end, captured] of [
    ['777123', 'tok', 'correct', 2],
    ['222123', 'payer-rejected', 'failed', 0],
  ] as const) {
    test(`of looking up charges of both purposes that turn out ${end}`, async () => {
      for (let dieAt = 1; ; dieAt += 1) {
        assert.ok(dieAt <= edgesAtMost, 'too many edges');
        const before = captures();
        const lost = await lostCharges(code, value);
        service.world.clock.advance({ seconds: 16 });
        const edge = await aMortalNode(service.world, dieAt).live(lookUpCharges);
        const when = edge ?? 'it lived';
        await resume([...lost.values()], when);
        assert.deepEqual(await statesOf(lost.values()), [`payment ${end}`, `recurring ${end}`], when);
        assert.equal(captures() - before, captured, when);
        if (edge === undefined) break;
      }
    });
  }

  for (const [purpose, minor] of purposes) {
    // Guarantee: the acquirer repeats a callback that was not acknowledged; the charge is booked once.
    test(`of a callback about a charge for a ${purpose}`, async () => {
      for (let dieAt = 1; ; dieAt += 1) {
        assert.ok(dieAt <= edgesAtMost, 'too many edges');
        const lost = await lostCharges();
        const callback = { kind: 'charge', key: lost.get(purpose) ?? '', result: approved(minor) } as const;
        const edge = await aMortalNode(service.world, dieAt).live((node) => handleCallback(node, callback));
        const when = edge ?? 'it lived';
        await handleCallback(other, callback);
        assert.ok((await statesOf(lost.values())).includes(`${purpose} correct`), when);
        await resume([...lost.values()], when);
        if (edge === undefined) break;
      }
    });

    // Guarantee: an operator who decides again after a crash decides once.
    test(`of deciding about a parked charge for a ${purpose}`, async () => {
      for (let dieAt = 1; ; dieAt += 1) {
        assert.ok(dieAt <= edgesAtMost, 'too many edges');
        const lost = await lostCharges();
        const key = lost.get(purpose) ?? '';
        await sql().run`
          update charge set parked_at = created_at, parked_why = 'no_result', next_check_at = null where id = ${key}`;
        const decide = (node: TestWorld) => decideParked(node, key, { capturedMinor: minor });
        const edge = await aMortalNode(service.world, dieAt).live(decide);
        const when = edge ?? 'it lived';
        await decide(other);
        assert.ok((await statesOf(lost.values())).includes(`${purpose} correct`), when);
        await resume([...lost.values()], when);
        if (edge === undefined) break;
      }
    });

    // Guarantee: what was captured after the charge had failed goes back once, whichever node dies on the way.
    test(`of giving back a late capture of a charge for a ${purpose}`, async () => {
      for (let dieAt = 1; ; dieAt += 1) {
        assert.ok(dieAt <= edgesAtMost, 'too many edges');
        const lost = await lostCharges();
        const key = lost.get(purpose) ?? '';
        await handleCallback(other, { kind: 'charge', key, result: { kind: 'declined', reason: 'timed out' } });
        const late = { kind: 'charge', key, result: approved(minor) } as const;
        const edge = await aMortalNode(service.world, dieAt).live((node) => handleCallback(node, late));
        const when = edge ?? 'it lived';
        await handleCallback(other, late);
        assert.ok((await statesOf(lost.values())).includes(`${purpose} failed`), when);
        await resume([...lost.values()], when);
        assert.equal(service.world.bank.record().netMinor.get(key), 0n, when);
        if (edge === undefined) break;
      }
    });
  }
});
