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

interface OldDatabase {
  readonly url: string;
  rowsOf(query: string): Promise<Record<string, unknown>[]>;
  indexes(): Promise<unknown[]>;
}

async function aDatabase(): Promise<OldDatabase> {
  const { url, drop } = await emptyDatabase();
  atEnd(drop);
  async function rowsOf(query: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(query)).rows;
    } finally {
      await client.end();
    }
  }
  const indexes = () => rowsOf("select indexdef from pg_indexes where schemaname = 'public' order by 1");
  return { url, rowsOf, indexes };
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

  // Guarantee: transactions that were there before are counted, by quarters of a day and status (0023).
  test('transactions that were there before', async () => {
    const migrations = await readMigrations();
    const { url, rowsOf } = await aDatabase();
    await migrate(
      url,
      migrations.filter(({ name }) => name < '0023'),
      appliedAt,
    );
    const [account, pos] = ['01ARZ3NDEKTSV4RRFFQ69G5FAA', '01ARZ3NDEKTSV4RRFFQ69G5FAP'];
    await rowsOf(`insert into account (id, kind, name, email, zone, country, channels, security_code_sealed,
      webhook_secret_sealed, created_at, modified_at)
      values ('${account}', 'merchant', 'Shop', 'shop@example.com', 'UTC', 'PL', '{}', '', '', '${appliedAt}', '${appliedAt}')`);
    await rowsOf(`insert into pos (id, account_id, name, url, test_mode, main, created_at, modified_at)
      values ('${pos}', '${account}', 'Shop', '', true, true, '${appliedAt}', '${appliedAt}')`);
    await rowsOf(`insert into transaction (id, merchant_id, pos_id, title, status, created_at, amount_minor, currency,
        description, hidden_description, lang, payer_id, payer_email, payer_name, payer_phone, payer_address, payer_city,
        payer_postal_code, payer_country, payer_tax_id, payer_user_agent, payment_status, pay_key)
      select '01ARZ3NDEKTSV4RRFFQ69G5F' || made || 'T', '${account}', '${pos}', 'TR-' || made, status, at::timestamptz, 100,
        'PLN', '', '', 'pl', '', '', '', '', '', '', '', 'PL', '', '', 'pending', ''
      from (values (1, 'pending', '2026-03-10 05:59:59Z'), (2, 'paid', '2026-03-10 06:00Z'), (3, 'paid', '2026-03-10 11:59Z'),
                   (4, 'canceled', '2026-03-10 06:01Z')) as given (made, status, at)`);
    await migrate(url, migrations, appliedAt);
    assert.deepEqual(
      await rowsOf(`select to_char(quarter at time zone 'UTC', 'HH24') as hour, pending, paid, refund, canceled
        from transaction_count order by quarter`),
      [
        { hour: '00', pending: 1, paid: 0, refund: 0, canceled: 0 },
        { hour: '06', pending: 0, paid: 2, refund: 0, canceled: 1 },
      ],
    );
    assert.deepEqual(await rowsOf('select * from transaction_count_change'), []);
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
