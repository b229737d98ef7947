// P32: the search.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Sql } from '../../src/database/index.ts';
import type { TransactionId } from '../../src/kernel/index.ts';
import { fillSearchTable } from '../../src/panel/transactions/fill.ts';
import type { Tools } from '../../src/tools.ts';
import { readTransaction, transactionCounts } from '../../src/transactions/index.ts';
import { insertTransaction } from '../../src/transactions/store/transactions.ts';
import { aBusiness, type Business, runBusiness } from '../support/business.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, aTransaction, payBlik, settleAll } from '../support/payments.ts';
import { aRefund } from '../support/refunds.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let business: Business;
let merchant: TestMerchant;
let person: TestPerson;

const path = '/panel/api/transactions';

interface Row {
  readonly transactionId: string;
  readonly title: string;
  readonly status: string;
  readonly paymentStatus: string;
  readonly createdAt: string;
  readonly amount: number;
  readonly refunded: number;
  readonly hiddenDescription: string;
  readonly payerEmail: string;
  readonly channelId: string | null;
  readonly posId: string;
}

/** Does everything, and dies before its commit. */
function failing(run: (sql: Sql) => Promise<number>): (sql: Sql) => Promise<number> {
  return async (sql) => {
    assert.ok((await run(sql)) > 0);
    throw new Error('It dies.');
  };
}

/** All pages. */
async function find(query: Record<string, string | number>, who = person): Promise<Row[]> {
  const rows: Row[] = [];
  for (let before: string | null = ''; before !== null; ) {
    // People make at most 50 requests in a second.
    service.world.wall.advance({ milliseconds: 20 });
    const params = new URLSearchParams({ ...query, ...(before ? { before } : {}) } as Record<string, string>);
    const answer = await who.ask('GET', `${path}?${params}`);
    assert.equal(answer.status, 200, answer.text);
    rows.push(...answer.body.transactions);
    before = answer.body.nextBefore;
  }
  return rows;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ transactionId }) => transactionId);

before(async () => {
  service = await aService();
  business = await aBusiness(service);
  ({ merchant } = business);
  await runBusiness(service, business, 32, 60);
  await payBlik(service, merchant, await aTransaction(service, merchant), '222000');
  await settleAll(service.world);
  person = await aPerson(service, 'read_only', merchant.id);
});

