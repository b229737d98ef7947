// Compares every table description with the migrated database.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Table } from '../../src/database/index.ts';
import { readText } from '../../src/database/index.ts';
import { aWorld } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function isTable(value: unknown): value is Table<object> {
  return typeof value === 'object' && value !== null && 'columns' in value && 'selected' in value;
}

async function describedTables(): Promise<Table<object>[]> {
  const files = globSync('src/**/table.ts', { cwd: root }).sort();
  const modules = await Promise.all(files.map((file): Promise<object> => import(`${root}${file}`)));
  return modules.flatMap((module) => Object.values(module).filter(isTable));
}

/** The names of all tables described anywhere in the code. */
function namesInCode(): string[] {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  const texts = files.map((file) => readFileSync(`${root}${file}`, 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(/\btable\(\s*'(\w+)'/g)].map(([, name]) => name ?? ''));
}

function spelled({ name, type, nullable }: Table<object>['columns'][number]): string {
  return `${name} ${type.replace('timestamptz', 'timestamp with time zone')}${nullable ? ' null' : ''}`;
}

/** Counted by the database itself, so no process writes it. */
const counted = ['charge: version integer', 'transaction: version integer'];

suite('described tables', () => {
  // Guarantee: no description escapes the test below because it is in another file or not exported.
  test('are in a table.ts, exported', async () => {
    const found = (await describedTables()).map(({ name }) => name);
    assert.deepEqual(found.sort(), namesInCode().sort());
    assert.equal(new Set(found).size, found.length, 'a table is described twice');
  });

  // Guarantee: a column that is missing from a description, superfluous, or of another type is found here and not in a
  // request.
  test('have the columns that the database has', async () => {
    const world = await aWorld();
    const problems: string[] = [];
    for (const table of await describedTables()) {
      const there = await world.db.sql.many((row) => readText(row, 'column'))`
        select attname || ' ' || format_type(coalesce(nullif(typbasetype, 0), atttypid), null) ||
               case when attnotnull then '' else ' null' end as column
          from pg_attribute join pg_type on pg_type.oid = atttypid
         where attrelid = to_regclass(${table.name}) and attnum > 0 and not attisdropped`;
      const described = table.columns.map(spelled);
      problems.push(
        ...there
          .filter((one) => !described.includes(one) && !counted.includes(`${table.name}: ${one}`))
          .map((one) => `${table.name}: ${one} is only in the database`),
        ...described.filter((one) => !there.includes(one)).map((one) => `${table.name}: ${one} is only in table.ts`),
      );
    }
    assert.deepEqual(problems, []);
  });
});

suite('times', () => {
  // Guarantee: no row has a time or a day that nobody can read, which would end every list, comparison and verification.
  test('of every table are between the years 1 and 9999', async () => {
    const { sql } = (await aWorld()).db;
    const columns = await sql.many((row) => readText(row, 'column'))`
      select attrelid::regclass || '.' || attname as column
        from pg_attribute join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
         and coalesce(nullif(typbasetype, 0), atttypid)
             in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype, 'timestamptz[]'::regtype, 'date[]'::regtype)
         and typname not in ('instant', 'calendar_day')
         -- Older than the domains; only the command line reads it.
         and relname <> 'migration'`;
    assert.deepEqual(columns, []);
    for (const never of ['infinity', '-infinity', '10000-01-01', '0001-12-31 BC']) {
      await assert.rejects(sql.run`select ${never}::instant`, /instant_check/, never);
      await assert.rejects(sql.run`select ${never}::calendar_day`, /calendar_day_check/, never);
    }
  });
});
