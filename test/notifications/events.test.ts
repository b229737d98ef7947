// GET /events, POST /events/{id}/resend, POST /events/resend, GET /events/{id}/deliveries.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret } from '../../src/kernel/index.ts';
import { insertEvents, numberEvents, readEvents } from '../../src/notifications/index.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aReceiver, confirmed } from '../support/receiver.ts';
import { aCredential, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import {
  aNotificationService,
  anAccount,
  anEvent,
  aPayload,
  aTransactionPayload,
  passTime,
  type Stage,
  someEvents,
} from './support.ts';

let service: Service & { stage: Stage };
let merchant: TestMerchant;
let other: TestMerchant;

before(async () => {
  service = await aNotificationService();
  merchant = await aMerchant(service);
  other = await aMerchant(service);
});

const read = (query: string, who = merchant) => service.ask('GET', `/events${query}`, { token: who.token });
const idsOf = (body: { events: { eventId: string }[] }) => body.events.map(({ eventId }) => eventId);

/** All events, page by page, as a client reads them. */
async function readAll(who: TestMerchant, limit: number, from = 0): Promise<{ ids: string[]; after: number }> {
  const ids: string[] = [];
  let after = from;
  for (;;) {
    const { body } = await read(`?after=${after}&limit=${limit}`, who);
    ids.push(...idsOf(body));
    after = body.after;
    if (!body.hasMore) return { ids, after };
  }
}

suite('GET /events', () => {
  // Guarantee: every field is present, and an event without a URL can still be read.
  test('200: an event without an address', async () => {
    const { world } = service;
    const who = await aMerchant(service);
    const [id = ''] = await someEvents(world, who.id, null);
    const { status, body } = await read('', who);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      result: 'success',
      requestId: body.requestId,
      events: [
        {
          eventId: id,
          position: body.events[0].position,
          type: 'recurring',
          subjectId: id,
          url: null,
          createdAt: '2026-03-10T09:00:00Z',
          contentType: 'application/json',
          payload: aPayload(who.id).body,
          status: 'no_address',
          tries: 0,
          nextTryAt: null,
          deliveredAt: null,
        },
      ],
      after: body.events[0].position,
      hasMore: false,
    });
  });

  test('200: nothing yet', async () => {
    const { body } = await read('?after=7', await aMerchant(service));
    assert.deepEqual([body.events, body.after, body.hasMore], [[], 7, false]);
  });

  test('200: pages continue where the last one ended', async () => {
    const who = await aMerchant(service);
    const ids = await someEvents(service.world, who.id, null, 25);
    assert.deepEqual((await readAll(who, 10)).ids.sort(), ids.sort());
    const first = await read('?limit=10', who);
    assert.equal(first.body.hasMore, true);
    assert.equal(first.body.events.length, 10);
  });

  // Guarantee: nobody reads another account's events.
  test("200: another merchant's events are not there", async () => {
    await someEvents(service.world, merchant.id, null, 3);
    const mine = idsOf((await read('?limit=100')).body);
    const theirs = idsOf((await read('?limit=100', other)).body);
    assert.ok(mine.length >= 3);
    assert.deepEqual(
      theirs.filter((id) => mine.includes(id)),
      [],
    );
  });

  for (const query of ['?after=-1', '?after=x', '?limit=0', '?limit=101', '?after=1.5']) {
    test(`400: ${query}`, async () => assert.equal((await read(query)).status, 400));
  }
  test('401: no token', async () => assert.equal((await service.ask('GET', '/events')).status, 401));

  // Guarantee: events that commit late, in any order, are never skipped by a reader that has moved on.
  test('a reader misses nothing during concurrent commits, some late, some never', async () => {
    const { world } = service;
    const who = await aMerchant(service);
    const expected: string[] = [];
    let writing = true;
    const seen: string[] = [];
    let after = 0;
    async function follow(): Promise<void> {
      while (writing) {
        const step = await readAll(who, 7, after);
        seen.push(...step.ids);
        after = step.after;
      }
    }
    async function write(lane: number): Promise<void> {
      for (let round = 0; round < 15; round += 1) {
        const events = Array.from({ length: 1 + (round % 3) }, () => anEvent(world, who.id, null));
        const undone = (round + lane) % 5 === 0;
        await world.db
          .atomic(async (sql) => {
            await insertEvents(sql, world.vault, events);
            // Others commit in between, and some readers number them.
            for (let step = 0; step < lane; step += 1) await sql.run`select 1`;
            if (undone) throw new Error('rolled back');
          })
          .catch((error) => assert.equal(error.message, 'rolled back'));
        if (!undone) expected.push(...events.map(({ id }) => id));
      }
    }
    const following = follow();
    await Promise.all([0, 1, 2, 4, 8, 16].map(write));
    writing = false;
    await following;
    seen.push(...(await readAll(who, 7, after)).ids);
    assert.deepEqual([...seen].sort(), [...expected].sort(), 'each exactly once');
    assert.deepEqual((await readAll(who, 100)).ids, seen, 'in the same order when read again');
  });

  // Guarantee: positions are dense over the whole database, so a gap would be a loss.
  test('positions have no gaps', async () => {
    const { world } = service;
    while ((await numberEvents(world)) > 0);
    const [row] = await world.db.sql.many((found) => found)`
      select (select count(*)::integer from event) as count, max(position)::integer as last,
             count(distinct position)::integer as different, count(distinct event_id)::integer as events
        from event_position`;
    assert.deepEqual([row?.last, row?.different, row?.events], [row?.count, row?.count, row?.count]);
  });

  // Guarantee: a backlog is numbered in full sets, each event once, and a reader waits for all of it.
  test('more events than one set', async () => {
    const { world } = service;
    const who = await aMerchant(service);
    const insertMany = async () => {
      for (let statement = 0; statement < 3; statement += 1) {
        const events = Array.from({ length: 3_000 }, () => anEvent(world, who.id, null));
        await world.db.atomic((sql) => insertEvents(sql, world.vault, events));
      }
    };
    while ((await numberEvents(world)) > 0);
    await insertMany();
    const sets = [await numberEvents(world), await numberEvents(world), await numberEvents(world)];
    assert.deepEqual(sets, [6_000, 3_000, 0]);
    await insertMany();
    await readAll(who, 1, 1_000_000_000);
    assert.equal(await numberEvents(world), 0);
  });

  // Guarantee: a dump of the database shows no card token, and the merchant still gets it.
  test('a card token is sealed at rest, sent, and kept out of the log', async () => {
    const { world, stage } = service;
    const account = await anAccount(world);
    const receiver = await aReceiver();
    receiver.answer = (received) => ({ status: 200, body: received.body });
    const token = new Secret('tok-very-secret');
    const savedCard = { token, expiryDate: '1229', tail: '1111', brand: 'Visa' };
    const payload = aTransactionPayload(account, { savedCard });
    const event = { ...anEvent(world, account.id, receiver.url, payload), type: 'transaction' as const };
    await insertEvents(world.db.sql, world.vault, [event]);
    await stage.sender().drain();
    assert.match(receiver.received[0]?.body ?? '', /card_token=tok-very-secret/);
    const dump = await world.db.sql.many((row) => JSON.stringify(row.everything))`
      select to_jsonb(event) || to_jsonb(delivery_try) as everything
        from event join delivery_try on delivery_try.event_id = event.id where event.id = ${event.id}`;
    assert.equal(dump.length, 1);
    assert.doesNotMatch(dump.join(), /tok-very-secret/);
    receiver.answer = confirmed;
    world.clock.advance({ seconds: 6 });
    await stage.sender().drain();
  });
});

