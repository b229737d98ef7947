// database/batch: group commit of concurrent writes, against a real PostgreSQL.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import {
  type BatchLimits,
  type BatchOf,
  Database,
  DatabaseAway,
  given,
  readInteger,
  usualBatchLimits,
} from '../../src/database/index.ts';
import { Unavailable } from '../../src/kernel/index.ts';
import { cloneDatabase } from '../support/database.ts';
import { atEnd } from '../support/service.ts';

interface Thing {
  readonly test: string;
  readonly id: number;
}

interface BatchStage {
  /** The sizes of the batches sent to the database, in order. */
  readonly sets: number[];
  /** Writes one row; returns ten times its id. */
  add(id: number): Promise<number>;
  /** The ids in the table, read over another connection. */
  stored(): Promise<number[]>;
}

suite('batch', () => {
  let url: string;
  let outside: pg.Client;

  before(async () => {
    const database = await cloneDatabase();
    url = database.url;
    outside = new pg.Client({ connectionString: url });
    await outside.connect();
    atEnd(async () => {
      await outside.end();
      await database.drop();
    });
    await outside.query(`
      create table thing (test text, id integer check (id >= 0), primary key (test, id));
      create sequence tries;
      create function stumble() returns trigger language plpgsql as $$
        begin
          if new.test = 'stumbles' and nextval('tries') <= 2 then
            raise exception 'could not serialize' using errcode = 'serialization_failure';
          end if;
          if new.test = 'never' then raise exception 'could not serialize' using errcode = 'serialization_failure'; end if;
          return new;
        end $$;
      create trigger stumble before insert on thing for each row execute function stumble();`);
  });

  /** A separate batch for one test; rows carry the test's name. */
  function aBatch(name: string, limits: Partial<BatchLimits> = {}, drainsQueue = false): BatchStage {
    const db = new Database({
      url,
      applicationName: 'test batch',
      batchLimits: { rowsAtMost: 500, lanes: 1, queueAtMost: 1_000, ...limits },
    });
    atEnd(() => db.close());
    const sets: number[] = [];
    const insertThing: BatchOf<Thing, number> = {
      name: 'thing',
      drainsQueue,
      async execute(sql, rows) {
        sets.push(rows.length);
        await sql.run`
          insert into thing select test, id from ${given(rows, { test: 'text', id: 'integer' })}`;
        return rows.map((row) => row.id * 10);
      },
    };
    return {
      sets,
      add: (id) => db.batch(insertThing, { test: name, id }),
      async stored() {
        const { rows } = await outside.query('select id from thing where test = $1 order by id', [name]);
        return rows.map((row) => readInteger(row, 'id'));
      },
    };
  }

  /** Locks the table, so that writes stay in flight until `release`. */
  async function lockTable(): Promise<{ release(): Promise<void>; waiting(): Promise<number> }> {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table thing in exclusive mode');
    return {
      async release() {
        await holder.query('rollback');
        await holder.end();
      },
      async waiting() {
        for (let asked = 0; asked < 20_000; asked += 1) {
          const { rows } = await outside.query<{ pid: number }>(
            `select pid from pg_stat_activity
              where datname = current_database() and application_name = 'test batch' and wait_event_type = 'Lock'`,
          );
          if (rows[0]) return rows[0].pid;
        }
        throw new Error('Nothing is in flight.');
      },
    };
  }

  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  // Guarantee: rows that arrive together, or while a write is in flight, are written together, in order of arrival.
  test('rows that arrive together or during a write are written together', async () => {
    const lock = await lockTable();
    const { add, sets, stored } = aBatch('together');
    const first = range(1, 3).map(add);
    await lock.waiting();
    assert.deepEqual(sets, [3]);
    const answers = [...first, ...range(4, 9).map(add)];
    await lock.release();
    assert.deepEqual(
      await Promise.all(answers),
      range(1, 9).map((id) => id * 10),
    );
    assert.deepEqual(sets, [3, 6]);
    assert.deepEqual(await stored(), range(1, 9));
  });

  // Guarantee: a statement that takes all leaves no row behind for another statement.
  test('a statement that takes all is not split', async () => {
    const lock = await lockTable();
    const { add, sets, stored } = aBatch('takes all', {}, true);
    const first = add(0);
    await lock.waiting();
    const others = range(1, 40).map(add);
    await lock.release();
    await Promise.all([first, ...others]);
    assert.deepEqual(sets, [1, 40]);
    assert.deepEqual(await stored(), range(0, 40));
  });

  // Guarantee: batch sizes even out, so that one batch is read while another is written.
  test('a set that is larger than the one before leaves half of the difference to the next', async () => {
    const lock = await lockTable();
    const { add, sets, stored } = aBatch('alike');
    const first = range(1, 20).map(add);
    await lock.waiting();
    const answers = [...first, ...range(21, 100).map(add)];
    await lock.release();
    await Promise.all(answers);
    assert.deepEqual(sets, [20, 50, 30]);
    assert.deepEqual(await stored(), range(1, 100));
  });

  // Guarantee: a statement never exceeds its maximum number of rows.
  test('a batch has a maximum number of rows', async () => {
    const { add, sets, stored } = aBatch('bounded sets', { rowsAtMost: 5 });
    await Promise.all(range(1, 12).map(add));
    assert.deepEqual(sets, [5, 5, 2]);
    assert.deepEqual(await stored(), range(1, 12));
  });

  // Guarantee: with several lanes several statements are in flight, and still nothing is lost or duplicated.
  test('lanes', async () => {
    const { add, sets, stored } = aBatch('lanes', { lanes: 2, rowsAtMost: 4 });
    await Promise.all(range(1, 20).map(add));
    assert.deepEqual(sets, [4, 4, 4, 4, 4]);
    assert.deepEqual(await stored(), range(1, 20));
  });

  // Guarantee: a statement that asks for lanes of its own has that many batches in flight: none waits for another.
  test('lanes of a statement', async () => {
    const db = new Database({ url, applicationName: 'test batch' });
    atEnd(() => db.close());
    const begun = range(1, 2).map(() => Promise.withResolvers<void>());
    const release = Promise.withResolvers<void>();
    let flying = 0;
    const meet: BatchOf<number, number> = {
      name: 'meet',
      drainsQueue: true,
      lanes: 2,
      async execute(_sql, rows) {
        begun[flying]?.resolve();
        flying += 1;
        await release.promise;
        return rows;
      },
    };
    const first = db.batch(meet, 1);
    await begun[0]?.promise;
    const second = db.batch(meet, 2);
    await begun[1]?.promise;
    release.resolve();
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
  });

  // Guarantee: a call resolves only when its row is visible to everybody.
  test('resolves only after the write', async () => {
    const lock = await lockTable();
    const { add, stored } = aBatch('answered');
    let answered = false;
    const answer = add(1).then((value) => {
      answered = true;
      return value;
    });
    await lock.waiting();
    assert.equal(answered, false);
    await lock.release();
    assert.equal(await answer, 10);
    assert.deepEqual(await stored(), [1]);
  });

  // Guarantee: one bad row affects no other; it alone is rejected, with the database's own error.
  for (const bad of [[-1], [-1, -2, -3], [4, 4]]) {
    test(`bad rows ${bad.join(' ')} among good ones`, async () => {
      const name = `bad ${bad.join(' ')}`;
      const { add, stored } = aBatch(name);
      const given = [...range(10, 14), ...bad, ...range(15, 29)];
      const results = await Promise.allSettled(given.map(add));
      const refused = results.filter((result) => result.status === 'rejected');
      for (const { reason } of refused) assert.match(reason.code, /^23/);
      // Of two rows with the same key the first is good.
      const good = bad[0] === bad[1] ? [4, ...range(10, 29)] : range(10, 29);
      assert.equal(refused.length, given.length - good.length);
      assert.deepEqual(await stored(), good);
    });
  }

  // Guarantee: the queue is bounded; beyond it calls are refused, and those inside are served.
  test('a full queue refuses', async () => {
    const lock = await lockTable();
    const { add, stored } = aBatch('full', { queueAtMost: 3 });
    const first = add(1);
    await lock.waiting();
    const inside = [first, ...range(2, 4).map(add)];
    await assert.rejects(add(5), (error) => {
      assert.ok(error instanceof Unavailable);
      assert.equal(error.code, 'service_unavailable');
      assert.equal(error.retryAfterSeconds, 1);
      return true;
    });
    await lock.release();
    await Promise.all(inside);
    assert.equal(await add(6), 60);
    assert.deepEqual(await stored(), [1, 2, 3, 4, 6]);
  });

  // Guarantee: a serialization failure is retried unnoticed.
  test('a serialization failure is tried again', async () => {
    const { add, sets, stored } = aBatch('stumbles');
    assert.equal(await add(1), 10);
    assert.deepEqual(sets, [1, 1, 1]);
    assert.deepEqual(await stored(), [1]);
  });

  // Guarantee: retries are bounded.
  test('a permanent serialization failure is rejected in the end', async () => {
    const { add, sets } = aBatch('never');
    await assert.rejects(add(1), DatabaseAway);
    assert.equal(sets.length, 5);
  });

  // Guarantee: when the connection is lost nobody knows whether the rows were written, so all are rejected and nothing
  // is sent again; the next ones work.
  test('a lost connection rejects', async () => {
    const lock = await lockTable();
    const { add, sets, stored } = aBatch('lost', { rowsAtMost: 3 });
    const first = [1, 4].map(add);
    const pid = await lock.waiting();
    const rest = [2, 3].map(add);
    const lost = Promise.all(first.map((row) => assert.rejects(row, DatabaseAway)));
    await outside.query('select pg_terminate_backend($1)', [pid]);
    await lost;
    await lock.waiting();
    await lock.release();
    assert.deepEqual(await Promise.all(rest), [20, 30]);
    assert.deepEqual(sets, [2, 2], 'neither is tried again by itself');
    assert.deepEqual(await stored(), [2, 3]);
  });

  // Guarantee: a statement that wrote but returned a wrong number of results is a reported bug, never a reason to write
  // again.
  test('a wrong number of results rejects and writes nothing twice', async () => {
    const batchLimits = { ...usualBatchLimits, lanes: 1 };
    const db = new Database({ url, applicationName: 'test batch', batchLimits });
    atEnd(() => db.close());
    let writes = 0;
    const forgetful: BatchOf<number, number> = {
      name: 'forgetful',
      async execute(_sql, rows) {
        writes += 1;
        return rows.length === 1 ? [...rows] : [];
      },
    };
    assert.equal(await db.batch(forgetful, 1), 1);
    const others = [2, 3].map((row) => db.batch(forgetful, row));
    for (const other of others) await assert.rejects(other, /forgetful wrote 2 rows and answered 0/);
    assert.equal(writes, 2);
  });
});
