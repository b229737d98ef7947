// The ledger on a real database: posting, floors, immutability, and verify that reports a tampered row.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { findingsAtMost, readBigint } from '../../src/database/index.ts';
import { type AccountId, knownId, money, Refusal, ulid } from '../../src/kernel/index.ts';
import {
  findBalance,
  ledgerAccounts,
  openCommonAccounts,
  openMerchantAccounts,
  paymentJournal,
  post,
  postOpening,
  sealJournals,
} from '../../src/ledger/index.ts';
import { inWords } from '../support/findings.ts';
import { aWorld, type TestWorld } from '../support/service.ts';
import { verifyLedger, whole } from '../support/verify.ts';

async function aLedger(): Promise<{ world: TestWorld; merchantId: AccountId }> {
  const world = await aWorld();
  const merchantId = knownId<AccountId>(world.ids.ulid());
  await openCommonAccounts(world.db.sql, ['bank'], world.clock.now());
  await openMerchantAccounts(world.db.sql, merchantId, world.clock.now());
  return { world, merchantId };
}

const payment = (merchantId: AccountId, source: string, amountMinor = 10_000n) =>
  paymentJournal({ source, acquirer: 'bank', currency: 'PLN', amountMinor }, merchantId, 150n);

suite('ledger', () => {
  let world: TestWorld;
  let merchantId: AccountId;
  before(async () => {
    ({ world, merchantId } = await aLedger());
  });

  const postNow = (...journals: Parameters<typeof post>[2][number][]) =>
    world.db.atomic((sql) => post(sql, world.ids, journals, world.clock.now()));

  // Guarantee: the merchant gets the payment minus the fee, and the ledger accounts for each grosz.
  test('a payment credits the merchant less the fee', async () => {
    await postNow(payment(merchantId, 'a'), payment(merchantId, 'b'));
    assert.equal(await findBalance(world.db.sql, ledgerAccounts.available(merchantId)), 19_700n);
  });

  // Guarantee: the same fact is never booked twice.
  test('a journal is posted once', async () => {
    await postNow(payment(merchantId, 'once'));
    await assert.rejects(postNow(payment(merchantId, 'once')), /journal_posted_once/);
  });

  // Guarantee: the cost of a journal does not grow with the ledger, not even in a session that planned its checks while
  // the tables were empty.
  test('posting reads only what it posts, however many journals there are', async () => {
    const { world, merchantId } = await aLedger();
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index));
    await world.db.atomic(async (sql) => {
      const postAll = (sources: readonly string[]) =>
        post(
          sql,
          world.ids,
          sources.map((source) => payment(merchantId, source)),
          world.clock.now(),
        );
      const rowsRead = () =>
        sql.one((row) => readBigint(row, 'fetched'))`
          select sum(idx_tup_fetch + seq_tup_read)::bigint as fetched from pg_stat_xact_user_tables
           where relname in ('journal', 'entry', 'ledger_account')`;
      const readFor = async (sources: readonly string[]) => {
        const before = await rowsRead();
        await postAll(sources);
        return (await rowsRead()) - before;
      };
      await postAll(range(0, 50));
      const first = await readFor(range(50, 100));
      await postAll(range(100, 2_000));
      assert.equal(await readFor(range(2_000, 2_050)), first);
    });
  });

  // Guarantee: a debit that is not covered moves nothing.
  test('a floor account never goes below zero, and nothing of the transaction stays', async () => {
    const before = await findBalance(world.db.sql, ledgerAccounts.available(merchantId));
    const debit = {
      source: 'too much',
      kind: 'test',
      currency: 'PLN' as const,
      entries: [
        { account: ledgerAccounts.available(merchantId), amountMinor: before + 1n },
        { account: ledgerAccounts.refundPayable, amountMinor: -before - 1n },
      ],
    };
    await assert.rejects(postNow(payment(merchantId, 'beside', 151n), { ...debit, source: 'x' }, debit), Refusal);
    await assert.rejects(postNow({ ...debit, source: 'a cent' }), Refusal, 'also of a single cent');
    assert.equal(await findBalance(world.db.sql, ledgerAccounts.available(merchantId)), before);
  });

  // Guarantee: the id of a journal begins with the time at which it was posted: pages of journals are pages of time.
  test('the id of a journal tells when it was posted', async () => {
    const at = Temporal.Instant.from('2020-02-03T04:05:06.789Z');
    await world.db.atomic((sql) => post(sql, world.ids, [payment(merchantId, 'long ago')], at));
    const [id = ''] = await world.db.sql.many((row) =>
      String(row.id),
    )`select id from journal where source = 'long ago'`;
    assert.equal(id.slice(0, 10), ulid(at.epochMilliseconds, new Uint8Array(16)).slice(0, 10));
  });

  // Guarantee: of concurrent debits that together exceed the balance, exactly as many succeed as it covers.
  test('20 concurrent debits of 60 %: one succeeds', async () => {
    const { world: other, merchantId: id } = await aLedger();
    await other.db.atomic((sql) => postOpening(sql, other.ids, id, money(10_000n, 'PLN'), other.clock.now()));
    const debit = (source: string) => ({
      source,
      kind: 'test',
      currency: 'PLN' as const,
      entries: [
        { account: ledgerAccounts.available(id), amountMinor: 6_000n },
        { account: ledgerAccounts.refundPayable, amountMinor: -6_000n },
      ],
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        other.db.atomic((sql) => post(sql, other.ids, [debit(`d${index}`)], other.clock.now())),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
    assert.equal(await findBalance(other.db.sql, ledgerAccounts.available(id)), 4_000n);
    assert.deepEqual(await verifyLedger(other, whole(other)), []);
  });

  // Guarantee: the schema itself refuses entries that do not sum to zero, unknown accounts, changes and deletions.
  for (const [what, statement, message] of [
    [
      'an entry that does not balance',
      "insert into entry select id, 9, 'bank:own', 5 from journal limit 1",
      /sum to zero/,
    ],
    [
      'an entry that takes more than it gives',
      "insert into entry select id, 9, 'bank:own', -5 from journal limit 1",
      /sum to zero/,
    ],
    [
      'an unknown account',
      "insert into entry select id, line, 'nobody', amount from journal, (values (8, 5), (9, -5)) as two (line, amount) where source = 'a'",
      /unknown ledger_account/,
    ],
    ['a changed entry', 'update entry set amount_minor = 1', /never changed/],
    ['a deleted journal', 'delete from journal', /never changed/],
    ['a balance below zero', 'update ledger_balance set balance_minor = -1', /ledger_balance_floor/],
  ] as const) {
    test(`the schema refuses ${what}`, async () => {
      await assert.rejects(world.db.sql.run([statement] as unknown as TemplateStringsArray), message);
    });
  }
});

