// E5, GET /transactions/{id}/refunds, and E6, GET /refunds.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { readBigint } from '../../src/database/index.ts';
import type { AccountId } from '../../src/kernel/index.ts';
import { listRefunds } from '../../src/refunds/list.ts';
import { openVault, systemRandom } from '../../src/runtime/index.ts';
import { aPaidTransaction, aTransaction, checkInvariants, payCard, savedTokenOf, show } from '../support/payments.ts';
import { aRecurring, attemptsOf, chargeAll } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { counting, publishCounts } from '../support/statistics.ts';

interface Listed {
  readonly refundId: string;
  readonly amount: number;
}

let service: Service;
let merchant: TestMerchant;
/** Transactions: paid by BLIK, by a saved card, and with the same card again. */
let blik: string;
let card: string;
let again: string;
let token: string;
const titles: Record<string, string> = {};

/**
 * Eight refunds, ten minutes apart from 10:00 in Warsaw, of 1.00 to 8.00: odd ones of Anna's BLIK payment, 2 and 6 of
 * Jan's card payment, 4 and 8 of Jan's second one with the saved card.
 */
before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
  await fund(service, merchant, 100_000n);
  blik = await aPaidTransaction(service, merchant, { amount: 100, payer: { email: 'Anna@Example.com', name: 'Anna' } });
  card = await aTransaction(service, merchant, { amount: 100.01, payer: { email: 'jan@example.com' } });
  await payCard(service, merchant, card, { save: true });
  token = await savedTokenOf(service, card);
  again = await aTransaction(service, merchant, { amount: 100.01, payer: { email: 'jan@example.com' } });
  const paid = await service.ask('POST', `/transactions/${again}/pay`, {
    token: merchant.token,
    body: { channelId: 53, cardPaymentData: { token } },
  });
  assert.equal(paid.body.status, 'paid', paid.text);
  for (const id of [blik, card, again]) titles[id] = (await show(service, merchant, id)).body.title;
  for (let amount = 1; amount <= 8; amount += 1) {
    await aRefund(service, merchant, amount % 2 === 1 ? blik : amount % 4 === 2 ? card : again, { amount });
    service.world.clock.advance({ minutes: 10 });
  }
  const stranger = await aMerchant(service);
  await fund(service, stranger, 10_000n);
  const theirs = await aPaidTransaction(service, stranger, { payer: { email: 'jan@example.com' } });
  await aRefund(service, stranger, theirs);
});

const ask = (path: string, of = merchant) => service.ask('GET', path, { token: of.token });
const amountsOf = (list: Listed[]) => list.map(({ amount }) => amount).join(' ');
const listed = ({ body }: Answer) => amountsOf(body.transactions.list);

const pageFaults = [
  ['page=0', ['too_low page']],
  ['page=-1', ['too_low page']],
  ['page=x', ['not_integer page']],
  ['page=', ['not_integer page']],
  ['page=1.5', ['not_integer page']],
  ['page=1000001', ['too_high page']],
  ['limit=0', ['too_low limit']],
  ['limit=101', ['too_high limit']],
  ['limit=x&page=0', ['not_integer limit', 'too_low page']],
  ['from=2026-03-10', ['not_valid from']],
  ['from=2026-02-30 10:00:00', ['not_valid from']],
  ['to=2026-03-10T10:00:00', ['not_valid to']],
  ['from=2026-13-01 00:00:00&to=2026-01-01 25:00:00', ['not_valid from', 'not_valid to']],
] as const;

const encoded = (query: string) => query.replaceAll(' ', '%20').replaceAll('@', '%40');

