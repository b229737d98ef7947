// Every table's description against the database that the migrations made.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Table } from '../../src/platform/index.ts';
import { readText } from '../../src/platform/index.ts';
import { aWorld } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function isTable(value: unknown): value is Table<object> {
  return typeof value === 'object' && value !== null && 'columns' in value && 'recordset' in value;
}

async function describedTables(): Promise<Table<object>[]> {
  const files = globSync('src/*/table.ts', { cwd: root }).sort();
  const modules = await Promise.all(files.map((file): Promise<object> => import(`${root}${file}`)));
  return modules.flatMap((module) => Object.values(module).filter(isTable));
}

suite('described tables', () => {
  // Guarantee: a column that a description forgot, or has too many, or calls by another type, is found here and not in
  // a request.
  test('have the columns that the database has', async () => {
    const world = await aWorld();
    for (const table of await describedTables()) {
      const there = await world.db.sql.many((row) => readText(row, 'column'))`
        select attname || ' ' || format_type(coalesce(nullif(typbasetype, 0), atttypid), null) ||
               case when attnotnull then '' else ' null' end as column
          from pg_attribute join pg_type on pg_type.oid = atttypid
         where attrelid = to_regclass(${table.name}) and attnum > 0 and not attisdropped`;
      const described = table.columns.map(
        ({ name, type, nullable }) =>
          `${name} ${type.replace('timestamptz', 'timestamp with time zone')}${nullable ? ' null' : ''}`,
      );
      assert.deepEqual(described.sort(), there.sort(), table.name);
    }
  });
});