suite('sealing', () => {
  const postMany = ({ world, merchantId }: Awaited<ReturnType<typeof aLedger>>, name: string, count: number) => {
    const journals = Array.from({ length: count }, (_, index) => payment(merchantId, `${name} ${index}`));
    return world.db.atomic((sql) => post(sql, world.ids, journals, world.clock.now()));
  };

  // Guarantee: every journal is sealed once, whatever posted it; a set is full while others wait.
  test('of more journals than one set', async () => {
    const ledger = await aLedger();
    for (const [name, count] of Object.entries({ a: 600, b: 600, c: 3 })) await postMany(ledger, name, count);
    const sets: number[] = [];
    while (sets.at(-1) !== 0) sets.push(await sealJournals(ledger.world));
    assert.deepEqual(sets, [1_200, 3, 0]);
    assert.deepEqual(await verifyLedger(ledger.world, whole(ledger.world)), []);
  });

  // Guarantee: two nodes that seal at the same time seal each journal once.
  test('by two nodes at once', async () => {
    const ledger = await aLedger();
    for (const name of ['a', 'b', 'c']) await postMany(ledger, name, 20);
    const sealed = await Promise.all([sealJournals(ledger.world), sealJournals(ledger.world)]);
    sealed.push(await sealJournals(ledger.world));
    assert.equal(
      sealed.reduce((sum, count) => sum + count),
      60,
    );
    assert.deepEqual(await verifyLedger(ledger.world, whole(ledger.world)), []);
  });

  // Guarantee: nobody who can write a row to the queue stops the sealing of other journals.
  test('goes on when a sealed journal is queued again', async () => {
    const ledger = await aLedger();
    const { db } = ledger.world;
    await postMany(ledger, 'a', 2);
    assert.equal(await sealJournals(ledger.world), 2);
    await db.sql.run`
      insert into journal_unsealed (journal_ids) select array[journal_id] from journal_seal order by position limit 1`;
    await postMany(ledger, 'b', 3);
    assert.equal(await sealJournals(ledger.world), 3);
    assert.equal(await sealJournals(ledger.world), 0);
    assert.deepEqual(await verifyLedger(ledger.world, whole(ledger.world)), []);
  });

  // Guarantee: a journal of a transaction that was rolled back waits for nothing, and one that waits is never lost.
  test('only of what was committed; what is lost from the queue is named', async () => {
    const ledger = await aLedger();
    const { db } = ledger.world;
    await assert.rejects(
      postMany(ledger, 'a', 2).then(() => postMany(ledger, 'a', 2)),
      /journal_posted_once/,
    );
    assert.deepEqual(await verifyLedger(ledger.world, whole(ledger.world)), []);
    await assert.rejects(db.sql.run`update journal_unsealed set journal_ids = '{}'`, /never changed/);
    await db.sql.run`delete from journal_unsealed`;
    assert.equal(
      (await verifyLedger(ledger.world, whole(ledger.world))).filter(({ code }) => code === 'journal_outside_chain')
        .length,
      2,
    );
  });
});

