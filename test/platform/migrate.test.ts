// Migrations, on empty databases and on those of another build.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { migrate, readMigrations, SchemaMismatch } from '../../src/database/index.ts';
import { emptyDatabase } from '../support/database.ts';
import { atEnd } from '../support/service.ts';

const appliedAt = '2026-03-10T09:00:00Z';

async function aDatabase(): Promise<string> {
  const { url, drop } = await emptyDatabase();
  atEnd(drop);
  return url;
}

async function rowsOf(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

suite('migrate', () => {
  // Guarantee: one file per room, numbered without gaps, so that the list of files is the order of the rooms.
  test('the files are numbered without gaps', async () => {
    const numbers = (await readMigrations()).map(({ name }) => Number(name.slice(0, 4)));
    assert.deepEqual(
      numbers,
      numbers.map((_number, index) => index + 1),
    );
  });

  // Guarantee: a file that differs from the applied one prevents the start, before anything is done.
  test('a file that was changed after it ran', async () => {
    const migrations = await readMigrations();
    const url = await aDatabase();
    const [first] = migrations;
    assert.ok(first);
    await migrate(url, [first], appliedAt);
    const changed = migrations.map((one) => (one === first ? { ...one, checksum: 'another' } : one));
    const message = `Migration ${first.name} differs from the one applied to the database.`;
    await assert.rejects(migrate(url, changed, appliedAt), new SchemaMismatch(message));
    assert.deepEqual(await rowsOf(url, 'select name from migration'), [{ name: first.name }]);
  });

  // Guarantee: a database of an older build, with other file names, is refused in one sentence and left unchanged.
  test('a database of an older build', async () => {
    const migrations = await readMigrations();
    const url = await aDatabase();
    const old = { name: '0001_foundation.sql', text: 'create table kept (id integer)', checksum: 'old' };
    await migrate(url, [old], appliedAt);
    const message = 'The database was created by an older build, whose schema cannot be upgraded.';
    await assert.rejects(migrate(url, migrations, appliedAt), new SchemaMismatch(message));
    assert.deepEqual(await rowsOf(url, 'select * from kept'), []);
  });
});
