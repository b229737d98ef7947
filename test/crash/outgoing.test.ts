// The process is killed at every edge of money that goes back, whatever for, and another one continues: between the
// decision, the claim, the bank and the settlement. The edges are counted, not listed: it dies at the first, the second
// and so on, until it survives.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { verifyOutgoing } from '../../src/banking/index.ts';
import { readText, readTextOrNull } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { ledgerAccounts } from '../../src/ledger/index.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aPaidTransaction, aTransaction, checkInvariants, passTime, payBlik } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { handleCallback, moveRefunds } from '../support/rooms.ts';
import { aMerchant, aService, roomsOf, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';
import { blik } from '../support/simulated-bank.ts';
import { listTotals, verifyLedger, whole } from '../support/verify.ts';

const edgesAtMost = 30;
const amountMinor = 2_000n;

let service: Service;
let merchant: TestMerchant;

/** What goes back of a charge. */
interface Going {
  readonly chargeKey: string;
  /** What leads to it, if it is not there yet; a repeat changes nothing. */
  readonly decide?: (world: TestWorld) => Promise<unknown>;
}

/** The state of the last outgoing refund of a charge; an operator's list shows those that are parked. */
async function stateOf(chargeKey: string): Promise<string> {
  const [row] = await service.world.db.sql.many(
    (one) => `${readText(one, 'state')}${readTextOrNull(one, 'parked_why') === null ? '' : ', parked'}`,
  )`select state, parked_why from outgoing_refund where charge_key = ${chargeKey} order by id desc limit 1`;
  return row ?? 'nothing';
}

async function totalOf(account: string): Promise<bigint> {
  return (await listTotals(service.world.db.sql)).find((one) => one.account === account)?.minor ?? 0n;
}

function lastCapture(): string {
  const key = service.world.bank.record().captures.at(-1)?.key;
  assert.ok(key);
  return key;
}

async function aGoingRefund(): Promise<Going> {
  const id = await aPaidTransaction(service, merchant, { amount: 20 });
  const chargeKey = lastCapture();
  await aRefund(service, merchant, id);
  service.world.clock.advance({ seconds: 5 });
  return { chargeKey };
}

/** Captured, but the transaction was canceled meanwhile. */
async function aSurplus(): Promise<Going> {
  const { bank } = service.world;
  bank.setFaults({ lostAnswer: { probability: 1, seed: 0 } });
  const id = await aTransaction(service, merchant, { amount: 20 });
  await payBlik(service, merchant, id);
  bank.setFaults({});
  const canceled = await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
  assert.equal(canceled.status, 200, canceled.text);
  const chargeKey = lastCapture();
  const result = { kind: 'approved', amount: money(amountMinor, 'PLN') } as const;
  return { chargeKey, decide: (world) => handleCallback(world, { kind: 'charge', key: chargeKey, result }) };
}

/** Captured, and nobody knows what for; an operator has it returned. */
async function anUnallocatedCapture(): Promise<Going> {
  const { world } = service;
  const chargeKey = world.ids.ulid();
  const answer = await world.bank.charge({
    key: chargeKey,
    merchant: merchant.id,
    initiator: 'payer',
    amount: money(amountMinor, 'PLN'),
    instrument: blik('777123'),
    description: 'unknown',
    returnUrl: 'https://shop.example',
    deadlineMilliseconds: 1_000,
  });
  assert.equal(answer.kind, 'approved');
  world.clock.advance({ seconds: 1 });
  await service.rooms.reconciliation.reconcile({});
  const decide = async (deciding: TestWorld) => {
    const item = await itemOf(chargeKey);
    // The first decision counts; one that was lost is repeated.
    if (item.state !== 'parked' || (await stateOf(chargeKey)) !== 'nothing') return;
    await (await roomsOf(deciding)).reconciliation.parked.decide(item.id, { capturedMinor: amountMinor });
  };
  return { chargeKey, decide };
}

function itemOf(chargeKey: string): Promise<{ id: string; state: string }> {
  return service.world.db.sql.one((row) => ({ id: readText(row, 'id'), state: readText(row, 'state') }))`
    select id, state from reconciliation_item where key = ${chargeKey}`;
}

const uses = {
  'a refund': { make: aGoingRefund, refused: 'refused' },
  'a surplus': { make: aSurplus, refused: 'sent, parked' },
  'an unallocated capture': { make: anUnallocatedCapture, refused: 'refused' },
} as const;

for (const [name, { make, refused }] of Object.entries(uses)) {
  suite(`${name}, killed at every edge`, () => {
    before(async () => {
      service = await aService();
      merchant = await aMerchant(service);
      await fund(service, merchant, 100_000n);
    });

    for (const refuses of [false, true]) {
      // Guarantee: the payer gets it once, or nobody says that the payer has it, whenever the process dies.
      test(`by a bank that ${refuses ? 'refuses' : 'pays'}`, async () => {
        const { world } = service;
        const receivable = ledgerAccounts.receivable(world.bank.name);
        const died: string[] = [];
        for (let dieAt = 1; ; dieAt += 1) {
          assert.ok(dieAt <= edgesAtMost, 'too many edges');
          const { chargeKey, decide } = await make();
          if (refuses) world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
          const node = aMortalNode(world, dieAt);
          await node.prepare(roomsOf);
          const edge = await node.live(async (dying) => {
            await decide?.(dying);
            await moveRefunds(dying);
          });
          await decide?.(world);
          await passTime(world, { minutes: 2 }, 2);
          world.bank.setFaults({});
          const given = world.bank.record().refunds.filter((one) => one.chargeKey === chargeKey);
          assert.equal(given.length, refuses ? 0 : 1, edge ?? 'lived');
          assert.equal(await stateOf(chargeKey), refuses ? refused : 'done', edge ?? 'lived');
          assert.equal(await totalOf(receivable), heldAtBank(), edge ?? 'lived');
          if (edge === undefined) break;
          died.push(edge);
        }
        assert.ok(died.includes('before a refund') && died.includes('after a refund'), died.join());
        assert.ok(died.filter((edge) => edge === 'before a commit').length >= 2, died.join());
        assert.deepEqual([...(await verifyOutgoing(whole(world))), ...(await verifyLedger(world, whole(world)))], []);
        if (name !== 'an unallocated capture') await checkInvariants(world);
      });
    }
  });
}

/** What the bank has captured and not given back. */
function heldAtBank(): bigint {
  return [...service.world.bank.record().netMinor.values()].reduce((sum, minor) => sum + minor, 0n);
}
