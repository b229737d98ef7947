// R8, GET /recurring: the recurring payments of a merchant, newest first.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readBigint, readInteger } from '../../src/database/index.ts';
import { verifyRecurring } from '../../src/recurring/index.ts';
import { inWords } from '../support/findings.ts';
import { checkInvariants } from '../support/payments.ts';
import { aRecurring, askRecurring, chargeAll, recurringOf } from '../support/recurring.ts';
import { tickAll } from '../support/rooms.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { counting, onOwnConnection, publishCounts } from '../support/statistics.ts';
import { whole } from '../support/verify.ts';

const later = { firstChargeDate: '2030-01-01T10:00:00Z' };

suite('GET /recurring', () => {
  let service: Service;
  let merchant: TestMerchant;
  /** In order of creation: active, finished, failed, canceled, active with a failed attempt. */
  const ids: string[] = [];
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    const rejected = { paymentInstrument: { value: 'payer-rejected' } };
    const anna = { payer: { email: 'Anna@Example.com', name: 'Anna' } };
    const make = async (overrides: Record<string, unknown>) => {
      ids.push(await aRecurring(service, merchant, overrides));
      await chargeAll(service.world);
      service.world.clock.advance({ hours: 5 });
    };
    await make({ schedule: later, hiddenDescription: 'order-1', ...anna });
    await make({ schedule: { chargeCount: 1 }, hiddenDescription: 'order-2', ...anna });
    await make({ schedule: { retryIntervals: [] }, hiddenDescription: 'order-1', ...rejected });
    await make({ schedule: later, hiddenDescription: 'order-3' });
    await make({ hiddenDescription: 'Order-1', ...rejected });
    await askRecurring(service, merchant, ids[3] ?? '', 'cancel');
    await aRecurring(service, await aMerchant(service), { schedule: later, hiddenDescription: 'order-1', ...anna });
  });
  after(() => checkInvariants(service.world));

  const list = (query = '', who = merchant) => service.ask('GET', `/recurring${query}`, { token: who.token });
  const found = async (query: string) => {
    const { status, body, text } = await list(query);
    assert.equal(status, 200, text);
    return [body.list.map(({ id }: { id: string }) => ids.indexOf(id) + 1).join(' '), body.total];
  };

  // Guarantee: each as in R2, with its first, next and past dates.
  test('200', async () => {
    const { status, body } = await list();
    assert.equal(status, 200);
    const { list: listed, requestId, ...rest } = body;
    assert.match(requestId, /^[0-9a-f]{20}$/);
    assert.deepEqual(rest, { result: 'success', page: 1, limit: 35, total: 5 });
    for (const { dates, ...shown } of listed) assert.deepEqual(shown, await recurringOf(service, merchant, shown.id));
    assert.deepEqual(
      listed.map(({ dates }: { dates: unknown }) => dates),
      [
        {
          first: '2026-03-11T06:00:00+01:00',
          next: '2026-03-12T06:00:00+01:00',
          past: [{ date: '2026-03-11T06:00:00+01:00', iterationCount: 1, iterationAttemptCount: 1, status: 'failed' }],
        },
        { first: '2030-01-01T11:00:00+01:00', next: null, past: [] },
        {
          first: '2026-03-10T20:00:00+01:00',
          next: null,
          past: [{ date: '2026-03-10T20:00:00+01:00', iterationCount: 1, iterationAttemptCount: 1, status: 'failed' }],
        },
        {
          first: '2026-03-10T15:00:00+01:00',
          next: null,
          past: [{ date: '2026-03-10T15:00:00+01:00', iterationCount: 1, iterationAttemptCount: 1, status: 'correct' }],
        },
        { first: '2030-01-01T11:00:00+01:00', next: '2030-01-01T11:00:00+01:00', past: [] },
      ],
    );
  });

  // Guarantee: filters apply together, and the total counts what matches, whether or not counts were added up.
  for (const counted of [false, true]) {
    for (const [query, expected, total] of [
      ['', '5 4 3 2 1', 5],
      ['?status=active', '5 1', 2],
      ['?status=finished', '2', 1],
      ['?status=failed', '3', 1],
      ['?status=canceled', '4', 1],
      ['?payerEmail=anna@example.com', '2 1', 2],
      ['?payerEmail=ANNA@EXAMPLE.COM&status=finished', '2', 1],
      ['?payerEmail=anna@example.com&hiddenDescription=order-1', '1', 1],
      ['?payerEmail=nobody@example.com', '', 0],
      ['?hiddenDescription=order-1', '3 1', 2],
      ['?hiddenDescription=order-1&status=failed', '3', 1],
      ['?hiddenDescription=order', '', 0],
      ['?limit=2', '5 4', 5],
      ['?limit=2&page=2', '3 2', 5],
      ['?limit=2&page=3', '1', 5],
      ['?limit=2&page=4', '', 5],
      ['?limit=1&page=2&status=active', '1', 2],
      ['?limit=1&page=2&payerEmail=anna@example.com', '1', 2],
      ['?limit=1&page=2&hiddenDescription=order-1', '1', 2],
    ] as const) {
      test(`200: ${query || 'all'}${counted ? ', added up' : ''}`, async () => {
        if (counted) await tickAll(service.world);
        assert.deepEqual(await found(query), [expected, total]);
      });
    }
  }

  // Guarantee: one that is restored counts as active again, and shows the dates that were passed over.
  test('200: a restored one', async () => {
    const own = await aMerchant(service);
    const id = await aRecurring(service, own, {
      schedule: { retryIntervals: [], interval: 1, intervalType: 'days' },
      paymentInstrument: { value: 'payer-rejected' },
    });
    const first = service.world.clock.now();
    await chargeAll(service.world);
    service.world.clock.advance({ hours: 24 * 3 + 1 });
    const dates = async () => {
      const { body } = await list('?status=active', own);
      const shown = (await service.ask('GET', `/recurring/${id}/schedule`, { token: own.token })).body;
      assert.deepEqual(shown.dates, body.list[0].dates);
      return body.list[0].dates.past.map(
        (past: Record<string, unknown>) =>
          `${past.iterationCount}.${past.iterationAttemptCount ?? ''} ${past.status} ${first.until(String(past.date)).total('hours')}`,
      );
    };
    assert.equal((await list('?status=failed', own)).body.total, 1);
    const paymentInstrument = { paymentType: 'card_token', value: 'tok' };
    await askRecurring(service, own, id, 'payment_instrument', { paymentInstrument });
    assert.deepEqual(await dates(), ['4. passed 72', '3. passed 48', '2. passed 24', '1.1 failed 0']);
    await chargeAll(service.world);
    const after = ['1.2 correct 73', '4. passed 72', '3. passed 48', '2. passed 24', '1.1 failed 0'];
    assert.deepEqual(await dates(), after);
    service.world.clock.advance({ hours: 23 });
    await chargeAll(service.world);
    assert.deepEqual(await dates(), ['5.1 correct 96', ...after]);
    await askRecurring(service, own, id, 'cancel');
  });

  for (const [query, expected] of [
    ['?page=0', ['too_low page']],
    ['?limit=101', ['too_high limit']],
    ['?status=ended', ['not_valid status']],
    ['?payerEmail=', ['too_short payerEmail']],
    ['?hiddenDescription=', ['too_short hiddenDescription']],
  ] as const) {
    test(`400: ${query}`, async () => {
      const answer = await list(query);
      assert.deepEqual([answer.status, faultsOf(answer)], [400, expected]);
    });
  }

  test('401; a read-only credential is enough', async () => {
    assert.equal((await service.ask('GET', '/recurring')).status, 401);
    assert.equal((await list('', await aCredential(service, merchant, 'read_only'))).status, 200);
  });

  // Guarantee: verify reports a list or a count that differs from what there is.
  test('verify', async () => {
    const { sql } = service.world.db;
    await tickAll(service.world);
    await sql.run`update recurring_listed set status = 'finished' where recurring_id = ${ids[0] ?? ''}`;
    await sql.run`update recurring_count set active = active + 1 where merchant_id = ${merchant.id}`;
    const problems = inWords(await verifyRecurring(service.world, whole(service.world)));
    assert.ok(problems.includes(`Recurring payment ${ids[0]}: lists show it otherwise than it is.`), problems.join());
    assert.ok(problems.some((problem) => problem.startsWith(`Merchant ${merchant.id}: `)));
    await sql.run`update recurring_listed set status = 'active' where recurring_id = ${ids[0] ?? ''}`;
    await sql.run`update recurring_count set active = active - 1 where merchant_id = ${merchant.id}`;
  });
});