suite('sending again', () => {
  // Guarantee: the log of a response that does not confirm says what was expected and what came.
  test('200: the log of a wrong answer', async () => {
    const { world, stage } = service;
    const receiver = await aReceiver();
    receiver.answer = { status: 200, body: 'Thanks!' };
    const [id = ''] = await someEvents(world, merchant.id, receiver.url);
    await stage.sender().drain();
    const log = await service.ask('GET', `/events/${id}/deliveries`, { token: merchant.token });
    const [{ error, detail, answer }] = log.body.deliveries;
    const sentence =
      'Expected status 200 and the body TRUE or {"result": true}; got status 200 and the body "Thanks!".';
    assert.deepEqual([error, detail, answer], ['wrong_answer', sentence, 'Thanks!']);
    receiver.answer = confirmed;
    world.clock.advance({ seconds: 6 });
    await stage.sender().drain();
  });

  // Guarantee: a resend is a new round with the same id.
  test('200: one that was delivered is delivered again, with the same id', async () => {
    const { world, stage } = service;
    const receiver = await aReceiver();
    const [id = ''] = await someEvents(world, merchant.id, receiver.url);
    await stage.sender().drain();
    const answer = await service.ask('POST', `/events/${id}/resend`, { token: merchant.token });
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.body.eventId, answer.body.status], [id, 'pending']);
    await stage.sender().drain();
    assert.deepEqual(receiver.ids, [id, id]);
    const log = await service.ask('GET', `/events/${id}/deliveries`, { token: merchant.token });
    assert.deepEqual(
      log.body.deliveries.map((one: { number: number; error: string | null }) => [one.number, one.error]),
      [
        [1, null],
        [2, null],
      ],
    );
  });

  // Guarantee: exhausted deliveries can be resent in bulk, by time, with thirteen new attempts.
  test('200: exhausted ones in bulk, by time', async () => {
    const { world, stage } = service;
    const who = await aMerchant(service);
    const receiver = await aReceiver();
    receiver.answer = { status: 500, body: '' };
    await someEvents(world, who.id, receiver.url, 3);
    await passTime(stage, stage.sender(), world.clock.now().add({ hours: 24 * 5 }));
    const later = world.clock.now();
    await someEvents(world, who.id, receiver.url, 2);
    await passTime(stage, stage.sender(), later.add({ hours: 24 * 5 }));
    const statuses = (await read('', who)).body.events.map((event: { status: string }) => event.status);
    assert.deepEqual(statuses, Array(5).fill('exhausted'));
    const bulk = (body: unknown) => service.ask('POST', '/events/resend', { token: who.token, body });
    const from = later.toZonedDateTimeISO('Europe/Warsaw').toPlainDateTime().toString({ smallestUnit: 'second' });
    const none = await bulk({ status: 'exhausted', to: '2026-01-01 00:00:00' });
    assert.deepEqual([none.body.count, none.body.hasMore], [0, false]);
    assert.equal((await bulk({ status: 'exhausted', from: from.replace('T', ' ') })).body.count, 2);
    assert.equal((await bulk({ status: 'exhausted' })).body.count, 3);
    assert.equal((await bulk({ status: 'exhausted' })).body.count, 0);
    receiver.answer = confirmed;
    await stage.sender().drain();
    const events = (await read('', who)).body.events;
    assert.deepEqual(
      events.map((event: { status: string; tries: number }) => [event.status, event.tries]),
      Array(5).fill(['delivered', 14]),
    );
  });

  test('400: bulk without a status, with another, with no such date', async () => {
    const bulk = (body: unknown) => service.ask('POST', '/events/resend', { token: merchant.token, body });
    assert.deepEqual(faultsOf(await bulk({})), ['field_required status']);
    assert.equal((await bulk({ status: 'delivered' })).status, 400);
    assert.deepEqual(faultsOf(await bulk({ status: 'exhausted', from: '2026-02-30 00:00:00' })), ['not_valid from']);
  });

  test('400: an event without an address', async () => {
    const [id] = await someEvents(service.world, merchant.id, null);
    assert.equal((await service.ask('POST', `/events/${id}/resend`, { token: merchant.token })).status, 400);
  });

  test('403: a credential that may only read', async () => {
    const reader = await aCredential(service, merchant, 'read_only');
    const [id] = await someEvents(service.world, merchant.id, null);
    for (const path of [`/events/${id}/resend`, '/events/resend']) {
      const body = { status: 'exhausted' };
      assert.equal((await service.ask('POST', path, { token: reader.token, body })).status, 403);
    }
  });

  // Guarantee: a foreign, an unknown and a malformed id give the same response.
  test('404: foreign, unknown and malformed ids alike', async () => {
    const [foreign = ''] = await someEvents(service.world, other.id, 'http://127.0.0.1:1/');
    const unknown = service.world.ids.ulid();
    for (const [method, path] of [
      ['POST', 'resend'],
      ['GET', 'deliveries'],
    ] as const) {
      const texts: string[] = [];
      for (const id of [foreign, unknown, 'nonsense', foreign.toLowerCase()]) {
        const answer = await service.ask(method, `/events/${id}/${path}`, { token: merchant.token });
        assert.equal(answer.status, 404);
        texts.push(answer.text.replace(answer.body.requestId, ''));
      }
      assert.equal(new Set(texts).size, 1);
    }
    const tries = await service.world.db.sql.one((row) => row.tries)`
      select tries from delivery where event_id = ${foreign}`;
    assert.equal(tries, 0);
  });
});

