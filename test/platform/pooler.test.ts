// A connection pooler in transaction mode between the service and its database.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { checkDatabase, Database, migrate, readInteger, readMigrations } from '../../src/database/index.ts';
import { StartFault } from '../../src/runtime/index.ts';
import { emptyDatabase, onServer, untilBlocked } from '../support/database.ts';
import { aPooler } from '../support/pooler.ts';
import { atEnd } from '../support/service.ts';

const appliedAt = '2026-03-10T09:00:00Z';

async function aDatabase(): Promise<string> {
  const { url, drop } = await emptyDatabase();
  atEnd(drop);
  return url;
}

/** A separate role, which owns the database and has these settings. */
async function aDatabaseOfRole(role: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const url = new URL(await aDatabase());
  await onServer(async (client) => {
    await client.query(`create role ${role} login password 'secret'`);
    await client.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter role ${role} set ${name} = '${value}'`);
  });
  url.username = role;
  url.password = 'secret';
  return url.toString();
}

const settings = {
  timezone: 'UTC',
  random_page_cost: '1.1',
  enable_seqscan: 'off',
  jit: 'off',
  statement_timeout: '7000',
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '10000',
};

const refusal = async (url: string): Promise<string> => {
  const error = await checkDatabase(url).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof StartFault, String(error));
  return error.message;
};

suite('a pooler in transaction mode', () => {
  // Guarantee: migrations leave no lock in the pooler's connections: the next ones run.
  test('migrations, again and again', async () => {
    const url = await aPooler(await aDatabase());
    const migrations = await readMigrations();
    assert.deepEqual(
      await migrate(url, migrations, appliedAt),
      migrations.map(({ name }) => name),
    );
    // Several concurrently, so that they use different connections of the pooler.
    for (let round = 0; round < 3; round += 1) {
      const both = await Promise.all([1, 2].map(() => migrate(url, migrations, appliedAt)));
      assert.deepEqual(both, [[], []]);
    }
  });

  // Guarantee: a failed migration leaves neither a lock nor half of its changes, and its error names it.
  test('a migration that fails', async () => {
    const direct = await aDatabase();
    const url = await aPooler(direct);
    const bad = { name: '0001_bad.sql', text: 'create table half (id integer); select 1 / 0', checksum: 'bad' };
    await assert.rejects(migrate(url, [bad], appliedAt), /^Error: Migration 0001_bad\.sql failed: division by zero$/);
    const good = { ...bad, text: 'create table half (id integer)' };
    assert.deepEqual(await migrate(direct, [good], appliedAt), ['0001_bad.sql']);
  });

  // Guarantee: session settings dropped by the pooler prevent the start, with their names and a remedy.
  test('settings that are lost', async () => {
    const message = await refusal(await aPooler(await aDatabase()));
    assert.match(message, /^Database sessions lose these settings: /);
    for (const [name, value] of Object.entries(settings)) {
      if (name !== 'timezone') assert.ok(message.includes(`alter role CURRENT_USER set ${name} = '${value}';`), name);
    }
  });

  // Guarantee: a pooler that loses prepared statements prevents the start, before the first request fails.
  test('prepared statements that are lost', async () => {
    const url = await aPooler(await aDatabaseOfRole('pooled', settings));
    assert.match(await refusal(url), /^The connection pooler loses prepared statements /);
  });
});

suite('COPY over a pooler', () => {
  // Guarantee: rows sent only when the server asks for them arrive unchanged, and a refused statement ends the COPY.
  test('waits for the server to ask', async () => {
    const url = await aPooler(await aDatabase(), 1);
    const db = new Database({ url, applicationName: 'test', pooled: true });
    atEnd(() => db.close());
    await db.sql.run`create table thing (id integer primary key)`;
    const columns = { id: (id: number) => id };
    await db.sql.copy('thing', columns, [1, 2]);
    await assert.rejects(db.sql.copy('thing', columns, [3, 2]), { code: '23505' });
    await assert.rejects(db.sql.copy('nothing', columns, [3]), { code: '42P01' });
    await db.atomic((sql) => sql.copy('thing', columns, [3]));
    assert.deepEqual(await db.sql.many((row) => readInteger(row, 'id'))`select id from thing order by id`, [1, 2, 3]);
  });
});

suite('a direct connection', () => {
  // Guarantee: options in the URL are used, and cannot override ours.
  test('options in the address', async () => {
    const url = new URL(await aDatabase());
    url.searchParams.set('options', '-c search_path=elsewhere -c statement_timeout=0');
    assert.deepEqual(await checkDatabase(url.toString()), { pooled: false });
  });

  // Guarantee: a role's own timeouts do not prevent the start.
  test('a role with settings of its own', async () => {
    await checkDatabase(await aDatabaseOfRole('direct', { statement_timeout: '3000' }));
  });

  // Guarantee: a process that waits for its turn to migrate has changed nothing yet.
  test('two concurrent migrations take turns', async () => {
    const url = await aDatabase();
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    atEnd(() => holder.end());
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(7261508113)');
    const migrating = migrate(url, await readMigrations(), appliedAt);
    await untilBlocked(url);
    const { rows } = await holder.query<{ taken: boolean }>("select to_regclass('migration') is not null as taken");
    assert.equal(rows[0]?.taken, false);
    await holder.query('commit');
    assert.equal((await migrating).length, (await readMigrations()).length);
  });
});
