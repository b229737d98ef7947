// A claim reads what it sends, however much else waits. Counted in rows, because times depend on the machine.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readInteger, type Sql } from '../../src/database/index.ts';
import type { AccountId } from '../../src/kernel/index.ts';
import { dueDeliveries, nextDeliveryAt } from '../../src/notifications/index.ts';
import type { Tools } from '../../src/tools.ts';
import { aReceiver, confirmed } from '../support/receiver.ts';
import { aWorld } from '../support/service.ts';
import { counting, publishCounts } from '../support/statistics.ts';
import { anAccount, aStage, someEvents, statuses } from './support.ts';

const many = 20_000;
const fewRows = 500;
/** After this many runs PostgreSQL keeps a statement's plan. */
const runsUntilKept = 8;

/** Rows of the delivery tables read by this connection. */
function countRead(sql: Sql): Promise<number> {
  return sql.one((row) => readInteger(row, 'read'))`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as read from pg_stat_xact_user_tables
     where relname in ('delivery', 'endpoint_queue', 'endpoint_health')`;
}

/** The same world, with this Sql for queries outside database transactions. */
function withSql(world: Tools, sql: Sql): Tools {
  const batch = world.db.batch.bind(world.db);
  return { ...world, db: Object.create(world.db, { sql: { value: sql }, batch: { value: batch } }) as Tools['db'] };
}

/** Runs the work's queries in one database transaction and counts the rows that they read. */
function rowsRead(world: Tools, work: (world: Tools) => Promise<unknown>): Promise<number> {
  return world.db.atomic(async (sql) => {
    const before = await countRead(sql);
    await work(withSql(world, sql));
    return (await countRead(sql)) - before;
  });
}

/** Pending deliveries, each to its own origin, due in this many hours. */
async function seed(world: Tools, accountIds: readonly AccountId[], each: number, hours: number): Promise<void> {
  await insertPending(world, accountIds, each, hours);
  await world.db.sql.run`analyze delivery`;
}

async function insertPending(
  world: Tools,
  accountIds: readonly AccountId[],
  each: number,
  hours: number,
): Promise<void> {
  const at = world.clock.now().add({ hours });
  await world.db.sql.run`
    with made as (
      insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
      select left(account_id, 20) || lpad(number::text, 6, '0'), account_id, 'recurring', 'seeded',
             'http://127.1.' || number / 250 || '.' || 1 + number % 250 || ':9/', 'application/json', '{}', false, ${at}
        from unnest(${accountIds}::text[]) as account_id, generate_series(1, ${each}::integer) as number
      returning id, account_id, url, created_at
    )
    insert into delivery (event_id, account_id, endpoint, status, next_try_at)
    select id, account_id, account_id || ' ' || rtrim(url, '/'), 'pending', created_at from made`;
}

suite('a claim', () => {
  // Guarantee: one merchant's endpoints that wait for a retry do not slow down other notifications.
  test('does not read what is not due', async () => {
    const stage = await aStage();
    const { world } = stage;
    const receiver = await aReceiver();
    const account = await anAccount(world);
    await seed(world, [account.id], many, 1);
    const [id] = await someEvents(world, (await anAccount(world)).id, receiver.url);
    const node: { sender?: ReturnType<typeof stage.sender> } = {};
    const read = await rowsRead(world, (counted) => {
      node.sender = stage.sender({}, counted);
      return node.sender.feed();
    });
    await node.sender?.idle();
    assert.deepEqual(receiver.ids, [id]);
    assert.ok(read > 0 && read < fewRows, `The claim read ${read} rows.`);
  });

  // Guarantee: nor do they slow down the metrics or moving the clock.
  test('depth, lag and the next due time are read from an index', async () => {
    const { world } = await aStage();
    const account = await anAccount(world);
    await seed(world, [account.id], many, 1);
    await someEvents(world, account.id, 'http://127.0.0.1:9/', 3);
    const read = await rowsRead(world, async (counted) => {
      assert.deepEqual(await dueDeliveries(counted), { due: 3, oldestAt: world.clock.now() });
      assert.deepEqual(await nextDeliveryAt(counted), world.clock.now());
    });
    assert.ok(read > 0 && read < fewRows, `They read ${read} rows.`);
  });

  // Guarantee: neither the backlog of a hanging endpoint nor thousands of failing ones are read again and again.
  test('does not read what waits in queues', async () => {
    const stage = await aStage();
    const { world } = stage;
    const [hanging, healthy] = [await aReceiver(), await aReceiver()];
    hanging.answer = 'hang';
    const sender = stage.sender({ milliseconds: 60_000, leasedAtMost: 64 });
    await someEvents(world, (await anAccount(world)).id, hanging.url, 5_000);
    const failing = await Promise.all(Array.from({ length: 50 }, () => anAccount(world)));
    const failingIds = failing.map(({ id }) => id);
    await seed(world, failingIds, 100, 0);
    await world.db.sql.run`
      insert into endpoint_health (endpoint, failures_in_row, failing_since, last_failure_at, last_error)
      select endpoint, 10, next_try_at, next_try_at, 'timed_out' from delivery where account_id = any (${failingIds})`;
    // Those that failed last have half of the places, and keep them: their URL never responds.
    await world.db.sql.run`update event set url = ${hanging.url} where account_id = any (${failingIds})`;
    while ((await sender.feed()) > 0);
    await hanging.got(4 + 32);
    const [id] = await someEvents(world, (await anAccount(world)).id, healthy.url);
    const other: { sender?: ReturnType<typeof stage.sender> } = {};
    const read = await rowsRead(world, (counted) => {
      other.sender = stage.sender({ leasedAtMost: 64 }, counted);
      return other.sender.feed();
    });
    await healthy.got(1);
    assert.deepEqual(healthy.ids, [id]);
    assert.ok(read > 0 && read < fewRows, `The claim read ${read} rows.`);
    await stage.outbound.close();
    await sender.stop(10_000);
    await other.sender?.stop(10_000);
  });
});

