// database: the pool and `atomic`, against a real PostgreSQL.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import pg from 'pg';
import { Database, DatabaseAway, readInteger } from '../../src/database/index.ts';
import { pause } from '../../src/runtime/loop.ts';
import { cloneDatabase } from '../support/database.ts';
import { atEnd } from '../support/service.ts';

suite('Database', () => {
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
    await outside.query('create table counter (name text primary key, value integer not null)');
  });

  function aDatabase(idleMilliseconds?: number): Database {
    const db = new Database({ url, applicationName: 'test', ...(idleMilliseconds ? { idleMilliseconds } : {}) });
    atEnd(() => db.close());
    return db;
  }

  const countOf = async (name: string): Promise<number | undefined> => {
    const { rows } = await outside.query('select value from counter where name = $1', [name]);
    return rows[0] && readInteger(rows[0], 'value');
  };

  // Guarantee: effects happen once, after the commit and only then; one that fails does not undo or repeat the work.
  test('effects after a commit', async () => {
    const errors: unknown[] = [];
    const db = new Database({ url, applicationName: 'test', onIdleError: (error) => errors.push(error) });
    atEnd(() => db.close());
    const happened: string[] = [];
    let runs = 0;
    const result = await db.atomic(async (sql) => {
      runs += 1;
      const run = runs;
      sql.afterCommit(() => happened.push(`run ${run}`));
      sql.afterCommit(() => {
        throw Object.assign(new Error('an effect failed'), { code: '40001' });
      });
      await sql.run`insert into counter values ('effects', 1)`;
      if (runs === 1) await sql.run`do $$ begin raise exception 'again' using errcode = 'deadlock_detected'; end $$`;
      assert.deepEqual(happened, []);
      return 'committed';
    });
    assert.equal(result, 'committed');
    assert.deepEqual([runs, happened, await countOf('effects'), errors.length], [2, ['run 2'], 1, 1]);
    await assert.rejects(
      db.atomic(async (sql) => {
        sql.afterCommit(() => happened.push('never'));
        throw new Error('rolled back');
      }),
    );
    assert.deepEqual(happened, ['run 2']);
  });

  // Guarantee: an idle node stays visible in the database, so that nobody empties it underneath the node.
  test('an idle process keeps one connection', async () => {
    const db = aDatabase(5);
    await Promise.all(Array.from({ length: 4 }, () => db.sql.run`select pg_sleep(0.02)`));
    while (db.connections().total > 1) await pause(1);
    await pause(50);
    assert.equal(db.connections().total, 1);
  });

  // Guarantee: atomic is all or nothing.
  test('atomic: a failure undoes everything', async () => {
    const db = aDatabase();
    const work = db.atomic(async (sql) => {
      await sql.run`insert into counter values ('undone', 1)`;
      throw new Error('changed our mind');
    });
    await assert.rejects(work, /changed our mind/);
    assert.equal(await countOf('undone'), undefined);
  });

  // Guarantee: work is retried when PostgreSQL asks for it, a bounded number of times.
  test('atomic: begun again after a deadlock or a serialization failure, five times at most', async () => {
    const db = aDatabase();
    for (const [failures, succeeds] of [
      [0, true],
      [4, true],
      [5, false],
    ] as const) {
      let tries = 0;
      const name = `after ${failures}`;
      const work = db.atomic(async (sql) => {
        tries += 1;
        await sql.run`insert into counter values (${name}, ${tries})`;
        if (tries <= failures)
          await sql.run`do $$ begin raise exception 'again' using errcode = 'deadlock_detected'; end $$`;
        return tries;
      });
      if (succeeds) assert.equal(await work, failures + 1);
      else await assert.rejects(work, DatabaseAway);
      assert.equal(await countOf(name), succeeds ? failures + 1 : undefined);
    }
  });

  // Guarantee: work that ignores a failed statement is never taken for committed.
  test('atomic: an ignored failure is no success', async () => {
    const db = aDatabase();
    const work = db.atomic(async (sql) => {
      await sql.run`insert into counter values ('ignored', 1)`;
      await sql.run`select 1 / 0`.catch(() => undefined);
    });
    await assert.rejects(work, /rolled back/);
    assert.equal(await countOf('ignored'), undefined);
  });

  // Guarantee: concurrent changes of the same row take turns, and no update is lost.
  test('atomic: no lost updates', async () => {
    const db = aDatabase();
    await outside.query(`insert into counter values ('shared', 0)`);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        db.atomic(async (sql) => {
          const read = sql.one((row) => readInteger(row, 'value'));
          const value = await read`select value from counter where name = 'shared' for update`;
          await sql.run`update counter set value = ${value + 1} where name = 'shared'`;
        }),
      ),
    );
    assert.equal(await countOf('shared'), 20);
  });

  // Guarantee: a lost connection is distinguished from bad data, and is not given to the next caller.
  test('atomic: a connection that breaks', async () => {
    const db = aDatabase();
    const work = db.atomic(async (sql) => {
      const pid = await sql.one((row) => readInteger(row, 'pid'))`select pg_backend_pid() as pid`;
      await sql.run`insert into counter values ('broken', 1)`;
      await outside.query('select pg_terminate_backend($1)', [pid]);
      await sql.run`select 1`;
    });
    await assert.rejects(work, DatabaseAway);
    assert.equal(await countOf('broken'), undefined);
    assert.equal(await db.atomic((sql) => sql.one((row) => readInteger(row, 'one'))`select 1 as one`), 1);
  });

  test('a server that is not there', async () => {
    const db = new Database({ url: 'postgresql://grosz@127.0.0.1:1/grosz', applicationName: 'test' });
    atEnd(() => db.close());
    await assert.rejects(db.sql.run`select 1`, DatabaseAway);
    await assert.rejects(
      db.atomic(async () => undefined),
      DatabaseAway,
    );
  });
});
