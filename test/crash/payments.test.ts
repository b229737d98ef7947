// The process dies at every edge of a payment, and another one continues. A process that waits at an edge forever looks
// dead from outside; afterwards it is resumed, because a process that only slept must do no harm.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { readText } from '../../src/database/index.ts';
import { ledgerAccounts } from '../../src/ledger/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { Gate, gated, gatedDatabase } from '../support/gate.ts';
import { aTransaction, checkInvariants, encryptCard, passTime, payBlik, settleAll, show } from '../support/payments.ts';
import {
  type Answer,
  aCredential,
  aMerchant,
  aNode,
  aService,
  atEnd,
  type Service,
  serveOnly,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';
import { aToken } from '../support/wallet.ts';

let service: Service;
let merchant: TestMerchant;

before(async () => {
  service = await aService();
  merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  atEnd(() => checkInvariants(service.world));
});

const methods = {
  blik: () => ({ groupId: 150, blikPaymentData: { blikToken: '777123' } }),
  card: () => ({ channelId: 53, cardPaymentData: { card: encryptCard(service), save: true } }),
  declined: () => ({ groupId: 150, blikPaymentData: { blikToken: '222123' } }),
  transfer: () => ({ channelId: 21 }),
  wallet: () => ({ channelId: 75, walletPayPaymentData: aToken(service) }),
};
type Method = keyof typeof methods;
/** A wallet payment differs from a card's only in the write that starts it. */
const looked = ['blik', 'card', 'declined', 'transfer'] as const;

/** Where the first process stops. `heard`: whether the bank has the charge by then. */
interface Edge {
  readonly name: string;
  readonly heard: boolean;
  at(world: TestWorld, gate: Gate, method: Method): TestWorld;
}

const edges: readonly Edge[] = [
  {
    name: 'before the attempt is written',
    heard: false,
    at: (world, before, method) => ({
      ...world,
      db: gatedDatabase(world.db, { before }, method === 'wallet' ? 'wallet attempt' : 'payment attempt'),
    }),
  },
  {
    name: 'after the attempt is written, before its row is known to be',
    heard: false,
    at: (world, after, method) => ({
      ...world,
      db: gatedDatabase(world.db, { after }, method === 'wallet' ? 'wallet attempt' : 'payment attempt'),
    }),
  },
  {
    name: 'after the attempt is written, before the bank hears of it',
    heard: false,
    at: (world, before) => ({ ...world, acquirers: acquirersOf(world, gated(world.bank, { before })) }),
  },
  {
    name: 'after the bank did it, before its answer',
    heard: true,
    at: (world, after) => ({ ...world, acquirers: acquirersOf(world, gated(world.bank, { after })) }),
  },
  {
    name: 'after the answer, before it is settled',
    heard: true,
    at: (world, before) => ({ ...world, db: gatedDatabase(world.db, { before }, 'settlement') }),
  },
  {
    name: 'after it is settled, before anybody knows',
    heard: true,
    at: (world, after) => ({ ...world, db: gatedDatabase(world.db, { after }, 'settlement') }),
  },
  {
    name: 'before the answer is kept under its key',
    heard: true,
    at: (world, before) => ({ ...world, db: gatedDatabase(world.db, { before }, 'idempotency answer') }),
  },
  {
    name: 'after the answer is kept, before it is sent',
    heard: true,
    at: (world, after) => ({ ...world, db: gatedDatabase(world.db, { after }, 'idempotency answer') }),
  },
];

/** What the process that dies is asked for: to create and to pay. */
const serveDying = (world: TestWorld) => serveOnly(world, ['E1', 'E2']);

let keys = 0;

/** A payment whose process stops at the edge; `wake` resumes it. */
async function payAndDie(edge: Edge, method: Method) {
  const id = await aTransaction(service, merchant);
  const gate = new Gate();
  const dying = await serveDying(edge.at(await aNode(service.world), gate, method));
  keys += 1;
  const asking = {
    token: merchant.token,
    body: methods[method](),
    headers: { 'idempotency-key': `crash-${keys}` },
  };
  const ask = (at: Service): Promise<Answer> => at.ask('POST', `/transactions/${id}/pay`, asking);
  const ghost = ask(dying);
  await gate.reachedBy(ghost);
  return {
    id,
    again: () => ask(service),
    wake: async () => {
      gate.open();
      await ghost;
    },
  };
}

async function attemptsOf(id: string): Promise<string[]> {
  return (await show(service, merchant, id)).body.payments.attempts.map(({ status }: { status: string }) => status);
}

function capturesOf(): number {
  return service.world.bank.record().captures.length;
}

suite('the service dies', () => {
  for (const edge of edges) {
    for (const method of looked) {
      const takes = method === 'blik' || method === 'card';

      // Guarantee: what the bank captured is found and counts; what it never received ends, and the payer can try
      // again.
      test(`${edge.name} (${method}): the next process continues`, async () => {
        const { id, wake } = await payAndDie(edge, method);
        await passTime(service.world, { minutes: 2 }, 2);
        const { body } = await show(service, merchant, id);
        assert.equal(body.status, takes && edge.heard ? 'paid' : 'pending');
        if (body.status === 'pending') {
          assert.equal((await payBlik(service, merchant, id)).body.status, 'paid');
          await passTime(service.world, { minutes: 2 }, 2);
        }
        await wake();
        await settleAll(service.world);
        assert.equal((await show(service, merchant, id)).body.status, 'paid');
      });

      if (method === 'card' || (method === 'declined' && !edge.heard)) continue;

      // Guarantee: a merchant who repeats the request with the same key learns the result, and nothing is paid twice.
      test(`${edge.name} (${method}): the merchant asks again, before anybody looked`, async () => {
        const captured = capturesOf();
        const { id, again, wake } = await payAndDie(edge, method);
        service.world.wall.advance({ seconds: 61 });
        const { status, body } = await again();
        assert.equal(status, 200);
        assert.equal(body.transactionId, id);
        assert.equal(body.result, takes ? 'success' : method === 'declined' ? 'failed' : 'pending');
        assert.equal(body.status, takes ? 'paid' : 'pending');
        assert.equal(capturesOf() - captured, takes ? 1 : 0);
        await wake();
        await passTime(service.world, { minutes: 2 }, 2);
        assert.equal((await attemptsOf(id)).length, 1);
        assert.equal(capturesOf() - captured, takes ? 1 : 0);
        assert.equal((await again()).text, (await again()).text);
      });

      test(`${edge.name} (${method}): the merchant asks again, after it was looked up`, async () => {
        const captured = capturesOf();
        const { id, again, wake } = await payAndDie(edge, method);
        service.world.wall.advance({ seconds: 61 });
        await passTime(service.world, { minutes: 2 }, 2);
        const { status, body } = await again();
        assert.equal(status, 200);
        const written = edge.name !== 'before the attempt is written';
        const result =
          takes && (edge.heard || !written)
            ? 'success'
            : method === 'transfer' && (edge.heard || !written)
              ? 'pending'
              : 'failed';
        assert.equal(body.result, result);
        assert.equal((await attemptsOf(id)).length, 1);
        assert.equal(capturesOf() - captured, result === 'success' ? 1 : 0);
        await wake();
        await passTime(service.world, { minutes: 2 }, 2);
        assert.equal(capturesOf() - captured, result === 'success' ? 1 : 0);
      });
    }
  }

  for (const edge of edges.slice(0, 4)) {
    // Guarantee: the token of a repeated request is still good for the attempt that used it up.
    test(`${edge.name} (wallet): the merchant asks again`, async () => {
      const captured = capturesOf();
      const { id, again, wake } = await payAndDie(edge, 'wallet');
      service.world.wall.advance({ seconds: 61 });
      const { status, body } = await again();
      assert.deepEqual([status, body.transactionId, body.status], [200, id, 'paid']);
      await wake();
      assert.equal((await attemptsOf(id)).length, 1);
      assert.equal(capturesOf() - captured, 1);
    });
  }

  // Guarantee: E1 with payment data creates and pays one transaction, whenever the process dies.
  for (const method of ['blik', 'wallet'] as const) {
    const write = method === 'wallet' ? 'wallet payment' : 'payment';
    for (const edge of [
      {
        name: 'before the transaction is written with its attempt',
        at: (world: TestWorld, before: Gate) => ({ ...world, db: gatedDatabase(world.db, { before }, write) }),
      },
      {
        name: 'after both are written, before they are known to be',
        at: (world: TestWorld, after: Gate) => ({ ...world, db: gatedDatabase(world.db, { after }, write) }),
      },
      ...edges.slice(2),
    ]) {
      test(`${edge.name} (E1 with payment data, ${method}): the merchant asks again`, async () => {
        const captured = capturesOf();
        const gate = new Gate();
        const dying = await serveDying(edge.at(await aNode(service.world), gate, method));
        keys += 1;
        const headers = { 'idempotency-key': `crash-${keys}` };
        const body = { amount: 10.01, description: 'x', pay: methods[method]() };
        const ask = (at: Service) => at.ask('POST', '/transactions', { token: merchant.token, body, headers });
        const total = async () => (await service.ask('GET', '/transactions', { token: merchant.token })).body.total;
        const before = await total();
        const ghost = ask(dying);
        await gate.reachedBy(ghost);
        service.world.wall.advance({ seconds: 61 });
        const answer = await ask(service);
        assert.deepEqual([answer.status, answer.body.status], [200, 'paid']);
        gate.open();
        // A process that only slept tells the same.
        const late = await ghost;
        assert.deepEqual([late.status, late.body.status], [200, 'paid']);
        await passTime(service.world, { minutes: 2 }, 2);
        assert.equal(capturesOf() - captured, 1);
        assert.equal(await total(), before + 1);
      });
    }
  }

  // Guarantee: a merchant who repeats the request is told of a capture, even if the request would be refused by now.
  for (const edge of edges.filter(({ heard }) => heard)) {
    test(`${edge.name}: the channel is switched off before the merchant asks again`, async () => {
      const shop = await aMerchant(service);
      const id = await aTransaction(service, shop);
      const gate = new Gate();
      const dying = await serveDying(edge.at(await aNode(service.world), gate, 'blik'));
      const ask = (at: Service, { token }: TestMerchant) =>
        at.ask('POST', `/transactions/${id}/pay`, {
          token,
          body: methods.blik(),
          headers: { 'idempotency-key': 'channel-off' },
        });
      const ghost = ask(dying, shop);
      await gate.reachedBy(ghost);
      await service.world.db.sql.run`update account set channels = '{53}' where id = ${shop.id}`;
      service.world.wall.advance({ seconds: 61 });
      const again = await ask(service, await aCredential(service, shop, 'full'));
      assert.equal(again.status, 200, again.text);
      assert.equal(again.body.transactionId, id);
      gate.open();
      await ghost;
      await passTime(service.world, { minutes: 2 }, 2);
      assert.equal((await show(service, shop, id)).body.status, 'paid');
    });
  }

  // Guarantee: a crash during the commit of a settlement leaves all of it or nothing; a repeat completes it.
  test('in the middle of settling: PostgreSQL drops the connection before the commit', async () => {
    const id = await aTransaction(service, merchant);
    const node = await aNode(service.world);
    const dying = await serveDying(node);
    const client = new pg.Client({ connectionString: service.world.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select from ledger_balance where account = $1 for update', [
      ledgerAccounts.available(merchant.id),
    ]);
    const paying = payBlik(dying, merchant, id);
    await untilBlocked(client);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test node' and wait_event_type = 'Lock'",
    );
    assert.equal((await paying).status, 503);
    await client.query('rollback');
    await client.end();
    assert.deepEqual(await attemptsOf(id), ['pending']);
    await passTime(service.world, { minutes: 2 }, 2);
    assert.deepEqual(await attemptsOf(id), ['correct']);
  });
});

