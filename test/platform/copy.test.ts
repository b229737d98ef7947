// sql.copy: inserts rows with COPY into a real table.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { brokenUnique, type CopyColumns, readText, readTextOrNull } from '../../src/platform/index.ts';
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

  // Guarantee: a row that lacks a column is a reported bug, not a null.
  test('refuses rows of different shapes', async () => {
    const rows = [{ id: 4, note: 'whole' }, { id: 5 }];
    await assert.rejects(world.db.sql.copy('copied', columns, rows as Copied[]), /lacks note/);
    assert.deepEqual(await notes(), []);
  });
});
