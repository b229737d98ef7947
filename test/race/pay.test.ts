// Concurrent payments of one transaction, a cancel against a payment in every order, and two nodes doing the same work.

import assert from 'node:assert/strict';
import { afterEach, before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { Gate, type Gates, gated } from '../support/gate.ts';
import { aTransaction, checkInvariants, passTime, payBlik, payCard, settleAll, show } from '../support/payments.ts';
import {
  type Answer,
  aMerchant,
  aNode,
  aService,
  atEnd,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

const atOnce = 20;

let service: Service;
let other: Service;
let merchant: TestMerchant;

before(async () => {
  service = await aService();
  other = await serve(await aNode(service.world));
  merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  atEnd(() => checkInvariants(service.world));
});
afterEach(() => service.world.bank.setFaults({}));

type Pay = (at: Service, id: string) => Promise<Answer>;
const blik: Pay = (at, id) => payBlik(at, merchant, id);
const card: Pay = (at, id) => payCard(at, merchant, id);
const transfer: Pay = (at, id) =>
  at.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: { channelId: 21 } });
const cancel = (at: Service, id: string) => at.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });

/** The same service with charges that stop at gates. */
function gatedService(gates: Gates): Promise<Service> {
  return serve({ ...service.world, acquirers: acquirersOf(service.world, gated(service.world.bank, gates)) });
}

async function statesOf(id: string): Promise<string[]> {
  return service.world.db.sql.many((row) => readText(row, 'state'))`
    select state from charge where transaction_id = ${id} order by number`;
}