suite('GET /refunds', () => {
  after(() => checkInvariants(service.world));

  // Guarantee: newest first, 35 per page by default, with the total (docs/api.md#conventions).
  test('200: everything', async () => {
    const answer = await ask('/refunds');
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['result', 'requestId', 'transactions', 'page', 'limit', 'total']);
    assert.equal(listed(answer), '8 7 6 5 4 3 2 1');
    assert.deepEqual([answer.body.page, answer.body.limit, answer.body.total], [1, 35, 8]);
    assert.deepEqual(answer.body.transactions.list[0], {
      refundId: answer.body.transactions.list[0].refundId,
      status: 'New',
      amount: 8,
      currency: 'PLN',
      date: { schedule: '2026-03-10 11:10:00', processed: null },
      transactionId: again,
      transactionTitle: titles[again],
    });
  });

  // Guarantee: every filter, alone and combined, with pages and totals. `from` and `to` are inclusive, to the second.
  for (const [query, amounts, total] of [
    ['limit=3', '8 7 6', 8],
    ['limit=3&page=2', '5 4 3', 8],
    ['limit=3&page=3', '2 1', 8],
    ['limit=3&page=4', '', 8],
    ['limit=100&page=1000000', '', 8],
    ['context=card', '8 6 4 2', 4],
    ['context=card&limit=3', '8 6 4', 4],
    ['context=card&limit=3&page=2', '2', 4],
    ['context=transactional', '7 5 3 1', 4],
    ['context=transactional&limit=2&page=2', '3 1', 4],
    ['from=2026-03-10 10:20:00', '8 7 6 5 4 3', 6],
    ['to=2026-03-10 10:20:00', '3 2 1', 3],
    ['from=2026-03-10 10:20:01', '8 7 6 5 4', 5],
    ['to=2026-03-10 10:19:59', '2 1', 2],
    ['from=2026-03-10 10:20:00&to=2026-03-10 10:50:00', '6 5 4 3', 4],
    ['from=2026-03-10 10:20:00&to=2026-03-10 10:50:00&limit=3&page=2', '3', 4],
    ['from=2026-03-10 10:20:00&to=2026-03-10 10:20:00', '3', 1],
    ['from=2026-03-10 10:50:00&to=2026-03-10 10:20:00', '', 0],
    ['from=2030-01-01 00:00:00', '', 0],
    ['to=2020-01-01 00:00:00', '', 0],
    ['context=card&from=2026-03-10 10:20:00&to=2026-03-10 10:50:00', '6 4', 2],
    ['context=transactional&from=2026-03-10 10:20:00&to=2026-03-10 10:50:00&limit=1&page=2', '3', 2],
    ['payerEmail=anna@example.com', '7 5 3 1', 4],
    ['payerEmail=ANNA@example.COM&limit=3&page=2', '1', 4],
    ['payerEmail=jan@example.com', '8 6 4 2', 4],
    ['payerEmail=jan@example.com&context=card&from=2026-03-10 10:30:00', '8 6 4', 3],
    ['payerEmail=jan@example.com&context=transactional', '', 0],
    ['payerEmail=nobody@example.com', '', 0],
    ['payerEmail=no address', '', 0],
    ['transactionTitle={again}', '8 4', 2],
    ['transactionTitle={again}&to=2026-03-10 10:30:00', '4', 1],
    ['transactionTitle={again}&context=transactional', '', 0],
    ['transactionTitle={again}&payerEmail=anna@example.com', '', 0],
    ['transactionTitle={again}&limit=1&page=2', '4', 2],
    ['transactionTitle=TR-0000-0000000', '', 0],
    ['context=card&token={token}', '8 6 4 2', 4],
    ['context=card&token={token}&limit=3&page=2', '2', 4],
    ['context=card&token={token}&payerEmail=jan@example.com&to=2026-03-10 10:30:00', '4 2', 2],
    ['context=card&token={token}&transactionTitle={card}', '6 2', 2],
    ['context=card&token=unknown', '', 0],
    ['unknown=1', '8 7 6 5 4 3 2 1', 8],
  ] as const) {
    test(`200: ${query}`, async () => {
      const filled = query
        .replace('{again}', titles[again] ?? '')
        .replace('{card}', titles[card] ?? '')
        .replace('{token}', token);
      const answer = await ask(`/refunds?${encoded(filled)}`);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([listed(answer), answer.body.total], [amounts, total]);
    });
  }

  for (const [query, faults] of [
    ...pageFaults,
    ['context=cards', ['not_valid context']],
    ['context=', ['not_valid context']],
    ['token=abc', ['not_valid token']],
    ['token=abc&context=transactional', ['not_valid token']],
    ['limit=1&limit=2', ['not_integer limit']],
    ['payerEmail=a&payerEmail=b', ['not_string payerEmail']],
  ] as const) {
    test(`400: ${query}`, async () => {
      const answer = await ask(`/refunds?${encoded(query)}`);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults);
    });
  }

  test('401: no token', async () => assert.equal((await service.ask('GET', '/refunds')).status, 401));
  test('405: no POST', async () => assert.equal((await service.ask('POST', '/refunds')).status, 405));

  // Guarantee: a merchant without refunds has an empty list, and sees nobody else's.
  test('200: nobody else sees them', async () => {
    const other = await aMerchant(service);
    for (const query of ['', `?transactionTitle=${titles[again]}`, `?context=card&token=${token}`]) {
      const { body } = await ask(`/refunds${query}`, other);
      assert.deepEqual([body.transactions.list, body.total], [[], 0]);
    }
  });

  // Guarantee: the order is stable while refunds are added: page 2 repeats nothing of page 1, and nothing is lost.
  test('200: pages of one period do not move', async () => {
    const period = encoded('to=2026-03-10 11:10:00');
    const first = await ask(`/refunds?${period}&limit=4`);
    await aRefund(service, merchant, blik, { amount: 9 });
    const second = await ask(`/refunds?${period}&limit=4&page=2`);
    assert.equal(`${listed(first)} ${listed(second)}`, '8 7 6 5 4 3 2 1');
  });
});

