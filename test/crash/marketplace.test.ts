// A node dies at every edge of a marketplace request over a hundred sellers, and another one continues: all of it or
// nothing. The edges are counted, not listed: the node dies at the first, the second and so on, until it survives.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { addSeller, createAccount } from '../../src/accounts/index.ts';
import { build } from '../../src/app.ts';
import { readInteger } from '../../src/database/index.ts';
import { findBalances, ledgerAccounts } from '../../src/ledger/index.ts';
import { aPaidSplit, aPartner, aSplit, refundSplit, showSplit, splitBody } from '../support/marketplace.ts';
import { aMortalNode } from '../support/mortal.ts';
import { checkInvariants, passTime } from '../support/payments.ts';
import { moveRefunds } from '../support/rooms.ts';
import { type Answer, aService, roomsOf, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';

const sellersAtOnce = 100;
const edgesAtMost = 40;
const feeMinor = 1n;
const amount = 100;
const commission = 10;
const mail = { send: async () => ({ kind: 'sent' as const }), close: async () => undefined };
const path = '/marketplace/v1/transaction';

let service: Service;
let partner: TestMerchant;
let children: object[];
let accounts: string[];

before(async () => {
  service = await aService({ mail });
  partner = await aPartner(service, []);
  const { world } = service;
  const ids = await world.db.atomic(async (sql) => {
    const made: string[] = [];
    for (let index = 0; index < sellersAtOnce; index += 1) {
      const details = { kind: 'seller', name: `Seller ${index}`, email: 'seller@example.com', testMode: true } as const;
      const { id } = await createAccount(world, sql, { ...details, refundFeeMinor: feeMinor });
      await addSeller(sql, partner.id, id);
      made.push(id);
    }
    return made;
  });
  accounts = [...ids, partner.id].map((id) => ledgerAccounts.available(id as TestMerchant['id']));
  children = ids.map((id, index) => ({
    amount,
    commission,
    description: `Part ${index}`,
    merchant: { id },
    products: [{ externalId: 'tea', quantity: 0.5, unitPrice: 200 }],
  }));
  // Enough for the fees of refunds.
  await aPaidSplit(service, partner, children);
});

const balances = async () => {
  const found = await findBalances(service.world.db.sql, accounts);
  return accounts.map((account) => found.get(account) ?? 0n);
};

/** By how much every seller, and the partner, has more than before; all sellers the same. */
async function gained(before: readonly bigint[]): Promise<{ sellers: bigint; partner: bigint }> {
  const after = await balances();
  const changes = after.map((minor, index) => minor - (before[index] ?? 0n));
  const own = new Set(changes.slice(0, sellersAtOnce));
  assert.equal(own.size, 1, `sellers got ${[...own]}`);
  return { sellers: changes[0] ?? 0n, partner: changes.at(-1) ?? 0n };
}

type App = Awaited<ReturnType<typeof build>>;

/** A node without a port, which dies at this edge. */
async function aDyingNode(dieAt: number) {
  const node = aMortalNode(service.world, dieAt);
  const app = await node.prepare(async (world) => build(world, await roomsOf(world)));
  return { app, live: async (work: (world: TestWorld) => Promise<unknown>) => (await node.live(work)) ?? 'it lived' };
}

let keys = 0;

/** A POST under a new key. */
function request(url: string, body: object) {
  keys += 1;
  const headers = { authorization: `Bearer ${partner.token}`, 'idempotency-key': `crash-${keys}` };
  const at = (app: App): Promise<unknown> => app.inject({ method: 'POST', url, headers, payload: body });
  /** The same again at the living node, when the key of the dead one is free. */
  const again = async (): Promise<Answer> => {
    service.world.wall.advance({ seconds: 60 });
    return service.ask('POST', url, { token: partner.token, body, headers });
  };
  return { at, again };
}

/** Dies at every edge of the work, one after another; returns the edges. */
async function everyEdge(round: (dieAt: number) => Promise<string>): Promise<string[]> {
  const died: string[] = [];
  for (let dieAt = 1; ; dieAt += 1) {
    assert.ok(dieAt <= edgesAtMost, `too many edges: ${died}`);
    const edge = await round(dieAt);
    died.push(edge);
    if (edge !== 'it lived') continue;
    await checkInvariants(service.world);
    return died;
  }
}

const count = (what: 'transactions' | 'parts' | 'mails' | 'refunds' | 'refund parts') => {
  const { sql } = service.world.db;
  const read = (row: Record<string, unknown>) => readInteger(row, 'count');
  switch (what) {
    case 'transactions':
      return sql.one(read)`select count(*)::integer as count from transaction`;
    case 'parts':
      return sql.one(read)`select count(*)::integer as count from transaction_part`;
    case 'mails':
      return sql.one(read)`select count(*)::integer as count from mail`;
    case 'refunds':
      return sql.one(read)`select count(*)::integer as count from refund`;
    case 'refund parts':
      return sql.one(read)`select count(*)::integer as count from refund_part`;
  }
};

suite('a node dies at every edge', () => {
  // Guarantee: a transaction exists with all its parts and its mail, or not at all; asked again it exists once.
  test(`of creating ${sellersAtOnce} children with a mail`, async () => {
    const all = async () => [await count('transactions'), await count('parts'), await count('mails')];
    const died = await everyEdge(async (dieAt) => {
      const before = await all();
      const made = async () => (await all()).map((one, index) => one - (before[index] ?? 0));
      const { at, again } = request(path, splitBody(partner, children));
      const { app, live } = await aDyingNode(dieAt);
      const edge = await live(() => at(app));
      const [transactions = 0] = await made();
      assert.ok(transactions <= 1);
      assert.deepEqual(await made(), [transactions, transactions * sellersAtOnce, transactions], edge);
      const answer = await again();
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(await made(), [1, sellersAtOnce, 1], edge);
      return edge;
    });
    assert.ok(died.includes('before a commit') && died.includes('after a commit'), died.join());
  });

  // Guarantee: every seller is credited, or none; a payment that the bank took is found, and counts once.
  test(`of paying ${sellersAtOnce} children`, async () => {
    const died = await everyEdge(async (dieAt) => {
      const id = await aSplit(service, partner, children, { transactionEmails: { transactionCreated: false } });
      const before = await balances();
      const { at, again } = request(`${path}/${id}/pay`, { blikPaymentData: { blikToken: '777123' } });
      const { app, live } = await aDyingNode(dieAt);
      const edge = await live(() => at(app));
      const first = await gained(before);
      assert.ok(first.sellers === 0n || first.sellers === 90n, edge);
      await passTime(service.world, { minutes: 2 }, 3);
      const answer = await again();
      assert.equal(answer.status, 200, answer.text);
      if ((await showSplit(service, partner, id)).body.status === 'pending') {
        // The bank never heard of it: the payer tries again.
        const second = await service.ask('POST', `${path}/${id}/pay`, {
          token: partner.token,
          body: { blikPaymentData: { blikToken: '777123' } },
        });
        assert.equal(second.body.status, 'paid', second.text);
      }
      await passTime(service.world, { minutes: 2 }, 3);
      assert.deepEqual(await gained(before), { sellers: 90n, partner: 1_000n }, edge);
      return edge;
    });
    for (const edge of ['before a charge', 'after a charge', 'before a commit']) assert.ok(died.includes(edge), edge);
  });

  // Guarantee: every seller is debited, or none; the payer gets the money once, as one refund of the bank.
  test(`of a refund over ${sellersAtOnce} sellers`, async () => {
    const all = async () => [await count('refunds'), await count('refund parts')];
    const died = await everyEdge(async (dieAt) => {
      const id = await aPaidSplit(service, partner, children, { transactionEmails: { transactionCreated: false } });
      const [before, had] = [await balances(), await all()];
      const made = async () => (await all()).map((one, index) => one - (had[index] ?? 0));
      const { at, again } = request(`${path}/${id}/refund`, {});
      const { app, live } = await aDyingNode(dieAt);
      const edge = await live(async (node) => {
        await at(app);
        service.world.clock.advance({ seconds: 5 });
        await moveRefunds(node);
      });
      const [refunds = 0] = await made();
      assert.deepEqual(await made(), [refunds, refunds * sellersAtOnce], edge);
      assert.deepEqual(await gained(before), { sellers: BigInt(refunds) * -91n, partner: BigInt(refunds) * -1_000n });
      const answer = await again();
      assert.equal(answer.status, 200, answer.text);
      await passTime(service.world, { minutes: 10 }, 4);
      assert.deepEqual(await made(), [1, sellersAtOnce], edge);
      assert.deepEqual(await gained(before), { sellers: -91n, partner: -1_000n }, edge);
      const given = service.world.bank.record().refunds.filter(({ key }) => key === answer.body.refundId);
      assert.deepEqual(
        given.map((one) => one.amount.minor),
        [BigInt(amount * sellersAtOnce)],
        edge,
      );
      return edge;
    });
    for (const edge of ['before a refund', 'after a refund', 'before a commit']) assert.ok(died.includes(edge), edge);
  });

  // Guarantee: if the bank declines, every seller and the partner have everything back, once, and it can be refunded
  // again.
  test(`of returning a declined refund to ${sellersAtOnce} sellers`, async () => {
    const died = await everyEdge(async (dieAt) => {
      const id = await aPaidSplit(service, partner, children, { transactionEmails: { transactionCreated: false } });
      const before = await balances();
      assert.equal((await refundSplit(service, partner, id)).status, 200);
      service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
      service.world.clock.advance({ seconds: 5 });
      const { live } = await aDyingNode(dieAt);
      const edge = await live(moveRefunds);
      const { sellers } = await gained(before);
      assert.ok(sellers === 0n || sellers === -91n, edge);
      await passTime(service.world, { minutes: 10 }, 4);
      service.world.bank.setFaults({});
      assert.deepEqual(await gained(before), { sellers: 0n, partner: 0n }, edge);
      const { body } = await showSplit(service, partner, id);
      assert.equal(body.status, 'paid', edge);
      for (const { refunded, commissionReturned } of body.childTransactions)
        assert.deepEqual([refunded, commissionReturned], [0, 0]);
      const preview = await refundSplit(service, partner, id, {}, '?dryRun=true');
      assert.equal(preview.body.amount, amount * sellersAtOnce, preview.text);
      return edge;
    });
    for (const edge of ['before a refund', 'after a refund', 'before a commit']) assert.ok(died.includes(edge), edge);
  });
});