suite('the schema', () => {
  const unknown = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';
  const run = (statement: string) => service.world.db.sql.run([statement] as unknown as TemplateStringsArray);
  /** Two attempts of each of these events. */
  const someTries = (ids: string) =>
    `insert into delivery_try select id, number, '2026-03-10', 200, null, 0, '' from (${ids}) as named (id), generate_series(101, 102) as number`;

  // Guarantee: a delivery and its log belong to an event, which stays.
  for (const [what, statement, message] of [
    [
      'a delivery of an unknown event',
      `insert into delivery (event_id, account_id, endpoint, status, next_try_at) select '${unknown}', account_id, 'x', 'pending', created_at from event limit 1`,
      /unknown event/,
    ],
    [
      'an attempt of an unknown event among others',
      someTries(`select id from event union all select '${unknown}'`),
      /unknown event/,
    ],
    ['a delivery that changes its event', `update delivery set event_id = '${unknown}'`, /never changed/],
    ['an attempt that changes its event', `update delivery_try set event_id = '${unknown}'`, /never changed/],
    ['an event that changes its id', `update event set id = '${unknown}'`, /never changed/],
    ['a deleted event', 'delete from event', /never changed/],
    ['all events deleted', 'truncate event cascade', /never changed/],
    ['a changed position', 'update event_position set position = position + 1', /never changed/],
    ['a deleted position', 'delete from event_position', /never changed/],
    [
      'a second position of an event',
      `insert into event_position select number, '${unknown}', '${unknown}' from generate_series(100001, 100002) as number`,
      /event_position_event_id_key/,
    ],
  ] as const) {
    test(`refuses ${what}`, async () => {
      await someEvents(service.world, merchant.id, null);
      await assert.rejects(run(statement), message);
    });
  }

  test('takes several attempts of an event at once', async () => {
    const [id = ''] = await someEvents(service.world, merchant.id, null);
    assert.equal(await run(someTries(`select '${id}'`)), 2);
  });
});

