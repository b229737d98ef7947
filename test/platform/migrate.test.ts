// Migrations over databases that an earlier build of the same files has made.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import pg from 'pg';
import { type Migration, migrate, readMigrations } from '../../src/platform/index.ts';
import { emptyDatabase } from '../support/database.ts';
import { atEnd } from '../support/service.ts';

const appliedAt = '2026-03-10T09:00:00Z';

/** As two files once were: with what 0021 does now, and with another comment. */
const formerly: Readonly<Record<string, (text: string) => string>> = {
  '0008_refunds.sql': (text) =>
    text.replace(
      /create index refund_payer[\s\S]+?card_token is not null;\n/,
      `-- With what else a list is asked by, so that it is counted along the index alone.
create index refund_payer on refund (merchant_id, payer_email, number) include (context);
create index refund_token on refund (merchant_id, card_token, number) include (context, payer_email)
  where card_token is not null;
`,
    ),
  '0020_kept_rows.sql': (text) =>
    text.replace(
      /^(?:--.*\n)+/,
      `-- Foreign keys to rows that are never deleted, as one check for each statement instead of a look-up and a lock for each row:
-- of a charge's 430 µs in the server they took 70. What may be named is the same as before: journals and accounts that exist,
-- which nothing can delete (journal_kept, account_kept), and which never change their id.
`,
    ),
};

function former(migration: Migration): Migration {
  const text = formerly[migration.name]?.(migration.text) ?? migration.text;
  return { name: migration.name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

async function aDatabase(): Promise<{ url: string; indexes(): Promise<string[]> }> {
  const { url, drop } = await emptyDatabase();
  atEnd(drop);
  return {
    url,
    async indexes() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query("select indexdef from pg_indexes where schemaname = 'public' order by 1");
      await client.end();
      return rows.map(({ indexdef }) => indexdef);
    },
  };
}

suite('migrate', () => {
  // Guarantee: a database of the build before is brought up to date, and is then like one that was made at once.
  test('files that ran in their former words', async () => {
    const migrations = await readMigrations();
    const [old, fresh] = [await aDatabase(), await aDatabase()];
    const before = migrations.filter(({ name }) => name < '0021');
    await migrate(old.url, before.map(former), appliedAt);
    const applied = await migrate(old.url, migrations, appliedAt);
    assert.deepEqual(
      applied,
      migrations.slice(before.length).map(({ name }) => name),
    );
    await migrate(fresh.url, migrations, appliedAt);
    assert.deepEqual(await old.indexes(), await fresh.indexes());
  });

  // Guarantee: a file that was changed in any other way stops the start, before anything is done.
  test('a file that was changed after it ran', async () => {
    const migrations = await readMigrations();
    const { url } = await aDatabase();
    const [first] = migrations;
    assert.ok(first);
    await migrate(url, [first], appliedAt);
    const changed = migrations.map((one) => (one === first ? { ...one, checksum: 'another' } : one));
    await assert.rejects(migrate(url, changed, appliedAt), {
      message: `Migration ${first.name} was changed after it ran. Restore the file.`,
    });
  });
});