suite('GET /panel/api/transactions', () => {
  // Guarantee: every row once, in the order of the API, whatever the size of the page.
  test('everything, newest first, over pages of any size', async () => {
    const all = await service.ask('GET', '/transactions?limit=100', { token: merchant.token });
    const ids = all.body.transactions.list.map((one: { transactionId: string }) => one.transactionId);
    assert.ok(ids.length > 30);
    assert.deepEqual(idsOf(await find({ limit: 100 })), ids);
    assert.deepEqual(idsOf(await find({ limit: 7 })), ids);
    assert.deepEqual(idsOf(await find({ limit: 1 })), ids);
  });

  test('filters, alone and together, are those of the rows', async () => {
    const all = await find({ limit: 100 });
    const kinds: [Record<string, string | number>, (row: Row) => boolean][] = [
      [{ status: 'paid' }, (row) => row.status === 'paid'],
      [{ status: 'refund' }, (row) => row.status === 'refund'],
      [{ status: 'canceled' }, (row) => row.status === 'canceled'],
      [{ paymentStatus: 'declined' }, (row) => row.paymentStatus === 'declined'],
      [
        { status: 'pending', paymentStatus: 'declined' },
        (row) => row.status === 'pending' && row.paymentStatus === 'declined',
      ],
      [{ channelId: 53 }, (row) => row.channelId === '53'],
      [{ amountFrom: 100 }, (row) => row.amount >= 100],
      [{ amountTo: 99.99 }, (row) => row.amount <= 99.99],
      [
        { amountFrom: 50, amountTo: 200, status: 'paid' },
        (row) => row.amount >= 50 && row.amount <= 200 && row.status === 'paid',
      ],
      [{ posId: merchant.posId }, () => true],
      [{ origin: 'recurring' }, () => false],
      [{ q: 'payer1@' }, (row) => row.payerEmail.startsWith('payer1@')],
      [{ q: 'PAYER1@example', status: 'paid' }, (row) => row.payerEmail.startsWith('payer1@') && row.status === 'paid'],
      [{ q: 'order-1' }, (row) => row.hiddenDescription.startsWith('order-1')],
      [{ q: 'nothing like it' }, () => false],
    ];
    assert.ok(all.some(({ status, paymentStatus }) => status === 'pending' && paymentStatus === 'declined'));
    for (const [query, matches] of kinds) {
      const expected = idsOf(all.filter(matches));
      assert.deepEqual(idsOf(await find({ ...query, limit: 100 })), expected, JSON.stringify(query));
      assert.deepEqual(idsOf(await find({ ...query, limit: 3 })), expected, JSON.stringify(query));
    }
  });

  test('days are those of the account, both inclusive', async () => {
    const all = await find({ limit: 100 });
    const dayOf = (row: Row) =>
      Temporal.Instant.from(row.createdAt).toZonedDateTimeISO('Europe/Warsaw').toPlainDate().toString();
    const day = dayOf(all[Math.floor(all.length / 2)] as Row);
    const expected = all.filter((row) => dayOf(row) === day);
    assert.ok(expected.length > 0);
    assert.deepEqual(idsOf(await find({ from: day, to: day })), idsOf(expected));
    assert.deepEqual(idsOf(await find({ from: day, limit: 100 })), idsOf(all.filter((row) => dayOf(row) >= day)));
    assert.deepEqual(idsOf(await find({ to: day, limit: 100 })), idsOf(all.filter((row) => dayOf(row) <= day)));
  });

  test('by title, by any id, by amount', async () => {
    const id = await aPaidTransaction(service, merchant, { amount: 4_321.09 });
    const refundId = await aRefund(service, merchant, id, { amount: 1.05 });
    await settleAll(service.world);
    const [row] = await find({ q: id });
    assert.ok(row);
    assert.deepEqual([row.transactionId, row.refunded], [id, 1.05]);
    const attempts = await service.ask('GET', `/transactions/${id}`, { token: merchant.token });
    const attemptId = attempts.body.payments.attempts[0].attemptId;
    for (const q of [
      row.title,
      row.title.toLowerCase(),
      refundId,
      attemptId,
      id.toLowerCase(),
      '4321.09',
      '4 321,09 zł',
      '4321,09 PLN',
    ]) {
      assert.deepEqual(idsOf(await find({ q })), [id], q);
    }
    assert.deepEqual(await find({ q: '4321' }), []);
    assert.deepEqual(await find({ q: id, status: 'canceled' }), []);
  });

  test('letters beyond ASCII, percent signs and quotes are letters', async () => {
    const id = await aTransaction(service, merchant, { hiddenDescription: "Żółw 100% 'x' _" });
    await settleAll(service.world);
    for (const q of ["Żółw 100% 'x' _", 'Żółw', 'Żółw 100%']) assert.deepEqual(idsOf(await find({ q })), [id], q);
    for (const q of ['%', '_', "'", 'Żółw 100_']) assert.deepEqual(await find({ q }), [], q);
  });

  // Guarantee: nobody finds another's transactions, not even by their ids.
  test('nothing of another account', async () => {
    const other = await aMerchant(service);
    const payer = { email: 'only.there@example.com' };
    const id = await aPaidTransaction(service, other, { hiddenDescription: 'only-there', payer, amount: 77.77 });
    await settleAll(service.world);
    const owner = await aPerson(service, 'owner', other.id);
    const [row] = await find({ q: id }, owner);
    assert.ok(row);
    for (const q of [id, row.title, 'only-there', 'only.there@example.com', '77.77']) {
      assert.equal((await find({ q }, owner)).length, 1, q);
      assert.deepEqual(await find({ q }), [], q);
    }
    assert.equal((await service.ask('GET', path)).status, 401);
  });

  // Guarantee: however many match, pages go on; common words are found by looking through the newest.
  test('more matches than are looked up by their index', async () => {
    const many = await aMerchant(service);
    const owner = await aPerson(service, 'owner', many.id);
    const payer = { email: 'same@example.com' };
    const ids: string[] = [];
    for (let index = 0; index < 520; index += 20) {
      const made = Array.from({ length: 20 }, () => aTransaction(service, many, { payer, amount: 5 }));
      ids.push(...(await Promise.all(made)));
    }
    await settleAll(service.world);
    for (const q of ['same@', '5.00']) {
      const found = idsOf(await find({ q, limit: 100 }, owner));
      assert.deepEqual([found.length, new Set(found).size], [520, 520], q);
    }
  });

  // Guarantee: a transaction that is added again, alone or beside a new one, is found once and stops no other.
  test('a transaction that is made findable twice', async () => {
    const { sql } = service.world.db;
    const payer = { email: 'twice@example.com' };
    const first = await aTransaction(service, merchant, { payer });
    await settleAll(service.world);
    const ids = [first, await aTransaction(service, merchant, { payer })].sort();
    await sql.run`insert into transaction_added (transaction_ids) values (${[first]}), (${[...ids, ...ids]}), (${ids})`;
    await settleAll(service.world);
    const kept = await sql.many((row) => row.transaction_id)`
      select transaction_id from panel_search where email = ${payer.email} order by transaction_id`;
    assert.deepEqual(kept, ids);
    assert.deepEqual(idsOf(await find({ q: payer.email })).sort(), ids);
    assert.deepEqual(await sql.many((row) => row)`select * from transaction_added`, []);
  });

  // Guarantee: whichever commits first, no transaction is missed: also not one whose id is smaller than those that were
  // read before it became visible.
  test('a transaction that is committed after younger ones were read', async () => {
    const { db, ids } = service.world;
    const payer = { email: 'late@example.com' };
    const like = await aTransaction(service, merchant, { payer: { email: 'model@example.com' } });
    const late = ids.ulid();
    service.world.clock.advance({ seconds: 1 });
    const younger = await db.atomic(async (sql) => {
      const model = await sql.one(readTransaction)`select * from transaction where id = ${like}`;
      const row = {
        ...model,
        id: late as TransactionId,
        title: 'TR-LATE-0000001',
        payer: { ...model.payer, ...payer },
      };
      await insertTransaction.execute(sql, [row]);
      const id = await aTransaction(service, merchant, { payer });
      await settleAll(service.world);
      assert.deepEqual(idsOf(await find({ q: payer.email })), [id]);
      return id;
    });
    assert.ok(late < younger);
    await settleAll(service.world);
    assert.deepEqual(idsOf(await find({ q: payer.email })).sort(), [late, younger]);
  });

  // Guarantee: a node that dies while it reads leaves everything to the next one.
  test('a reader that fails before its commit', async () => {
    const payer = { email: 'crash@example.com' };
    const id = await aTransaction(service, merchant, { payer });
    const { db } = service.world;
    await transactionCounts.add(service.world, 1_000);
    const dying = { db: { ...db, atomic: (run: (sql: Sql) => Promise<number>) => db.atomic(failing(run)) } };
    await assert.rejects(fillSearchTable(dying as Pick<Tools, 'db'>), /dies/);
    await settleAll(service.world);
    assert.deepEqual(idsOf(await find({ q: payer.email })), [id]);
  });

  test('400: days that do not exist, amounts, places and limits', async () => {
    const faults: [string, string][] = [
      ['from=2026-02-30', 'not_valid from'],
      ['to=0001-01-01', 'not_valid to'],
      ['to=9999-12-31', 'not_valid to'],
      ['from=x', 'not_valid from'],
      ['amountFrom=1.005', 'not_valid amountFrom'],
      ['amountTo=x', 'not_valid amountTo'],
      ['before=x', 'not_valid before'],
      ['before=2026-13-01T00:00:00Z_', 'not_valid before'],
      ['limit=0', 'too_low limit'],
      ['limit=101', 'too_high limit'],
      ['status=lost', 'not_valid status'],
      ['paymentStatus=lost', 'not_valid paymentStatus'],
      ['posId=x', 'not_valid posId'],
    ];
    for (const [query, fault] of faults) {
      service.world.wall.advance({ milliseconds: 20 });
      const answer = await person.ask('GET', `${path}?${query}`);
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, fault], query);
    }
  });
});