/** Resolves when a backend of this database waits for a lock. */
async function untilBlocked(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rowCount) return;
  }
}

suite('the engine dies', () => {
  /** A node whose works stop at the gate, in the middle of `work`. */
  async function dieIn(at: (world: TestWorld, gate: Gate) => TestWorld) {
    const gate = new Gate();
    const ghost = settleAll(at(await aNode(service.world), gate));
    await gate.reachedBy(ghost);
    return async () => {
      gate.open();
      await ghost;
    };
  }

  const inLook: readonly (readonly [string, (world: TestWorld, gate: Gate) => TestWorld])[] = [
    [
      'before it asks',
      (world, before) => ({ ...world, acquirers: acquirersOf(world, gated(world.bank, { before }, 'findCharge')) }),
    ],
    [
      'after the bank answered',
      (world, after) => ({ ...world, acquirers: acquirersOf(world, gated(world.bank, { after }, 'findCharge')) }),
    ],
    ['before it settles', (world, before) => ({ ...world, db: gatedDatabase(world.db, { before }, 'settlement') })],
    ['after it settled', (world, after) => ({ ...world, db: gatedDatabase(world.db, { after }, 'settlement') })],
  ];
  for (const [name, at] of inLook) {
    // Guarantee: work in progress at a dead engine continues within 20 s.
    test(`while it looks a payment up, ${name}`, async () => {
      service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
      const id = await aTransaction(service, merchant);
      await payBlik(service, merchant, id);
      service.world.bank.setFaults({});
      service.world.clock.advance({ seconds: 10 });
      const wake = await dieIn(at);
      service.world.clock.advance({ seconds: 20 });
      await settleAll(service.world);
      assert.deepEqual(await attemptsOf(id), ['correct']);
      await wake();
      assert.deepEqual(await attemptsOf(id), ['correct']);
    });
  }

  for (const [name, at] of [
    [
      'before it asks',
      (world: TestWorld, before: Gate) => ({
        ...world,
        acquirers: acquirersOf(world, gated(world.bank, { before }, 'refund')),
      }),
    ],
    [
      'after the bank gave it back',
      (world: TestWorld, after: Gate) => ({
        ...world,
        acquirers: acquirersOf(world, gated(world.bank, { after }, 'refund')),
      }),
    ],
  ] as const) {
    // Guarantee: money that belongs to the payer is returned once, whichever process dies on the way.
    test(`while it sends money back, ${name}`, async () => {
      const id = await aTransaction(service, merchant);
      const gate = new Gate();
      const held = await serveDying({
        ...service.world,
        acquirers: acquirersOf(service.world, gated(service.world.bank, { after: gate })),
      });
      const paying = payBlik(held, merchant, id);
      await gate.reachedBy(paying);
      await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
      gate.open();
      await paying;
      const wake = await dieIn(at);
      service.world.clock.advance({ seconds: 20 });
      await settleAll(service.world);
      const [key = ''] = await service.world.db.sql.many((row) => readText(row, 'id'))`
        select id from charge where transaction_id = ${id}`;
      const net = () => service.world.bank.record().netMinor.get(key);
      assert.equal(net(), 0n);
      await wake();
      assert.equal(net(), 0n);
    });
  }

  for (const [name, at] of [
    [
      'before it asks',
      (world: TestWorld, before: Gate) => ({
        ...world,
        acquirers: acquirersOf(world, gated(world.bank, { before }, 'cancel')),
      }),
    ],
    [
      'after the bank promised',
      (world: TestWorld, after: Gate) => ({
        ...world,
        acquirers: acquirersOf(world, gated(world.bank, { after }, 'cancel')),
      }),
    ],
  ] as const) {
    test(`while it ends a payment at the bank, ${name}`, async () => {
      const id = await aTransaction(service, merchant);
      await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: methods.transfer() });
      await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
      const wake = await dieIn(at);
      service.world.clock.advance({ seconds: 20 });
      await settleAll(service.world);
      assert.deepEqual(await attemptsOf(id), ['canceled']);
      await wake();
      assert.deepEqual(await attemptsOf(id), ['canceled']);
    });
  }
});
