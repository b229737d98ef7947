import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { copyText } from './copy.ts';
import type { Sql } from './sql.ts';
import { bigint, boolean, bytes, group, instant, integers, named, nullable, table, text, textAs } from './table.ts';

const shelf = table('shelf', {
  id: textAs<'A' | 'B'>(),
  madeAt: instant,
  brokenAt: nullable(instant),
  open: boolean,
  size: group({ minor: named('size_minor', bigint), unit: text }),
  places: integers,
  picture: bytes,
});

const at = Temporal.Instant.from('2026-03-10T09:00:00Z');
const stored = {
  id: 'A',
  made_at: at,
  broken_at: null,
  open: true,
  size_minor: 5n,
  unit: 'cm',
  places: [1, 2],
  picture: Buffer.from('7a5c', 'hex'),
};
const row = {
  id: 'A',
  madeAt: at,
  brokenAt: null,
  open: true,
  size: { minor: 5n, unit: 'cm' },
  places: [1, 2],
  picture: Buffer.from('7a5c', 'hex'),
} as const;

suite('table', () => {
  // Guarantee: a row is read back as it was written, column by column.
  test('reads a row, plain and out of a join', () => {
    assert.deepEqual(shelf.read(stored), row);
    const joined = Object.fromEntries(Object.entries(stored).map(([name, value]) => [`shelf_${name}`, value]));
    assert.deepEqual(shelf.reader('shelf_')(joined), row);
  });

  test('copies rows with every column', async () => {
    let copied = '';
    const sql = {
      copy: async (name, columns, rows) => {
        copied = `${name}: ${copyText(columns, rows)}`;
      },
    } as Partial<Sql>;
    await shelf.copy(sql as Sql, [row]);
    assert.equal(copied, 'shelf: A\t2026-03-10T09:00:00Z\t\\N\tt\t5\tcm\t{1,2}\t\\\\x7a5c\n');
  });

  test('names its columns for a join and for a set of rows', () => {
    assert.equal(
      shelf.selected('one', 'shelf_').text,
      'one.id as shelf_id, one.made_at as shelf_made_at, one.broken_at as shelf_broken_at, one.open as shelf_open, ' +
        'one.size_minor as shelf_size_minor, one.unit as shelf_unit, one.places as shelf_places, one.picture as shelf_picture',
    );
    assert.equal(shelf.names.text, 'id, made_at, broken_at, open, size_minor, unit, places, picture');
    assert.deepEqual(shelf.types('id', 'madeAt', 'sizeMinor'), {
      id: 'text',
      madeAt: 'timestamptz',
      sizeMinor: 'bigint',
    });
    assert.throws(() => shelf.types('depth'), /shelf has no column for depth/);
  });

  test('gives a row with one key for each column', () => {
    assert.deepEqual(shelf.flat(row), {
      id: 'A',
      madeAt: '2026-03-10T09:00:00Z',
      brokenAt: null,
      open: true,
      sizeMinor: 5n,
      unit: 'cm',
      places: [1, 2],
      picture: '\\x7a5c',
    });
    assert.deepEqual(Object.keys(shelf.types()), Object.keys(shelf.flat(row)));
  });

  // Guarantee: a wrong type in the database fails on reading, not somewhere else.
  test('a value of another type', () => {
    assert.throws(() => shelf.read({ ...stored, size_minor: '5' }), /Column size_minor holds string/);
  });
});