suite('a clock that goes back', () => {
  after(() => checkInvariants(service.world));

  // Guarantee: lists are in order of numbers and of times, also when the clock of another node is behind.
  test('200: a later refund is never older', async () => {
    const shop = await aMerchant(service);
    await fund(service, shop, 100_000n);
    const id = await aPaidTransaction(service, shop, { amount: 100 });
    const at = service.world.clock.now();
    await aRefund(service, shop, id, { amount: 1 });
    service.world.clock.set(at.subtract({ hours: 1 }).toString());
    await aRefund(service, shop, id, { amount: 2 });
    service.world.clock.set(at.toString());
    const times = await service.world.db.sql.many((row) => String(row.created_at))`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
        from refund where merchant_id = ${shop.id} order by number`;
    assert.deepEqual(times, [at.toString(), at.toString()]);
  });
});

suite('GET /transactions/{id}/refunds', () => {
  after(() => checkInvariants(service.world));

  const list = (query: string) => ask(`/transactions/${blik}/refunds${query === '' ? '' : `?${encoded(query)}`}`);

  // Guarantee: the transaction's fields and its refunds, newest first.
  test('200: everything', async () => {
    const { status, body } = await list('to=2026-03-10 11:10:00');
    assert.equal(status, 200);
    const { result: _result, requestId: _id, payments, ...shown } = (await show(service, merchant, blik)).body;
    const { attempts: _attempts, ...paid } = payments;
    for (const [name, value] of Object.entries({ ...shown, payments: paid })) assert.deepEqual(body[name], value, name);
    assert.equal(amountsOf(body.refundsList), '7 5 3 1');
    assert.deepEqual([body.refundsNoAccountList, body.refundsCardsList], [[], []]);
    assert.deepEqual([body.page, body.limit, body.total], [1, 35, 4]);
  });

  test('200: a card', async () => {
    const { body } = await ask(`/transactions/${card}/refunds`);
    assert.equal(amountsOf(body.refundsList), '6 2');
    assert.deepEqual(body.refundsCardsList, body.refundsList);
  });

  for (const [query, amounts, total] of [
    ['to=2026-03-10 11:10:00&limit=3', '7 5 3', 4],
    ['to=2026-03-10 11:10:00&limit=3&page=2', '1', 4],
    ['to=2026-03-10 11:10:00&limit=3&page=3', '', 4],
    ['from=2026-03-10 10:20:00&to=2026-03-10 10:40:00', '5 3', 2],
    ['from=2026-03-10 10:20:01&to=2026-03-10 10:39:59', '', 0],
  ] as const) {
    test(`200: ${query}`, async () => {
      const { body } = await list(query);
      assert.deepEqual([amountsOf(body.refundsList), body.total], [amounts, total]);
    });
  }

  for (const [query, faults] of pageFaults) {
    test(`400: ${query}`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, faults]);
    });
  }

  // Guarantee: another merchant's transaction gives the same response as a nonexistent one, byte for byte.
  test('404: foreign, unknown and malformed ids', async () => {
    const other = await aMerchant(service);
    const answers = await Promise.all(
      [blik, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', 'nonsense'].map((id) => ask(`/transactions/${id}/refunds`, other)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404]);
    assert.equal(new Set(answers.map(({ text, body }) => text.replace(body.requestId, ''))).size, 1);
  });

  test('401: no token', async () =>
    assert.equal((await service.ask('GET', `/transactions/${blik}/refunds`)).status, 401));
});