suite('GET /recurring, many', () => {
  const others = 20_000;

  /** Copies of one, each an hour after the one before. */
  async function insertOthers(service: Service, id: string): Promise<void> {
    await onOwnConnection(service.world, async (client) => {
      await client.query(
        `insert into recurring
         select (jsonb_populate_record(one, jsonb_build_object(
                  'id', '00000000000000000000' || lpad(number::text, 6, '0'), 'hidden_description', 'copy-' || number,
                  'payer', jsonb_build_object('email', 'payer' || number % 1000 || '@example.com', 'name', 'A'),
                  'created_at', one.created_at - interval '1 hour' * number))).*
           from recurring as one, generate_series(1, $1::bigint) as number where one.id = $2`,
        [others, id],
      );
      await client.query('analyze');
    });
  }
  const tables = ['recurring', 'recurring_listed', 'charge'];
  /** Rows of these tables read so far, also those that only an index was read for. */
  async function rowsRead(service: Service): Promise<bigint> {
    const { sql } = service.world.db;
    await publishCounts(sql);
    return sql.one((row) => readBigint(row, 'read'))`
      select ((select sum(seq_tup_read + idx_tup_fetch) from pg_stat_user_tables where relname = any(${tables}::text[]))
           + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = any(${tables}::text[])))::bigint as read`;
  }

  // Guarantee: a page reads about as many rows as it has, however many there are and wherever it is.
  test('a page does not read the others', async () => {
    const service = await aService(counting);
    const merchant = await aMerchant(service);
    const id = await aRecurring(service, merchant, { schedule: later });
    await insertOthers(service, id);
    const left = () =>
      service.world.db.sql.one((row) => readInteger(row, 'left'))`
        select count(*)::integer as left from recurring_count_change`;
    assert.ok((await left()) > 0);
    await tickAll(service.world);
    assert.equal(await left(), 0);
    for (const [query, total, atMost] of [
      ['?limit=10', others + 1, 200n],
      ['?limit=10&page=1900', others + 1, 200n],
      ['?limit=10&page=1900&status=active', others + 1, 200n],
      ['?status=failed', 0, 200n],
      ['?payerEmail=payer7@example.com', 20, 300n],
      ['?hiddenDescription=copy-77', 1, 100n],
    ] as const) {
      // Plans are kept after some runs: one made for all queries must be good for each.
      for (let run = 0; run < 8; run += 1) await service.ask('GET', `/recurring${query}`, { token: merchant.token });
      const before = await rowsRead(service);
      const { body, text } = await service.ask('GET', `/recurring${query}`, { token: merchant.token });
      const read = (await rowsRead(service)) - before;
      assert.equal(body.total, total, text.slice(0, 200));
      assert.ok(read <= atMost, `${query} read ${read} rows`);
    }
  });
});
