// Captures that belong to nobody and go back to their payers, with a bank that does not answer.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { verifyOutgoing } from '../../src/banking/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { reasonInWords } from '../support/findings.ts';
import { passTime } from '../support/payments.ts';
import { handleCallback, tickAll } from '../support/rooms.ts';
import { aService, type Service } from '../support/service.ts';
import { blik } from '../support/simulated-bank.ts';
import { listTotals, verifyLedger, whole } from '../support/verify.ts';

const amountMinor = 1_001n;
const unreachable = { unreachable: { probability: 1, seed: 1, seconds: 1e9 } };

let service: Service;
let key: string;

/** An operator decided to return a capture, and the bank gave no result for three days. */
beforeEach(async () => {
  service = await aService();
  const { world } = service;
  key = world.ids.ulid();
  await world.bank.charge({
    key,
    merchant: 'stray',
    initiator: 'payer',
    amount: money(amountMinor, 'PLN'),
    instrument: blik('777123'),
    description: 'stray',
    returnUrl: 'https://shop.example',
    deadlineMilliseconds: 1_000,
  });
  world.clock.advance({ seconds: 1 });
  await service.rooms.reconciliation.reconcile({});
  world.bank.setFaults(unreachable);
  await decide({ capturedMinor: amountMinor });
  await passTime(world, { hours: 80 }, 40);
  world.bank.setFaults({});
  assert.deepEqual(await parked(), [['capture', 'The bank gave no result for three days.']]);
  assert.deepEqual((await outgoing()).states, ['held']);
});

async function parked() {
  return (await service.rooms.reconciliation.parked.list()).map(({ kind, why }) => [kind, reasonInWords(why)]);
}

async function decide(decision: 'not-captured' | { capturedMinor: bigint }): Promise<void> {
  const [item] = await service.rooms.reconciliation.parked.list();
  assert.equal(await service.rooms.reconciliation.parked.decide(item?.id ?? '', decision), true);
}

async function outgoing(): Promise<{ ids: string[]; states: string[] }> {
  const rows = await service.world.db.sql.many((row) => ({ id: readText(row, 'id'), state: readText(row, 'state') }))`
    select id, state from outgoing_refund where charge_key = ${key} order by id`;
  return { ids: rows.map(({ id }) => id), states: rows.map(({ state }) => state) };
}

async function checkBooks(heldMinor: bigint): Promise<void> {
  const { world } = service;
  const totals = new Map((await listTotals(world.db.sql)).map(({ account, minor }) => [account, minor]));
  assert.equal(totals.get('acquirer:simulator:receivable') ?? 0n, heldMinor);
  assert.equal(totals.get('payer:unallocated') ?? 0n, -heldMinor);
  assert.deepEqual([...(await verifyOutgoing(whole(world))), ...(await verifyLedger(world, whole(world)))], []);
}

suite('a return without a result', () => {
  // Guarantee: what may have been paid is never sent under a second key.
  test('goes on under its key when the operator decides so', async () => {
    const { ids } = await outgoing();
    await decide({ capturedMinor: amountMinor });
    await tickAll(service.world);
    assert.deepEqual(await outgoing(), { ids, states: ['done'] });
    assert.equal(service.world.bank.record().netMinor.get(key), 0n);
    assert.deepEqual(await parked(), []);
    await checkBooks(0n);
  });

  // Guarantee: a late result counts, although an operator is to decide.
  test('is done when the bank says so', async () => {
    const { ids } = await outgoing();
    const { world } = service;
    const amount = money(amountMinor, 'PLN');
    await world.bank.refund({ key: ids[0] ?? '', chargeKey: key, amount, deadlineMilliseconds: 1_000 });
    const callback = { kind: 'refund', key: ids[0] ?? '', result: { kind: 'approved' } } as const;
    await handleCallback(world, callback);
    await handleCallback(world, callback);
    assert.deepEqual(await outgoing(), { ids, states: ['done'] });
    assert.deepEqual(await parked(), []);
    await checkBooks(0n);
  });

  // Guarantee: what the operator gave up is not sent; what the bank paid nevertheless is found and named.
  test('is canceled when the bank has reversed the capture', async () => {
    const { ids } = await outgoing();
    await decide('not-captured');
    await tickAll(service.world);
    assert.deepEqual(await outgoing(), { ids, states: ['canceled'] });
    await checkBooks(0n);
    const { world } = service;
    const amount = money(amountMinor, 'PLN');
    await world.bank.refund({ key: ids[0] ?? '', chargeKey: key, amount, deadlineMilliseconds: 1_000 });
    await handleCallback(world, { kind: 'refund', key: ids[0] ?? '', result: { kind: 'approved' } });
    assert.deepEqual(await outgoing(), { ids, states: ['canceled'] });
    world.clock.advance({ seconds: 1 });
    await service.rooms.reconciliation.reconcile({});
    const refunds = (await parked()).filter(([kind]) => kind === 'refund');
    assert.deepEqual(refunds, [['refund', 'The bank paid 10.01 to a payer; no refund of ours asked for it.']]);
  });
});
