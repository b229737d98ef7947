// Every way in which the bank misbehaves, and all of them together: in the end the bank's record, the ledger and the
// merchant's notifications agree.

import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import type { ChargeRequest } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { SandboxClock } from '../../src/sandbox/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { type FaultName, faultNames } from '../../src/simulators/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { reasonInWords, refusedWith } from '../support/findings.ts';
import { Gate, gated } from '../support/gate.ts';
import { aTransaction, checkInvariants, passTime, payBlik, settleAll, show } from '../support/payments.ts';
import { aReceiver, type Receiver } from '../support/receiver.ts';
import { decideParked, handleCallback, listParked } from '../support/rooms.ts';
import { checkNotifications, playPayments, untilResolved } from '../support/scenario.ts';
import { Seeded } from '../support/seeded.ts';
import {
  aMerchant,
  aNode,
  aService,
  atEnd,
  type Service,
  serve,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';

// More of each in `npm run prove -- captures`.
const seeds = [1];
const transactionsEach = 12;

let service: Service;
let other: TestWorld;
let merchant: TestMerchant;
let receiver: Receiver;

async function open(): Promise<void> {
  service = await aService({ random: new Seeded('faults') });
  const { world } = service;
  other = await aNode(world);
  receiver = await aReceiver();
  merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  atEnd(() => checkInvariants(world));
}

before(open);
afterEach(() => service.world.bank.setFaults({}));

async function play(faults: Faults, seed: string): Promise<void> {
  const stage = { service, other, merchant, receiver, draw: new Seeded(seed) };
  service.world.bank.setFaults(faults);
  const ids = await playPayments(stage, transactionsEach);
  await untilResolved(stage);
  await checkNotifications(stage, ids);
}

/** In a world that ends with it: nobody reads the statement here, so verify would name its disputes after three days. */
async function playAlone(faults: Faults, seed: string): Promise<void> {
  await open();
  await play(faults, seed);
  await open();
}

suite('the bank misbehaves', () => {
  for (const name of faultNames) {
    const playIt = name === 'disputedCharge' ? playAlone : play;
    for (const seed of seeds) {
      // Guarantee: whatever the bank does, no payer pays twice or for nothing, and no merchant is told otherwise.
      test(`${name}, seed ${seed}`, () => playIt({ [name]: { probability: 0.5, seed } }, `${name} ${seed}`));
    }
    test(`${name}, for every key`, () => playIt({ [name]: { probability: 1, seed: 0 } }, `${name} always`));
  }

  for (const seed of seeds) {
    test(`in every way together, seed ${seed}`, () => {
      const faults = faultNames.map((name): [FaultName, Faults[FaultName]] => [name, { probability: 0.2, seed }]);
      return playAlone(Object.fromEntries(faults), `all ${seed}`);
    });
  }
});

suite('what nobody can decide', () => {
  // Of this transaction only: items parked by the scenarios above stay parked.
  const parkedOf = async (id: string) => {
    const own = await service.world.db.sql.many((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${id}
      union all select outgoing.id from outgoing_refund as outgoing join charge as attempt on attempt.id = subject_id
       where attempt.transaction_id = ${id}`;
    return (await listParked(service.world)).filter((parked) => own.includes(parked.id));
  };
  const away = { kind: 'notReached' } as const;
  const bankAway = (world: TestWorld): TestWorld => ({
    ...world,
    acquirers: acquirersOf(world, { ...gated(world.bank, {}), findCharge: async () => away, cancel: async () => away }),
  });
  const stateOf = (id: string) => service.world.db.sql.one((row) => readText(row, 'state'))`
    select state from charge where transaction_id = ${id}`;

  async function aLostPayment(): Promise<string> {
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 0 } });
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id);
    service.world.bank.setFaults({});
    return id;
  }

  for (const canceled of [false, true]) {
    // Guarantee: nothing stays open forever. After three days an operator sees it, and it can still be decided.
    test(`a bank that is away for three days${canceled ? ', the transaction canceled meanwhile' : ''}: parked, then decided`, async () => {
      const id = await aLostPayment();
      if (canceled) await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
      await passTime(bankAway(service.world), { hours: 80 }, 40);
      assert.equal(await stateOf(id), 'unknown');
      const [parked] = await parkedOf(id);
      assert.equal(reasonInWords(parked?.why), 'The bank gave no result for three days.');
      await checkInvariants(service.world);
      // Guarantee: only the requested amount is ever booked, whatever the bank has; the operator has to check.
      const one = { capturedMinor: 100n };
      await assert.rejects(
        () => decideParked(service.world, parked?.id ?? '', one),
        refusedWith(/was requested, not 1\.00\./),
      );
      assert.equal((await parkedOf(id)).length, 1);
      const whole = { capturedMinor: parked?.amountMinor ?? 0n };
      assert.equal(await decideParked(service.world, parked?.id ?? '', whole), true);
      await settleAll(service.world);
      assert.equal((await show(service, merchant, id)).body.status, canceled ? 'canceled' : 'paid');
      assert.deepEqual(await parkedOf(id), []);
    });
  }

  // Guarantee: a refund to a payer that the bank declines is not lost: an operator sees it until it is decided.
  test('a bank that refuses to give the money back: parked, tried again, then done', async () => {
    service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 0 } });
    const id = await aTransaction(service, merchant);
    const after = new Gate();
    const held = await serve({
      ...service.world,
      acquirers: acquirersOf(service.world, gated(service.world.bank, { after })),
    });
    const paying = [payBlik(held, merchant, id), payBlik(held, merchant, id)];
    await after.arrived(2);
    after.open();
    await Promise.all(paying);
    await settleAll(service.world);
    const parked = await parkedOf(id);
    assert.deepEqual(
      parked.map(({ kind, why }) => [kind, reasonInWords(why)]),
      [['surplus', 'The bank refused to give it back.']],
    );
    await checkInvariants(service.world);
    assert.equal(await decideParked(service.world, 'unknown', { capturedMinor: 100n }), false);
    await decideParked(service.world, parked[0]?.id ?? '', 'not-captured');
    await settleAll(service.world);
    assert.equal((await parkedOf(id)).length, 1, 'the bank says the same of the same key');
  });
});

suite('money that comes after the end', () => {
  // Guarantee: captured money is never lost, even if the bank first promised never to capture it and then reports a
  // different amount.
  test('success after a cancel, with a wrong amount', async () => {
    service.world.bank.setFaults({
      successAfterCancel: { probability: 1, seed: 0 },
      wrongAmount: { probability: 1, seed: 0 },
    });
    const id = await aTransaction(service, merchant);
    await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: { channelId: 21 } });
    await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    await passTime(service.world, { minutes: 1 });
    const [attempt] = (await show(service, merchant, id)).body.payments.attempts;
    assert.equal(attempt.status, 'refunded');
    const record = service.world.bank.record();
    assert.equal(record.netMinor.get(attempt.attemptId), 0n);
  });

  // Guarantee: the same holds if the late result is not a callback but the response to the request itself.
  test('a response after the end, with a wrong amount', async () => {
    const id = await aTransaction(service, merchant);
    const after = new Gate();
    const other = { minor: 100n, currency: 'PLN' } as const;
    const bank = gated(service.world.bank, { after });
    const late = async (request: ChargeRequest) => {
      const answer = await bank.charge(request);
      return answer.kind === 'approved' ? { ...answer, amount: other } : answer;
    };
    const held = await serve({ ...service.world, acquirers: acquirersOf(service.world, { ...bank, charge: late }) });
    const paying = payBlik(held, merchant, id);
    await after.reachedBy(paying);
    const [attempt] = (await show(service, merchant, id)).body.payments.attempts;
    const key: string = attempt.attemptId;
    await handleCallback(service.world, { kind: 'charge', key, result: { kind: 'declined', reason: 'timed out' } });
    after.open();
    await paying;
    await settleAll(service.world);
    assert.equal(service.world.bank.record().netMinor.get(key), 0n);
    assert.equal((await show(service, merchant, id)).body.payments.status, 'declined');
    await checkInvariants(service.world);
  });
});

suite("a jump of the sandbox's clock", () => {
  // Guarantee: it responds when everything that became due on the way is done, including the second and third lookup of
  // a payment.
  for (const fault of ['lostAnswer', 'lostRequest', 'unreachable'] as const) {
    test(`over payments of which nothing is known (${fault})`, async () => {
      const jumping = await aService({ clockOver: (wall) => new SandboxClock(wall) });
      const shop = await aMerchant(jumping, {}, 'operator');
      jumping.world.bank.setFaults({ [fault]: { probability: 1, seed: 0 } });
      const ids = await Promise.all(Array.from({ length: 5 }, () => aTransaction(jumping, shop)));
      await Promise.all(ids.map((id) => payBlik(jumping, shop, id)));
      const moved = await jumping.ask('POST', '/sandbox/clock', { token: shop.token, body: { advance: 'PT30M' } });
      assert.equal(moved.status, 200, moved.text);
      const statuses = await Promise.all(
        ids.map(async (id) => (await show(jumping, shop, id)).body.payments.attempts[0]?.status),
      );
      assert.deepEqual(new Set(statuses), new Set([fault === 'lostAnswer' ? 'correct' : 'declined']));
      await checkInvariants(jumping.world);
    });
  }
});