suite('verify names the tampered row', () => {
  const tamperings = [
    {
      what: 'an entry',
      statement:
        "update entry set amount_minor = amount_minor + 1 where line = 1 and journal_id = (select id from journal where source = 'b')",
      names: (id: string) => [
        `Entry ${id} line 1 was changed, removed or added.`,
        `Journal ${id} does not sum to zero: it is off by 1.`,
      ],
    },
    {
      what: 'two entries that still sum to zero',
      statement:
        "update entry set amount_minor = amount_minor + case line when 1 then 5 else -5 end where line in (1, 3) and journal_id = (select id from journal where source = 'b')",
      names: (id: string) => [
        `Entry ${id} line 1 was changed, removed or added.`,
        `Entry ${id} line 3 was changed, removed or added.`,
      ],
    },
    {
      what: 'a journal',
      statement: "update journal set kind = 'other' where source = 'b'",
      names: (id: string) => [`Journal ${id} was changed.`],
    },
    {
      what: 'a removed journal',
      statement:
        "with gone as (delete from entry where journal_id = (select id from journal where source = 'b')) delete from journal where source = 'b'",
      names: (id: string, account: string) => [
        `Journal ${id} is missing; it was sealed as `,
        `Balance of ${account} is 29550, its entries give 19700.`,
      ],
    },
    {
      what: 'a balance',
      statement: 'update ledger_balance set balance_minor = balance_minor + 7 where balance_minor > 0',
      names: (_id: string, account: string) => [`Balance of ${account} is 29557, its entries give 29550.`],
    },
    {
      what: 'a seal',
      statement: "update journal_seal set hash = sha256('x') where position = 3",
      names: () => ['Seal 3 '],
    },
  ];

  // Guarantee: every page of the chain is checked, not only the first 5,000 seals.
  test('a journal on the second page of the chain', async () => {
    const { world, merchantId } = await aLedger();
    const journals = Array.from({ length: 5_001 }, (_, index) => payment(merchantId, String(index)));
    await world.db.atomic((sql) => post(sql, world.ids, journals, world.clock.now()));
    while ((await sealJournals(world)) > 0);
    assert.deepEqual(await verifyLedger(world, whole(world)), []);
    const last = await world.db.atomic(async (sql) => {
      await sql.run`set local session_replication_role = replica`;
      return sql.one((row) => String(row.id))`
        update journal set kind = 'other' where id = (select journal_id from journal_seal where position = 5001)
        returning id`;
    });
    assert.deepEqual(inWords(await verifyLedger(world, whole(world))), [`Journal ${last} was changed.`]);

    // Guarantee: of very many wrong rows a few are named, some of every kind: no more than anybody reads.
    await world.db.atomic(async (sql) => {
      await sql.run`set local session_replication_role = replica`;
      await sql.run`
        update entry set amount_minor = amount_minor + 1
         where line = 1 and journal_id in (select journal_id from journal_seal where position <= 150)`;
    });
    const all = await verifyLedger(world, whole(world));
    assert.ok(all.length <= findingsAtMost + 1, `${all.length} findings`);
    const codes = new Set(all.map(({ code }) => code));
    assert.ok(codes.has('entry_changed') && codes.has('journal_unbalanced') && codes.has('journal_changed'));
  });

  // Guarantee: what is wrong is named, in whichever direction it is wrong.
  test('too little, unknown accounts and missing seals', async () => {
    const { world, merchantId } = await aLedger();
    for (const source of ['a', 'b', 'c']) {
      await world.db.atomic((sql) => post(sql, world.ids, [payment(merchantId, source)], world.clock.now()));
    }
    await sealJournals(world);
    const found = async (statement: string) => {
      const undone = new Error('undone');
      let codes: string[] = [];
      await world.db
        .atomic(async (sql) => {
          await sql.run`set local session_replication_role = replica`;
          await sql.run([statement] as unknown as TemplateStringsArray);
          codes = (await verifyLedger(world, { ...whole(world), sql })).map(({ code }) => code);
          throw undone;
        })
        .catch((error: unknown) => assert.equal(error, undone));
      return codes;
    };
    assert.ok(
      (await found('update entry set amount_minor = amount_minor - 1 where line = 1')).includes('journal_unbalanced'),
    );
    assert.ok(
      (await found('update ledger_balance set balance_minor = balance_minor - 7 where balance_minor > 0')).includes(
        'balance_wrong',
      ),
    );
    assert.ok((await found("update entry set account = 'nobody' where line = 1")).includes('account_missing'));
    assert.ok((await found('delete from journal_seal where position = 2')).includes('seals_missing'));
    assert.deepEqual(await verifyLedger(world, whole(world)), []);
  });

  for (const { what, statement, names } of tamperings) {
    // Guarantee: tampering with the ledger is detected, and the row is named.
    test(what, async () => {
      const { world, merchantId } = await aLedger();
      for (const source of ['a', 'b', 'c']) {
        await world.db.atomic((sql) => post(sql, world.ids, [payment(merchantId, source)], world.clock.now()));
      }
      assert.equal(await sealJournals(world), 3);
      assert.deepEqual(await verifyLedger(world, whole(world)), []);
      const [id = ''] = await world.db.sql.many((row) => String(row.id))`select id from journal where source = 'b'`;
      await world.db.atomic(async (sql) => {
        // Like an intruder with all privileges: triggers and foreign keys off.
        await sql.run`set local session_replication_role = replica`;
        await sql.run([statement] as unknown as TemplateStringsArray);
      });
      const problems = inWords(await verifyLedger(world, whole(world)));
      for (const expected of names(id, ledgerAccounts.available(merchantId))) {
        assert.ok(
          problems.some((problem) => problem.startsWith(expected)),
          `${expected} is not among ${problems.join(' | ')}`,
        );
      }
    });
  }
});
