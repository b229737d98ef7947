// T2 over many six-hour buckets: counts of whole buckets, changes that are not added yet, and the edges of a period.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { transactionCounts, verifyTransactions } from '../../src/transactions/index.ts';
import { inWords } from '../support/findings.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, aNode, aService, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

const statuses = ['pending', 'paid', 'refund', 'canceled'] as const;
const count = 160;

interface Known {
  readonly id: string;
  readonly at: Temporal.Instant;
  status: string;
}

/** As the API takes it, in the merchant's time zone. */
const spell = (at: Temporal.Instant) =>
  at.toZonedDateTimeISO('Europe/Warsaw').toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');

suite('GET /transactions, many', () => {
  const draw = new Seeded('lists');
  const known: Known[] = [];
  let service: Service;
  let merchant: TestMerchant;

  const changesLeft = () =>
    service.world.db.sql.one((row) => Number(row.left))`select count(*) as left from transaction_count_change`;

  /** What verify reports about counts; that these transactions have no payments does not matter here. */
  const miscounted = async () =>
    inWords(await verifyTransactions(service.world, whole(service.world))).filter((problem) =>
      problem.startsWith('Merchant '),
    );

  /** Some within a second, some at the start of a bucket, some days apart; in every status. */
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    const { clock, db } = service.world;
    clock.set('2026-03-26T05:30:00Z');
    for (let made = 0; made < count; made += 1) {
      if (draw.chance(0.1))
        clock.set(clock.now().round({ smallestUnit: 'hour', roundingIncrement: 6 }).add({ hours: 6 }).toString());
      else if (draw.chance(0.8)) clock.advance({ minutes: draw.below(300) });
      const body = { amount: 1, description: `number ${made}` };
      const answer = await service.ask('POST', '/transactions', { token: merchant.token, body });
      known.unshift({ id: answer.body.transactionId, at: clock.now(), status: 'pending' });
    }
    // Added gradually, so that some statuses change before and some after they were added.
    await transactionCounts.add(service.world, 90);
    for (const one of known) {
      if (draw.chance(0.3)) continue;
      one.status = draw.of(statuses);
      await db.sql.run`update transaction set status = ${one.status} where id = ${one.id}`;
      if (draw.chance(0.05)) await transactionCounts.add(service.world, 7);
    }
  });

  /** A known instant, or a second before or after it. */
  const aMoment = () => draw.of(known).at.add({ seconds: draw.below(3) - 1 });

  async function compare(): Promise<void> {
    const from = draw.chance(0.6) ? aMoment() : undefined;
    const to = draw.chance(0.6) ? aMoment() : undefined;
    const status = draw.chance(0.5) ? draw.of(statuses) : undefined;
    const limit = 1 + draw.below(40);
    const fitting = known
      .filter((one) => !status || one.status === status)
      .filter(({ at }) => !from || Temporal.Instant.compare(at, from) >= 0)
      .filter(({ at }) => !to || Temporal.Instant.compare(at, to) <= 0)
      // Newest first; at the same instant by id.
      .sort((one, other) => Temporal.Instant.compare(other.at, one.at) || (one.id < other.id ? 1 : -1));
    const page = 1 + draw.below(Math.ceil(fitting.length / limit) + 1);
    const query = new URLSearchParams({ limit: String(limit), page: String(page) });
    if (from) query.set('from', spell(from));
    if (to) query.set('to', spell(to));
    if (status) query.set('status', status);
    const { body } = await service.ask('GET', `/transactions?${query}`, { token: merchant.token });
    assert.equal(body.total, fitting.length, query.toString());
    assert.deepEqual(
      body.transactions.list.map(({ transactionId }: { transactionId: string }) => transactionId),
      fitting.slice((page - 1) * limit, page * limit).map(({ id }) => id),
      query.toString(),
    );
  }

  // Guarantee: any page of any filter matches the rows, however many changes were added to the counts.
  for (const added of ['some', 'all'] as const) {
    test(`200: 120 lists, ${added} changes added`, async () => {
      if (added === 'all') while ((await transactionCounts.add(service.world, 50)) > 0);
      assert.equal((await changesLeft()) === 0, added === 'all');
      for (let asked = 0; asked < 120; asked += 1) await compare();
      assert.deepEqual(await miscounted(), []);
    });
  }

  // Guarantee: two nodes that add while others write lose and duplicate nothing.
  test('counts stay exact while they are added and written concurrently', async () => {
    const nodes = [service.world, await aNode(service.world)];
    const shop = await aMerchant(service);
    const made = Array.from({ length: 60 }, async (_, index) => {
      const body = { amount: 1, description: `number ${index}` };
      const { body: created } = await service.ask('POST', '/transactions', { token: shop.token, body });
      if (index % 2 === 0)
        await service.ask('POST', `/transactions/${created.transactionId}/cancel`, { token: shop.token });
      await Promise.all(nodes.map((node) => transactionCounts.add(node, 1 + (index % 5))));
    });
    await Promise.all(made);
    const totalOf = async (query: string) =>
      (await service.ask('GET', `/transactions${query}`, { token: shop.token })).body.total;
    assert.deepEqual(
      [await totalOf(''), await totalOf('?status=canceled'), await totalOf('?status=pending')],
      [60, 30, 30],
    );
    while ((await transactionCounts.add(service.world, 50)) > 0);
    assert.equal(await totalOf(''), 60);
    assert.deepEqual(await miscounted(), []);
  });

  // Guarantee: even rows deleted by hand leave the counts correct.
  test('a row that is gone', async () => {
    const shop = await aMerchant(service);
    const create = () =>
      service.ask('POST', '/transactions', { token: shop.token, body: { amount: 1, description: 'gone' } });
    const [gone] = [await create(), await create()];
    await service.world.db.sql.run`delete from transaction where id = ${gone.body.transactionId}`;
    const { body } = await service.ask('GET', '/transactions', { token: shop.token });
    assert.deepEqual([body.total, body.transactions.list.length], [1, 1]);
    assert.deepEqual(await miscounted(), []);
  });

  // Guarantee: a wrong count is reported.
  test('verify names a wrong count', async () => {
    const { sql } = service.world.db;
    await sql.run`update transaction_count set paid = paid + 1
      where (merchant_id, six_hour_bucket) in (select merchant_id, six_hour_bucket from transaction_count where merchant_id = ${merchant.id}
                                        order by six_hour_bucket limit 1)`;
    const [problem = '', ...others] = await miscounted();
    assert.deepEqual(others, []);
    assert.match(
      problem,
      /^Merchant \w{26}: \d+ transactions from 2026-03-26 00:00 UTC are counted as paid, there are \d+\.$/,
    );
    await sql.run`update transaction_count set paid = paid - 1
      where (merchant_id, six_hour_bucket) in (select merchant_id, six_hour_bucket from transaction_count where merchant_id = ${merchant.id}
                                        order by six_hour_bucket limit 1)`;
  });
});