suite('GET /events, a part of them', () => {
  // Guarantee: newest first, page by page, without one twice or left out.
  test('200: newest first', async () => {
    const who = await aMerchant(service);
    const ids = await someEvents(service.world, who.id, null, 5);
    const seen: string[] = [];
    let query = '?order=desc&limit=2';
    for (;;) {
      const { body } = await read(query, who);
      seen.push(...idsOf(body));
      if (!body.hasMore) break;
      query = `?order=desc&limit=2&after=${body.after}`;
    }
    assert.deepEqual(seen.toReversed(), idsOf((await read('', who)).body));
    assert.deepEqual(seen.toSorted(), ids.toSorted());
  });

  // Guarantee: one type of many: a page stops looking after 2,000 events and says that there is more; nothing is missed.
  test('200: one type', async () => {
    const { world } = service;
    const who = await aMerchant(service);
    await someEvents(world, who.id, null, 2_005);
    const late = { ...anEvent(world, who.id, null), type: 'transaction' as const };
    await world.db.atomic((sql) => insertEvents(sql, world.vault, [late]));
    await someEvents(world, who.id, null, 3);
    for (const order of ['asc', 'desc']) {
      const found: string[] = [];
      let after = 0;
      let pages = 0;
      for (;;) {
        const { body } = await read(`?type=transaction&order=${order}&after=${after}`, who);
        found.push(...idsOf(body));
        pages += 1;
        after = body.after;
        if (!body.hasMore) break;
      }
      assert.deepEqual([found, pages], [[late.id], 2], order);
    }
  });

  // Guarantee: one transaction: its own events and those of its refunds; of another account none.
  test('200: one transaction', async () => {
    const who = await aMerchant(service);
    const paid = await aPaidTransaction(service, who, { amount: 10 });
    await aPaidTransaction(service, who, { amount: 20 });
    service.world.clock.advance({ seconds: 1 });
    const refunded = await service.ask('POST', `/transactions/${paid}/refunds`, {
      token: who.token,
      body: { amount: 1 },
    });
    assert.equal(refunded.status, 200);
    const { body } = await read(`?transactionId=${paid}`, who);
    const subjects = body.events.map(
      ({ type, subjectId }: { type: string; subjectId: string }) => `${type} ${subjectId}`,
    );
    assert.deepEqual(subjects, [`transaction ${paid}`, `refund ${refunded.body.refundsList[0].refundId}`]);
    const newest = await read(`?transactionId=${paid}&order=desc&limit=1`, who);
    assert.deepEqual([newest.body.events[0].type, newest.body.hasMore], ['refund', true]);
    const older = await read(`?transactionId=${paid}&order=desc&after=${newest.body.after}`, who);
    assert.deepEqual([older.body.events.length, older.body.events[0].type], [1, 'transaction']);
    assert.deepEqual(idsOf((await read(`?transactionId=${paid}&type=refund`, who)).body).length, 1);
    assert.deepEqual((await read(`?transactionId=${paid}`, other)).body.events, []);
  });

  // Guarantee: what is misspelled is not ignored.
  test('400: wrong values', async () => {
    for (const [query, field] of [
      ['?order=newest', 'order'],
      ['?type=payment', 'type'],
      ['?transactionId=x', 'transactionId'],
    ] as const) {
      const answer = await read(query);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [`not_valid ${field}`]);
    }
  });
});