// Guarantee: a result costs the same however many deliveries there are, also with a plan made when there were few.
test('writing results does not read other deliveries', async () => {
  const stage = await aStage(await aWorld(counting));
  const { world } = stage;
  const { sql } = world.db;
  const receiver = await aReceiver();
  const account = await anAccount(world);
  const sender = stage.sender();
  const deliver = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await someEvents(world, account.id, receiver.url);
      assert.equal(await sender.drain(), 1);
    }
  };
  const countAll = async () => {
    await publishCounts(sql);
    return sql.one((row) => readInteger(row, 'read'))`
      select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_user_tables where relname = 'delivery'`;
  };
  await deliver(1);
  await sql.run`vacuum analyze delivery`;
  await deliver(runsUntilKept);
  await insertPending(world, [account.id], many, 1);
  const before = await countAll();
  await deliver(4);
  const read = (await countAll()) - before;
  assert.ok(read > 0 && read < fewRows, `Four deliveries read ${read} rows.`);
});

// Guarantee: a backlog continues by itself even if everything in flight ends during a claim.
test('responses trigger claims until nothing waits', async () => {
  const stage = await aStage();
  const { world } = stage;
  const receiver = await aReceiver();
  const ids = await someEvents(world, (await anAccount(world)).id, receiver.url, 100);
  const node: { sender?: ReturnType<typeof stage.sender> } = {};
  const { sql } = world.db;
  const slow: Sql = {
    ...sql,
    many:
      (read) =>
      async (strings, ...values) => {
        const rows = await sql.many(read)(strings, ...values);
        await node.sender?.idle();
        return rows;
      },
  };
  node.sender = stage.sender({ sizeAtMost: 4 }, withSql(world, slow));
  // A single call: nothing polls, as the engine would.
  await node.sender.feed();
  await receiver.got(100);
  assert.deepEqual([...receiver.ids].sort(), [...ids].sort());
});

// Guarantee: an account has at most a hundred queues and one for the rest, and loses nothing.
test('an account that names ever new hosts: those beyond a hundred share a queue', async () => {
  const stage = await aStage();
  const { world } = stage;
  const receiver = await aReceiver();
  receiver.answer = 'hang';
  const account = await anAccount(world);
  for (let host = 0; host < 300; host += 1) await someEvents(world, account.id, `https://h${host}.shop.pl/`, 2);
  await world.db.sql.run`update event set url = ${receiver.url}`;
  const sender = stage.sender({ milliseconds: 60_000, leasedAtMost: 64 });
  while ((await sender.feed()) > 0);
  const queues = () =>
    world.db.sql.many((row) => String(row.endpoint))`select endpoint from endpoint_queue order by endpoint`;
  const waiting = await queues();
  assert.equal(waiting.length, 101);
  assert.ok(waiting.includes(`${account.id} *`));
  await receiver.got(16);
  receiver.answer = confirmed;
  await stage.outbound.close();
  await sender.stop(10_000);
  const after = await aStage(world);
  await after.sender().drain();
  assert.deepEqual(await statuses(world), { delivered: 600 });
  await after.sender().drain();
  assert.deepEqual(await queues(), [], 'a queue is forgotten when it is empty');
});