// E6 by the token of a recurring payment.
suite('GET /refunds, of recurring charges', () => {
  const refundsOf = (value: string, of: TestMerchant) =>
    ask(`/refunds?context=card&token=${encodeURIComponent(value)}`, of);
  const charged = async (of: TestMerchant, value: string, at = service) => {
    const id = await aRecurring(at, of, { schedule: { chargeCount: 1 }, paymentInstrument: { value } });
    await chargeAll(at.world);
    const [attempt] = await attemptsOf(at, of, id);
    assert.equal(attempt?.status, 'correct');
    return attempt?.transactionId ?? '';
  };

  // Guarantee: refunds of charges of a saved card, and of an acquirer's token, are found by that token, beside those of
  // payments; another merchant's token finds nothing, and so does an alias.
  test('by token', async () => {
    const own = await aMerchant(service);
    await fund(service, own, 100_000n);
    const paid = await aTransaction(service, own, { amount: 100.01 });
    await payCard(service, own, paid, { save: true });
    const saved = await savedTokenOf(service, paid);
    await aRefund(service, own, paid, { amount: 1 });
    await aRefund(service, own, await charged(own, saved), { amount: 2 });
    await aRefund(service, own, await charged(own, 'tok-of-the-acquirer'), { amount: 3 });
    await aRefund(service, own, await charged(own, 'another-tok'), { amount: 4 });
    const stranger = await aMerchant(service);
    await fund(service, stranger, 100_000n);
    await aRefund(service, stranger, await charged(stranger, 'tok-of-the-acquirer'), { amount: 5 });
    assert.equal(listed(await refundsOf(saved, own)), '2 1');
    assert.equal(listed(await refundsOf('tok-of-the-acquirer', own)), '3');
    assert.equal(listed(await refundsOf('tok-of-the-acquirer', stranger)), '5');
    assert.equal(listed(await refundsOf(saved, stranger)), '');
    assert.equal(listed(await refundsOf('another-tok', merchant)), '');
    const { body } = await refundsOf('another-tok', own);
    assert.equal(body.total, 1);
    // Guarantee: no token is readable in the tables, and an acquirer's cannot be guessed from a plain digest.
    const kept = await service.world.db.sql.many((row) => String(row.card_token))`
      select card_token from refund where merchant_id = ${own.id} and card_token is not null`;
    const plain = [saved, 'tok-of-the-acquirer', 'another-tok'];
    const digests = plain.slice(1).map((value) => hash('sha256', value));
    assert.deepEqual(
      kept.filter((reference) => [...plain, ...digests].includes(reference)),
      [],
    );
    assert.equal(kept.length, 4);
    await checkInvariants(service.world);
  });

  // Guarantee: they are found after the vault's key was replaced.
  test('after a new key', async () => {
    const own = await aMerchant(service);
    await fund(service, own, 100_000n);
    await aRefund(service, own, await charged(own, 'tok-before'), { amount: 1 });
    const { world } = service;
    const keys = [
      { id: 'new', key: new Uint8Array(32).fill(7) },
      { id: 'test', key: world.vaultKey },
    ];
    const vault = openVault(keys, systemRandom());
    const { refunds } = await listRefunds(
      { db: world.db, vault },
      { id: own.id as AccountId, zone: 'Europe/Warsaw' },
      { context: 'card', token: 'tok-before' },
    );
    assert.equal(refunds.length, 1);
  });

  // Guarantee: a list by token reads the refunds of that token, however many others the merchant has.
  test('among many', async () => {
    const many = await aService(counting);
    const own = await aMerchant(many);
    await fund(many, own, 100_000n);
    await aRefund(many, own, await charged(own, 'tok-among-many', many), { amount: 1 });
    const { sql } = many.world.db;
    const find = () => many.ask('GET', '/refunds?context=card&token=tok-among-many', { token: own.token });
    await sql.run`
      insert into outgoing_refund
      select (jsonb_populate_record(one, jsonb_build_object('id', made.id, 'subject_id', made.id))).*
        from outgoing_refund as one, generate_series(1, 5000) as place
       cross join lateral (select '00000000000000000000' || lpad(place::text, 6, '0') as id) as made
       where one.merchant_id = ${own.id}`;
    await sql.run`
      insert into refund
      select (jsonb_populate_record(one, jsonb_build_object(
               'id', '00000000000000000000' || lpad(place::text, 6, '0'), 'number', place + 1, 'card_count', place + 1,
               'card_token', 'test.' || place))).*
        from refund as one, generate_series(1, 5000) as place where one.merchant_id = ${own.id}`;
    await sql.run`update refund_counter set refunds = 5001, card_refunds = 5001 where merchant_id = ${own.id}`;
    await sql.run`analyze refund`;
    const rowsRead = async () => {
      await publishCounts(sql);
      return sql.one((row) => readBigint(row, 'read'))`
        select ((select seq_tup_read + idx_tup_fetch from pg_stat_user_tables where relname = 'refund')
              + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'refund'))::bigint as read`;
    };
    for (let run = 0; run < 8; run += 1) await find();
    const before = await rowsRead();
    assert.equal((await find()).body.total, 1);
    const read = (await rowsRead()) - before;
    assert.ok(read > 0n && read < 50n, `${read} rows`);
  });
});
