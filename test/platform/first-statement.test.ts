// The first statement of a transaction is sent together with its begin.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { brokenUnique, readInteger, readText } from '../../src/database/index.ts';
import { aWorld, type TestWorld } from '../support/service.ts';

const looksAtMost = 1_000;

suite('the first statement of a transaction', () => {
  let world: TestWorld;

  before(async () => {
    world = await aWorld();
    await world.db.sql.run`create table noted (id integer constraint noted_once primary key, note text)`;
    // So that `begin` is prepared.
    await add(0);
  });

  const add = (id: number) => world.db.atomic((sql) => sql.run`insert into noted values (${id}, 'note')`);
  const ids = () => world.db.sql.many((row) => readInteger(row, 'id'))`select id from noted order by id`;

  test('reads what it would read alone', async () => {
    const read = await world.db.atomic(async (sql) => {
      const values = await sql.many((row) => readText(row, 'text'))`select unnest(${['a', 'b']}::text[]) as text`;
      return [values, await sql.one((row) => readInteger(row, 'number'))`select 7 as number`];
    });
    assert.deepEqual(read, [['a', 'b'], 7]);
    assert.equal(await world.db.atomic((sql) => sql.one((row) => readInteger(row, 'one'))`select 1 as one`), 1);
    assert.deepEqual(await world.db.atomic((sql) => sql.many((row) => row)`select where false`), []);
  });

  // Guarantee: what the first statement wrote is undone with the rest of its transaction.
  test('is part of the transaction', async () => {
    const failing = world.db.atomic(async (sql) => {
      await sql.run`insert into noted values (1, 'never')`;
      throw new Error('undo');
    });
    await assert.rejects(failing, /undo/);
    assert.deepEqual(await ids(), [0]);
  });

  test('one that fails leaves a connection that can be used', async () => {
    assert.equal(brokenUnique(await add(0).catch((error: unknown) => error)), 'noted_once');
    await add(2);
    assert.deepEqual(await ids(), [0, 2]);
  });

  // Guarantee: a statement is never executed outside of the transaction that it belongs to.
  test('without begin it is not executed', async () => {
    const { db } = await aWorld();
    await db.sql.run`create table noted (id integer)`;
    const insert = () =>
      db.atomic(async (sql) => {
        await sql.run`insert into noted values (1)`;
        await sql.run`deallocate begin`;
        return sql.one((row) => readInteger(row, 'pid'))`select pg_backend_pid() as pid`;
      });
    const pid = await insert();
    await assert.rejects(insert());
    // The server ends with the lost connection, after all that was sent on it.
    const running = () =>
      db.sql.one((row) => readInteger(row, 'count'))`
        select count(*)::integer as count from pg_stat_activity where pid = ${pid}`;
    for (let looks = 0; looks < looksAtMost && (await running()) > 0; looks += 1);
    assert.deepEqual(await db.sql.many((row) => readInteger(row, 'id'))`select id from noted`, [1]);
  });
});