suite('events of one type, while others are made', () => {
  // Guarantee: the cursor never passes an event that was not looked at.
  test('an event that is numbered between two statements comes with the next page', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant, {});
    await numberEvents(service.world);
    const { db } = service.world;
    const one: typeof db.sql.one =
      (read) =>
      async (strings, ...values) => {
        const found = await db.sql.one(read)(strings, ...values);
        await aPaidTransaction(service, merchant, {});
        await service.ask('GET', '/events', { token: merchant.token });
        return found;
      };
    const interrupted = Object.create(db, { sql: { value: Object.create(db.sql, { one: { value: one } }) } });
    const wanted = { after: 0, limit: 10, type: 'transaction' } as const;
    for (const newestFirst of [false, true]) {
      const page = await readEvents({ ...service.world, db: interrupted }, merchant.id, { ...wanted, newestFirst });
      const rest = await readEvents(service.world, merchant.id, { ...wanted, newestFirst, after: page.after });
      const all = await readEvents(service.world, merchant.id, wanted);
      const seen = [...page.events, ...rest.events].map(({ id }) => id);
      const older = all.events.slice(0, -1).map(({ id }) => id);
      for (const id of newestFirst ? older : all.events.map((event) => event.id)) assert.ok(seen.includes(id), id);
    }
  });
});
