// sql.copy: inserts rows with COPY into a real table.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { brokenUnique, type CopyColumns, readInteger, readText, readTextOrNull } from '../../src/database/index.ts';
import { aWorld, type TestWorld } from '../support/service.ts';

interface Copied {
  readonly id: number | bigint;
  readonly note: string | null;
}

const columns: CopyColumns<Copied> = { id: ({ id }) => id, note: ({ note }) => note };

suite('copy', () => {
  let world: TestWorld;

  before(async () => {
    world = await aWorld();
    await world.db.sql.run`create table copied (id bigint constraint copied_once primary key, note text)`;
  });

  const notes = () => world.db.sql.many((row) => readTextOrNull(row, 'note'))`select note from copied order by id`;

  const empty = () => world.db.sql.run`delete from copied`;

  // Guarantee: no text changes on the way, whatever characters COPY's format uses itself.
  test('every text comes back as it was', async () => {
    const texts = [
      '',
      'a\tb',
      'a\nb',
      'a\r\nb',
      '\\',
      '\\N',
      '\\.',
      '\\t',
      '"',
      "'",
      '{}',
      'ąłż 💶',
      '\u0001',
      null,
      'null',
    ];
    await world.db.sql.copy(
      'copied',
      columns,
      texts.map((note, id) => ({ id: BigInt(id), note })),
    );
    assert.deepEqual(await notes(), texts);
    await empty();
  });

  // Guarantee: one bad row leaves nothing behind, and the caller learns which constraint it was.
  test('all rows or none', async () => {
    const twice = [
      { id: 1, note: 'first' },
      { id: 1, note: 'second' },
    ];
    const error = await world.db.sql.copy('copied', columns, twice).catch((thrown: unknown) => thrown);
    assert.equal(brokenUnique(error), 'copied_once');
    assert.deepEqual(await notes(), []);
    // The connection is still usable.
    await world.db.sql.copy('copied', columns, [{ id: 2, note: 'after' }]);
    assert.deepEqual(await notes(), ['after']);
    await empty();
  });

  // Guarantee: inside a database transaction COPY is part of it.
  test('is undone with its database transaction', async () => {
    const failing = world.db.atomic(async (sql) => {
      await sql.copy('copied', columns, [{ id: 3, note: 'never' }]);
      assert.equal(await sql.one((row) => readText(row, 'note'))`select note from copied`, 'never');
      throw new Error('undo');
    });
    await assert.rejects(failing, /undo/);
    assert.deepEqual(await notes(), []);
  });

  // Guarantee: COPYs wait for each other in a transaction, and every later statement sees their rows.
  test('several in a transaction, seen by the statement after them', async () => {
    const counts = await world.db.atomic(async (sql) => {
      const count = () => sql.one((row) => readInteger(row, 'count'))`select count(*)::integer as count from copied`;
      await sql.copy('copied', columns, [{ id: 10, note: 'first' }]);
      await sql.copy('copied', columns, [{ id: 11, note: 'second' }]);
      const both = await count();
      await sql.copy('copied', columns, [{ id: 12, note: 'with the commit' }]);
      return [both, await count()];
    });
    assert.deepEqual(counts, [2, 3]);
    assert.deepEqual(await notes(), ['first', 'second', 'with the commit']);
    await empty();
  });

  // Guarantee: a bad row of the last message is an error with its constraint, never a commit of the others.
  test('a bad row among several COPYs that are sent with the commit', async () => {
    const failing = world.db.atomic(async (sql) => {
      await sql.copy('copied', columns, [{ id: 20, note: 'first' }]);
      await sql.copy('copied', columns, [{ id: 20, note: 'again' }]);
      await sql.copy('copied', columns, [{ id: 21, note: 'third' }]);
    });
    assert.equal(brokenUnique(await failing.catch((thrown: unknown) => thrown)), 'copied_once');
    assert.deepEqual(await notes(), []);
    await world.db.atomic((sql) => sql.copy('copied', columns, [{ id: 22, note: 'after' }]));
    assert.deepEqual(await notes(), ['after']);
    await empty();
  });

  // Guarantee: rows that wait do not grow without bound.
  test('more rows than may wait are sent before', async () => {
    const note = 'x'.repeat(400_000);
    await world.db.atomic(async (sql) => {
      for (let id = 30; id < 36; id += 1) await sql.copy('copied', columns, [{ id, note }]);
    });
    assert.equal((await notes()).length, 6);
    await empty();
  });

  // Guarantee: a row that lacks a column is a reported bug, not a null.
  test('refuses rows of different shapes', async () => {
    const rows = [{ id: 4, note: 'whole' }, { id: 5 }];
    await assert.rejects(world.db.sql.copy('copied', columns, rows as Copied[]), /lacks note/);
    assert.deepEqual(await notes(), []);
  });
});