/** What the bank finally holds of a transaction, and how often it captured. */
async function bankOf(id: string): Promise<{ captures: number; netMinor: bigint }> {
  const keys = new Set(
    await service.world.db.sql.many((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${id}`,
  );
  const { captures, netMinor } = service.world.bank.record();
  return {
    captures: captures.filter(({ key }) => keys.has(key)).length,
    netMinor: [...netMinor].reduce((sum, [key, minor]) => (keys.has(key) ? sum + minor : sum), 0n),
  };
}

suite(`${atOnce} concurrent payments of one transaction`, () => {
  const ways: readonly (readonly [string, readonly Pay[]])[] = [
    ['BLIK', [blik]],
    ['cards', [card]],
    ['BLIK and cards', [blik, card]],
  ];
  for (const [name, methods] of ways) {
    // Guarantee: one payment counts, every other capture is returned to its payer, and the bank nets to the one amount.
    test(`${name}, all captured before the first response`, async () => {
      const id = await aTransaction(service, merchant);
      const after = new Gate();
      const held = await gatedService({ after });
      const paying = Array.from({ length: atOnce }, (_, index) => methods[index % methods.length]?.(held, id));
      await after.arrived(atOnce);
      after.open();
      const answers = (await Promise.all(paying)).flatMap((answer) => answer ?? []);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      assert.equal(answers.filter(({ body }) => body.result === 'success').length, 1);
      await settleAll(service.world);
      const states = await statesOf(id);
      assert.equal(states.filter((state) => state === 'correct').length, 1);
      assert.equal(states.filter((state) => state === 'surplus').length, atOnce - 1);
      assert.deepEqual(await bankOf(id), { captures: atOnce, netMinor: 1_001n });
    });

    test(`${name}, as they come, at two nodes`, async () => {
      const id = await aTransaction(service, merchant);
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          methods[index % methods.length]?.(index % 2 ? service : other, id),
        ),
      );
      const paid = answers.filter((answer) => answer?.body.result === 'success');
      const refused = answers.filter((answer) => answer?.status === 409);
      assert.equal(paid.length, 1);
      for (const answer of refused) assert.deepEqual(answer && faultsOf(answer), ['already_paid']);
      await settleAll(service.world);
      assert.equal((await bankOf(id)).netMinor, 1_001n);
      assert.equal((await show(service, merchant, id)).body.status, 'paid');
    });
  }

  // Guarantee: the same holds when payers confirm elsewhere and results arrive by callback.
  test('transfers, all confirmed concurrently, reported to two nodes', async () => {
    const id = await aTransaction(service, merchant);
    const waiting = await Promise.all(Array.from({ length: atOnce }, () => transfer(service, id)));
    const { bank } = service.world;
    await Promise.all(waiting.map(({ body }) => bank.choose(body.transactionPaymentUrl.split('/').at(-1), 'confirm')));
    await Promise.all([settleAll(service.world), settleAll(other.world)]);
    await settleAll(service.world);
    assert.deepEqual(await bankOf(id), { captures: atOnce, netMinor: 1_001n });
  });

  // Guarantee: declined ones among them take nothing and do not affect the others.
  test('right and wrong codes mixed', async () => {
    const id = await aTransaction(service, merchant);
    const codes = ['777123', '111123', '222123', '333123'];
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        payBlik(index % 2 ? service : other, merchant, id, codes[index % 4]),
      ),
    );
    await settleAll(service.world);
    assert.equal((await bankOf(id)).netMinor, 1_001n);
  });
});

suite('a cancel against a payment', () => {
  const canceled = async (id: string) => {
    await passTime(service.world, { minutes: 10 });
    assert.equal((await show(service, merchant, id)).body.status, 'canceled');
    assert.equal((await bankOf(id)).netMinor, 0n);
  };

  // Guarantee: no attempt starts after a cancel.
  test('cancel, then pay: refused, and nothing reaches the bank', async () => {
    const id = await aTransaction(service, merchant);
    assert.equal((await cancel(service, id)).status, 200);
    assert.deepEqual(faultsOf(await blik(service, id)), ['transaction_canceled']);
    assert.deepEqual(await statesOf(id), []);
    await canceled(id);
  });

  // Guarantee: a payment in flight when the cancel comes is canceled at the bank, or its money is returned.
  test('attempt written, cancel, bank told of the cancel, charge', async () => {
    const id = await aTransaction(service, merchant);
    const gate = new Gate();
    const paying = blik(await gatedService({ before: gate }), id);
    await gate.arrived();
    assert.equal((await cancel(service, id)).status, 200);
    await settleAll(service.world);
    gate.open();
    assert.equal((await paying).body.status, 'canceled');
    assert.deepEqual(await statesOf(id), ['canceled']);
    assert.equal((await bankOf(id)).captures, 0);
    await canceled(id);
  });

  test('attempt written, cancel, charge, bank told of the cancel', async () => {
    const id = await aTransaction(service, merchant);
    const gate = new Gate();
    const paying = blik(await gatedService({ before: gate }), id);
    await gate.arrived();
    await cancel(service, id);
    gate.open();
    assert.deepEqual([(await paying).body.status, await statesOf(id)], ['canceled', ['surplus']]);
    await canceled(id);
  });

  test('captured, cancel, bank told of the cancel, response', async () => {
    const id = await aTransaction(service, merchant);
    const gate = new Gate();
    const paying = blik(await gatedService({ after: gate }), id);
    await gate.arrived();
    assert.equal((await cancel(service, id)).status, 200);
    await settleAll(service.world);
    gate.open();
    assert.equal((await paying).body.status, 'canceled');
    assert.deepEqual(await bankOf(id), { captures: 1, netMinor: 0n });
    await canceled(id);
  });

  test('paid, then cancel: refused', async () => {
    const id = await aTransaction(service, merchant);
    await blik(service, id);
    assert.deepEqual(faultsOf(await cancel(service, id)), ['already_paid']);
    assert.equal((await bankOf(id)).netMinor, 1_001n);
  });

  // Guarantee: the bank is told immediately, so that a payer who is still on its page can no longer pay.
  test('waiting at the bank, cancel: the payer can no longer confirm', async () => {
    const id = await aTransaction(service, merchant);
    const { body } = await transfer(service, id);
    await cancel(service, id);
    await settleAll(service.world);
    await service.world.bank.choose(body.transactionPaymentUrl.split('/').at(-1), 'confirm');
    assert.deepEqual(await statesOf(id), ['canceled']);
    assert.equal((await bankOf(id)).captures, 0);
    await canceled(id);
  });

  test('waiting at the bank, confirmed, cancel before we hear of it: goes back', async () => {
    const id = await aTransaction(service, merchant);
    const { body } = await transfer(service, id);
    await service.world.bank.choose(body.transactionPaymentUrl.split('/').at(-1), 'confirm');
    assert.equal((await cancel(service, id)).status, 200);
    await settleAll(service.world);
    assert.deepEqual([await statesOf(id), await bankOf(id)], [['surplus'], { captures: 1, netMinor: 0n }]);
  });

  test('cancel while the payment is sent, which then waits for its payer: ended at the bank immediately', async () => {
    const id = await aTransaction(service, merchant);
    const gate = new Gate();
    const paying = transfer(await gatedService({ after: gate }), id);
    await gate.arrived();
    // The bank cannot be told yet: the lookup is lost, and then the response arrives.
    const { sql } = service.world.db;
    await cancel(service, id);
    await sql.run`update charge set next_check_at = ${service.world.clock.now().add({ minutes: 1 })}
      where transaction_id = ${id}`;
    gate.open();
    await paying;
    await settleAll(service.world);
    assert.deepEqual(await statesOf(id), ['canceled']);
  });

  // Guarantee: whatever the order, the transaction ends paid with the bank holding it once, or canceled with nothing
  // held.
  test('both concurrently, many times, at two nodes', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => aTransaction(service, merchant)));
    await Promise.all(
      ids.flatMap((id, index) => {
        const [left, right] = index % 2 ? [service, other] : [other, service];
        const pay = [blik, card, transfer][index % 3] ?? blik;
        return index % 4 < 2 ? [pay(left, id), cancel(right, id)] : [cancel(left, id), pay(right, id)];
      }),
    );
    await passTime(service.world, { hours: 26 });
    for (const id of ids) {
      const { status } = (await show(service, merchant, id)).body;
      assert.equal((await bankOf(id)).netMinor, status === 'paid' ? 1_001n : 0n, status);
    }
  });
});

suite('a payment that was created with its transaction, and changes meanwhile', () => {
  let held = 0;

  /** Starts it, and holds it when the bank has captured; returns its transaction's id. */
  async function begin(gate: Gate): Promise<{ id: string; paying: Promise<Answer> }> {
    held += 1;
    const description = `Held order ${held}`;
    const body = { amount: 10.01, description, pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } } };
    const node = await gatedService({ after: gate });
    const paying = node.ask('POST', '/transactions', { token: merchant.token, body });
    await gate.reachedBy(paying);
    const id = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from transaction where description = ${description}`;
    return { id, paying };
  }

  // Guarantee: the rows that the node inserted itself are believed only if nobody has changed them since.
  test('canceled: the money goes back', async () => {
    const gate = new Gate();
    const { id, paying } = await begin(gate);
    assert.equal((await cancel(other, id)).status, 200);
    gate.open();
    assert.equal((await paying).body.status, 'canceled');
    await settleAll(service.world);
    assert.deepEqual([await statesOf(id), await bankOf(id)], [['surplus'], { captures: 1, netMinor: 0n }]);
  });

  test('paid by another attempt: one of the two counts', async () => {
    const gate = new Gate();
    const { id, paying } = await begin(gate);
    assert.equal((await blik(other, id)).body.result, 'success');
    gate.open();
    assert.equal((await paying).body.status, 'paid');
    await settleAll(service.world);
    assert.deepEqual(
      [await statesOf(id), await bankOf(id)],
      [['surplus', 'correct'], { captures: 2, netMinor: 1_001n }],
    );
  });

  test('settled by a lookup: booked once', async () => {
    const gate = new Gate();
    const { id, paying } = await begin(gate);
    await passTime(service.world, { minutes: 10 });
    assert.deepEqual(await statesOf(id), ['correct']);
    gate.open();
    assert.equal((await paying).body.result, 'success');
    assert.deepEqual(await bankOf(id), { captures: 1, netMinor: 1_001n });
  });
});

suite('two nodes at the same work', () => {
  // Guarantee: nodes share the work, and nothing is done twice.
  test('payments whose responses were lost, resolved and settled by both', async () => {
    service.world.bank.setFaults({
      lostAnswer: { probability: 1, seed: 1 },
      duplicateCallback: { probability: 1, seed: 2 },
    });
    const ids = await Promise.all(Array.from({ length: 30 }, () => aTransaction(service, merchant)));
    await Promise.all(ids.flatMap((id, index) => [blik(index % 2 ? service : other, id), card(other, id)]));
    for (let round = 0; round < 12; round += 1) {
      service.world.clock.advance({ seconds: 20 });
      await Promise.all([settleAll(service.world), settleAll(other.world), settleAll(service.world)]);
    }
    for (const id of ids) assert.equal((await bankOf(id)).netMinor, 1_001n);
  });

  // Guarantee: money captured after its attempt ended is booked and returned once, without errors.
  test('the same late capture, reported to both nodes concurrently, many times', async () => {
    const { bank } = service.world;
    bank.setFaults({ successAfterCancel: { probability: 1, seed: 3, seconds: 5 } });
    const ids = await Promise.all(Array.from({ length: 20 }, () => aTransaction(service, merchant)));
    await Promise.all(ids.map((id) => transfer(service, id)));
    await Promise.all(ids.map((id) => cancel(service, id)));
    await settleAll(service.world);
    service.world.clock.advance({ seconds: 10 });
    const keys = bank.record().captures.map(({ key }) => key);
    const late = keys.filter((key) => bank.record().netMinor.get(key) === 1_001n).slice(-ids.length);
    const result = { kind: 'approved', amount: money(1_001n, 'PLN') } as const;
    for (const key of late) {
      const known = await Promise.all(
        [service, other, service, other].map(({ rooms }) =>
          rooms.banking.callback({ kind: 'charge', key, result }, bank.name),
        ),
      );
      assert.deepEqual(known, [true, true, true, true]);
    }
    await settleAll(other.world);
    for (const id of ids) assert.deepEqual(await bankOf(id), { captures: 1, netMinor: 0n });
  });
});

suite('limits and keys', () => {
  // Guarantee: a transaction has exactly 100 attempts at most, however many requests are concurrent.
  test('the last five of a hundred attempts, requested twenty times concurrently', async () => {
    const id = await aTransaction(service, merchant);
    const wrong = () => payBlik(service, merchant, id, '111123');
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 19 }, wrong));
    const answers = await Promise.all(Array.from({ length: atOnce }, wrong));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(5).fill(200), ...Array(15).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    assert.deepEqual(refused && faultsOf(refused), ['attempt_limit_reached']);
    assert.equal((await statesOf(id)).length, 100);
  });

  for (const [name, pay] of [
    [
      'E2',
      (id: string) => ({
        path: `/transactions/${id}/pay`,
        body: { groupId: 150, blikPaymentData: { blikToken: '777123' } },
      }),
    ],
    [
      'E1 with payment data',
      () => ({
        path: '/transactions',
        body: { amount: 10.01, description: 'x', pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } } },
      }),
    ],
  ] as const) {
    // Guarantee: one key pays once, however often and wherever it is sent.
    test(`${name}: one idempotency key, ${atOnce} times at once, at two nodes`, async () => {
      const id = await aTransaction(service, merchant);
      const { path, body } = pay(id);
      const captures = service.world.bank.record().captures.length;
      const ask = (at: Service) =>
        at.ask('POST', path, {
          token: merchant.token,
          body,
          headers: { 'idempotency-key': `race ${name}`.replaceAll(' ', '-') },
        });
      const answers = await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(index % 2 ? service : other)));
      const paid = answers.filter(({ status }) => status === 200);
      assert.ok(paid.length >= 1);
      for (const answer of answers)
        if (answer.status !== 200) assert.deepEqual(faultsOf(answer), ['request_in_progress']);
      const again = await ask(other);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(new Set([...paid, again].map(({ text }) => text)).size, 1);
      assert.equal(again.body.status, 'paid');
      assert.equal(service.world.bank.record().captures.length, captures + 1);
    });
  }
});
