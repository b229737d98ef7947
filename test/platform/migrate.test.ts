// Migrations, on empty databases and on those of another build.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { migrate, readMigrations, SchemaMismatch } from '../../src/platform/index.ts';
import { emptyDatabase, untilBlocked } from '../support/database.ts';
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

  // Guarantee: journals that wait to be sealed while the queue changes its form are sealed afterwards, each once.
  test('journals that wait to be sealed', async () => {
    const migrations = await readMigrations();
    const [url, before] = [
      await aDatabase(),
      migrations.findIndex(({ name }) => name === '0026_journals_unsealed.sql'),
    ];
    await migrate(url, migrations.slice(0, before), appliedAt);
    const id = "lpad(number::text, 26, '0')";
    await rowsOf(
      url,
      `insert into journal (id, source, kind, currency, posted_at)
       select ${id}, ${id}, 'opening', 'PLN', '${appliedAt}' from generate_series(1, 1203) as number;
       insert into journal_unsealed (journal_id) select ${id} from generate_series(1, 1203) as number`,
    );
    await migrate(url, migrations, appliedAt);
    const waiting = `select count(*)::integer as statements, sum(cardinality(journal_ids))::integer as journals from journal_unsealed`;
    assert.deepEqual(await rowsOf(url, waiting), [{ statements: 3, journals: 1_203 }]);
    const missing = `select id from journal where id not in (select unnest(journal_ids) from journal_unsealed)`;
    assert.deepEqual(await rowsOf(url, missing), []);
  });

  // Guarantee: a journal that an older node books or seals while the queue changes its form is queued or sealed, not
  // both and not neither: otherwise sealing would stop, or the journal would stay outside the chain.
  test('journals that are booked and sealed meanwhile', async () => {
    const migrations = await readMigrations();
    const [url, before] = [
      await aDatabase(),
      migrations.findIndex(({ name }) => name === '0026_journals_unsealed.sql'),
    ];
    await migrate(url, migrations.slice(0, before), appliedAt);
    const [sealed, booked] = ['1'.padStart(26, '0'), '2'.padStart(26, '0')];
    const book = (id: string) =>
      `insert into journal (id, source, kind, currency, posted_at) values ('${id}', '${id}', 'opening', 'PLN', '${appliedAt}');
       insert into journal_unsealed (journal_id) values ('${id}')`;
    await rowsOf(url, book(sealed));
    const node = new pg.Client({ connectionString: url });
    await node.connect();
    await node.query(
      `begin; ${book(booked)};
       insert into journal_seal values (1, '${sealed}', decode(repeat('00', 32), 'hex'), '');
       delete from journal_unsealed where journal_id = '${sealed}'`,
    );
    const migrating = migrate(url, migrations, appliedAt);
    await untilBlocked(url);
    await node.query('commit');
    await node.end();
    await migrating;
    assert.deepEqual(await rowsOf(url, 'select journal_ids from journal_unsealed'), [{ journal_ids: [booked] }]);
  });

  // Guarantee: what was refunded by products before the schema counted it counts afterwards; a part whose products were
  // refunded with more than they are worth keeps its refunds, and no more can be refunded of them.
  test('refunds by products', async () => {
    const migrations = await readMigrations();
    const before = migrations.findIndex(({ name }) => name === '0031_refunded_products.sql');
    const url = await aDatabase();
    await migrate(url, migrations.slice(0, before), appliedAt);
    const id = (number: number) => `lpad('${number}', 26, '0')`;
    const products = '[["pin","","10000000","1"],["tea","","1500000","333"]]';
    const part = (number: number, cart = products) =>
      `(${id(number)}, ${id(1)}, ${number}, ${id(9)}, 1000, 0, 0, '', '', '${cart}')`;
    const refund = (number: number, ending: string) =>
      `(${id(number)}, ${id(1)}, ${id(9)}, ${number}, 0, 'transactional', 'partial', 1, 1, 'PLN', 0, 64, 'x', 'x', '', '${appliedAt}', ${ending})`;
    const [open, canceled] = ["'New', null, null", `'Cancel', '${appliedAt}', 'merchant'`];
    const refunded = (number: number, of: number, amount: number, lines: string) =>
      `(${id(number)}, ${id(of)}, ${id(9)}, ${amount}, 0, 0, '${lines}')`;
    const [half, third] = ['[[1,"500000","1","10000000"]]', '[[2,"500000","333","1500000"]]'];
    await rowsOf(
      url,
      `set session_replication_role = replica;
       insert into transaction_part values ${part(1)}, ${part(2)}, ${part(3, '[["pin","","1000000","1"]]')};
       insert into refund (id, transaction_id, merchant_id, number, card_count, context, form, steps, amount_minor,
                           currency, fee_minor, channel_id, charge_key, acquirer, payer_email, created_at, status,
                           ended_at, canceled_by)
       values ${refund(1, open)}, ${refund(2, canceled)}, ${refund(3, open)};
       insert into refund_part values ${refunded(1, 1, 1, half)}, ${refunded(2, 1, 1, half)},
              ${refunded(1, 3, 1, half)}, ${refunded(3, 3, 1, half)},
              ${refunded(3, 1, 177, third)}, ${refunded(3, 2, 600, '[[1,"10000000","1","10000000"],[2,"1500000","333","1500000"]]')};
       insert into line_refund_total values (${id(1)}, 1, 10000000, 500000), (${id(1)}, 2, 1500000, 500000),
              (${id(2)}, 1, 10000000, 10000000), (${id(2)}, 2, 1500000, 1500000),
              (${id(3)}, 1, 1000000, 1000000);
       insert into part_refund_total (part_id, amount_minor, commission_minor, refunded_minor, commission_returned_minor)
       values (${id(1)}, 1000, 0, 178, 0), (${id(2)}, 1000, 0, 600, 0), (${id(3)}, 1000, 0, 2, 0)`,
    );
    await migrate(url, migrations, appliedAt);
    const totals = `select part_id::integer as part, products_limit_minor::integer as limit, products_refunded_minor::integer as refunded
                      from part_refund_total order by 1`;
    assert.deepEqual(await rowsOf(url, totals), [
      { part: 1, limit: 510, refunded: 168 },
      { part: 2, limit: 510, refunded: 510 },
      { part: 3, limit: 2, refunded: 2 },
    ]);
    const lines = `select part_id::integer as part, line, unit_price_minor::integer as price, refunded_value::bigint as value
                     from line_refund_total order by 1, 2`;
    assert.deepEqual(await rowsOf(url, lines), [
      { part: 1, line: 1, price: 1, value: '500000' },
      { part: 1, line: 2, price: 333, value: '166500000' },
      { part: 2, line: 1, price: 1, value: '10000000' },
      { part: 2, line: 2, price: 333, value: '499500000' },
      { part: 3, line: 1, price: 1, value: '1000000' },
    ]);
    assert.deepEqual(
      await rowsOf(url, 'select products_minor::integer as minor from refund_part order by refund_id, part_id'),
      [{ minor: 1 }, { minor: 1 }, { minor: 1 }, { minor: 167 }, { minor: 510 }, { minor: 1 }],
    );
  });

  // Guarantee: events keep their positions when those move to a table of their own, and those without one get theirs.
  test('positions of events', async () => {
    const migrations = await readMigrations();
    const [url, before] = [await aDatabase(), migrations.findIndex(({ name }) => name === '0027_event_positions.sql')];
    await migrate(url, migrations.slice(0, before), appliedAt);
    const [id, account] = ["lpad(number::text, 26, '0')", '01K9Z4M7Q1T4W7A0B2C5E8F9GH'];
    await rowsOf(
      url,
      `set session_replication_role = replica;
       insert into event (id, account_id, type, subject_id, content_type, body, sealed, created_at, position)
       select ${id}, '${account}', 'refund', 'x', 'text/plain', '', false, '${appliedAt}',
              case when number <= 700 then 701 - number end
         from generate_series(1, 1203) as number`,
    );
    await migrate(url, migrations, appliedAt);
    const numbered = `select count(*)::integer as count from event_position join event on event.id = event_id
                       where position = 701 - event.id::integer and event_position.account_id = '${account}'`;
    assert.deepEqual(await rowsOf(url, numbered), [{ count: 700 }]);
    const waiting = `select account_ids, cardinality(event_ids) as events from event_unnumbered order by id`;
    assert.deepEqual(await rowsOf(url, waiting), [
      { account_ids: [account], events: 500 },
      { account_ids: [account], events: 3 },
    ]);
    const missing = `select id from event where id not in (select event_id from event_position)
                                            and id not in (select unnest(event_ids) from event_unnumbered)`;
    assert.deepEqual(await rowsOf(url, missing), []);
  });

  // Guarantee: texts of mails that ended are gone, also from the file of the table, and what waits can still be sent.
  test('texts of mails', async () => {
    const migrations = await readMigrations();
    const [url, before] = [await aDatabase(), migrations.findIndex(({ name }) => name === '0029_mail_sealed.sql')];
    await migrate(url, migrations.slice(0, before), appliedAt);
    const text = 'Hello,\n\nPayment number: TR-ABCD-1234567\n\nhttps://pay.example/panel/password#secret-token';
    await rowsOf(
      url,
      `insert into mail (id, recipient, subject, text_body, html_body, language, status, created_at, next_try_at,
                         ended_at, last_error)
       select lpad(number::text, 26, '0'), 'a@example.com', 's', '${text}', '<p>"', 'en',
              case number when 1 then 'pending' when 2 then 'sent' else 'failed' end, '${appliedAt}'::timestamptz,
              case number when 1 then '${appliedAt}'::timestamptz end,
              case number when 1 then null else '${appliedAt}'::timestamptz end,
              case number when 3 then '554 listed: https://pay.example/panel/password#secret-token' end
         from generate_series(1, 3) as number;
       insert into caught_mail (id, received_at, source) values (lpad('1', 26, '0'), '${appliedAt}', 'secret-token')`,
    );
    await migrate(url, migrations, appliedAt);
    const rows = await rowsOf(url, 'select content, status, transaction_title, last_error from mail order by id');
    assert.deepEqual(
      rows.map(({ status, transaction_title, last_error }) => [status, transaction_title, last_error]),
      [
        ['pending', 'TR-ABCD-1234567', null],
        ['sent', 'TR-ABCD-1234567', null],
        ['failed', 'TR-ABCD-1234567', '554 listed: (link)'],
      ],
    );
    assert.deepEqual(JSON.parse(String(rows[0]?.content)), { text, html: '<p>"' });
    assert.deepEqual([rows[1]?.content, rows[2]?.content], [null, null]);
    assert.deepEqual(await rowsOf(url, 'select from caught_mail'), []);
  });
});
