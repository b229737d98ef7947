// Runs, differences, decisions and payouts against their chain of records; sums; damaged rows and lines; dead runs.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import pg from 'pg';
import type { StatementAnswer, StatementLine } from '../../src/acquirer/index.ts';
import { statementAnswerFromWire } from '../../src/acquirer/protocol.ts';
import { Nodes, readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { reconcile } from '../../src/reconciliation/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { inWords, reasonInWords, statementInWords } from '../support/findings.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import {
  aMerchant,
  aWorld,
  roomsOf,
  type Service,
  serve,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';
import { StatementBank } from '../support/statement-bank.ts';
import { whole } from '../support/verify.ts';

let service: Service;
let bank: StatementBank;
let merchant: TestMerchant;
let begun: Temporal.Instant;

beforeEach(async () => {
  const world = await aWorld();
  bank = new StatementBank(() => world.clock.now());
  service = await serve({ ...world, acquirers: acquirersOf(world, bank) } as unknown as TestWorld);
  merchant = await aMerchant(service);
  begun = world.clock.now().subtract({ seconds: 1 });
});

async function aPayment(): Promise<string> {
  const id = await aTransaction(service, merchant, { amount: 20 });
  await payBlik(service, merchant, id);
  return service.world.db.sql.one((row) => readText(row, 'id'))`select id from charge where transaction_id = ${id}`;
}

async function compare(rooms = service.rooms) {
  service.world.clock.advance({ hours: 1 });
  service.world.wall.advance({ minutes: 2 });
  const run = await rooms.reconciliation.reconcile({ from: begun });
  assert.ok(run);
  return run;
}

/** As somebody with full access to the database: without triggers. */
async function damage(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: service.world.databaseUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const { rowCount } = await client.query(statement);
    assert.equal(rowCount, 1, statement);
  } finally {
    await client.end();
  }
}

async function problems(): Promise<string[]> {
  return inWords(await service.rooms.reconciliation.verify(whole(service.world)));
}

async function parked(): Promise<string[]> {
  return (await service.rooms.reconciliation.parked.list()).map(({ why }) => reasonInWords(why) ?? '');
}

async function decideFirst(decision: 'not-captured' | { capturedMinor: bigint }): Promise<void> {
  const [item] = await service.rooms.reconciliation.parked.list();
  assert.equal(await service.rooms.reconciliation.parked.decide(item?.id ?? '', decision), true);
}

suite('what was changed behind the service', () => {
  /** A capture that nobody knows, a payment shown with another amount and decided, a payout. */
  beforeEach(async () => {
    const key = await aPayment();
    bank.say('payout', 'payout-1', 490n, { feeMinor: 10n });
    bank.say('capture', key, 1_500n);
    await compare();
    await decideFirst({ capturedMinor: 1_500n });
    bank.say('capture', 'stray', 1_111n);
    await compare();
    assert.deepEqual(await problems(), []);
  });

  const later = "timestamptz '2036-01-01Z'";
  const hash = `'\\x${'00'.repeat(32)}'`;
  // Guarantee: verify finds every change of a run, a difference, a decision or a payout.
  for (const [name, statement, found] of [
    [
      'a closed difference',
      "update reconciliation_item set state = 'closed', closed_at = found_at, outcome = 'confirmed' where key = 'stray'",
      /^Difference .* is not as its last record says\.$/,
    ],
    [
      'an amount while it is parked',
      "update reconciliation_item set bank_minor = 5 where key = 'stray'",
      /^Difference .* is not as its last record says\.$/,
    ],
    [
      'its key',
      "update reconciliation_item set key = 'other' where key = 'stray'",
      /^Difference .* is not as its last record says\.$/,
    ],
    [
      'a deleted difference',
      "delete from reconciliation_item where key = 'stray'",
      /^Difference .* is recorded, but its row is missing\.$/,
    ],
    [
      'a run until 2036',
      `insert into reconciliation_run (id, acquirer, from_at, to_at, started_at, lease_until, ended_at, state) select '01' || repeat('Z', 24), acquirer, from_at, ${later}, started_at, lease_until, ended_at, 'agreed' from reconciliation_run limit 1`,
      /^Reconciliation 01Z+ is not as its last record says\.$/,
    ],
    [
      'the end of a run',
      `update reconciliation_run set to_at = ${later} where id = (select min(id) from reconciliation_run)`,
      /^Reconciliation .* is not as its last record says\.$/,
    ],
    [
      'the state of a run',
      "update reconciliation_run set state = 'agreed' where id = (select min(id) from reconciliation_run)",
      /^Reconciliation .* is not as its last record says\.$/,
    ],
    [
      'a deleted run',
      'delete from reconciliation_run where id = (select min(id) from reconciliation_run)',
      /^Reconciliation .* is recorded, but its row is missing\.$/,
    ],
    [
      'a sum of a run',
      "update reconciliation_total set bank_minor = bank_minor + 1, our_minor = our_minor + 1 where kind = 'capture' and run_id = (select min(id) from reconciliation_run)",
      /^Reconciliation .* is not as its last record says\.$/,
    ],
    [
      'a deleted payout',
      'delete from acquirer_payout',
      /^Payout simulator:payout-1 is recorded, but its row is missing\.$/,
    ],
    [
      'the amount of a payout',
      'update acquirer_payout set amount_minor = 1',
      /^Payout simulator:payout-1 is 1, but 490 is booked for it\.$/,
    ],
    [
      'the time of a payout',
      `update acquirer_payout set at = ${later}`,
      /^Payout simulator:payout-1 is not as its last record says\.$/,
    ],
    [
      'an invented payout',
      "insert into acquirer_payout select acquirer, 'payout-2', 0, 0, currency, at, booked_at from acquirer_payout",
      /^Payout simulator:payout-2 is not as its last record says\.$/,
    ],
    [
      'a record',
      "update reconciliation_record set content = replace(content, '1500', '1501') where step = 'decided'",
      /^Reconciliation: record \d+ was changed after it was written\.$/,
    ],
    [
      'a deleted record',
      'delete from reconciliation_record where position = 2',
      /^Reconciliation: record 2 of the chain is missing\.$/,
    ],
    [
      'a cut off end',
      'delete from reconciliation_record where position = (select max(position) from reconciliation_record)',
      /^Reconciliation: the end of the chain was cut off or changed/,
    ],
    [
      'an appended record',
      `insert into reconciliation_record select position + 1, '01' || repeat('Y', 24), at, acquirer, run_id, item_id, kind, key, step, moved_minor, unallocated_minor, content, ${hash} from reconciliation_record order by position desc limit 1`,
      /^Reconciliation: record \d+ was changed after it was written\.$/,
    ],
    [
      'the journal of a decision',
      "update journal set source = 'other' where kind = 'capture corrected'",
      /^Record .* of a difference moved -500, but nothing is booked for it\.$/,
    ],
    [
      'the amount of its entry',
      "update entry set amount_minor = -499 where amount_minor = -500 and account = 'acquirer:simulator:receivable' and journal_id in (select id from journal where kind = 'capture corrected')",
      /^Record .* of a difference moved -500, but -499 is booked for it\.$/,
    ],
    [
      'a journal of nobody',
      "insert into journal select '01' || repeat('X', 24), 'nobody', kind, currency, posted_at from journal where kind = 'capture corrected'",
      /^Journal 01X+ \(capture corrected of nobody\) is not what its row says, or there is no such row\.$/,
    ],
  ] as const) {
    test(name, async () => {
      await damage(statement);
      const found_ = await problems();
      assert.ok(
        found_.some((one) => found.test(one)),
        found_.join('\n') || 'nothing',
      );
    });
  }
});

suite('one that is damaged does not stop the others', () => {
  // Guarantee: whatever happened to the row of a difference, the others are compared, and it is named again.
  test('a lost difference', async () => {
    bank.say('capture', 'stray', 1_111n);
    await compare();
    await damage("delete from reconciliation_item where key = 'stray'");
    bank.say('capture', 'other', 700n);
    const run = await compare();
    assert.equal(run.state, 'differs');
    assert.deepEqual((await parked()).toSorted(), [
      'The bank captured 7.00; no payment of ours has it.',
      'The capture of 11.11 is in the books and at the bank, but rows about it are missing.',
    ]);
  });

  test('a difference whose reason cannot be read', async () => {
    bank.say('capture', 'stray', 1_111n);
    await compare();
    await damage(`update reconciliation_item set why = '{"code": "nonsense", "parameters": {}}' where key = 'stray'`);
    bank.say('capture', 'other', 700n);
    const run = await compare();
    assert.equal(run.state, 'differs');
    assert.deepEqual(await parked(), [
      'The row of this difference is damaged: run grosz verify.',
      'The bank captured 7.00; no payment of ours has it.',
    ]);
  });

  test('a lost row of a payout is not booked again', async () => {
    await aPayment();
    bank.say('payout', 'payout-1', 490n, { feeMinor: 10n });
    await compare();
    await damage('delete from acquirer_payout');
    assert.equal((await compare()).state, 'differs');
    assert.deepEqual(await parked(), [
      'The payout of 4.90 is in the books and at the bank, but rows about it are missing.',
    ]);
  });

  // Guarantee: a line that cannot be read is named with its place, and the others are compared.
  test('lines that cannot be read', async () => {
    const key = await aPayment();
    const at = service.world.clock.now().toString();
    const good = { kind: 'capture', key, amount: { minor: 2_000, currency: 'PLN' }, at };
    const stray = { ...good, key: 'stray', amount: { minor: 700, currency: 'PLN' } };
    const lines = [
      good,
      { ...good, amount: { minor: -1, currency: 'PLN' } },
      'nonsense',
      stray,
      { ...good, kind: 'gift' },
    ];
    const answer = statementAnswerFromWire({ kind: 'page', lines, next: null });
    assert.deepEqual(answer?.kind === 'page' && answer.unreadable, [2, 3, 5]);
    const page = answer as StatementAnswer;
    const statement = async () => page;
    const acquirer = new Proxy(bank, {
      get: (target, name) => (name === 'statement' ? statement : Reflect.get(target, name)),
    });
    const run = await compare(await roomsOf({ ...service.world, acquirers: acquirersOf(service.world, acquirer) }));
    assert.deepEqual(
      [run.state, statementInWords(run.why), Number(run.captures)],
      ['incomplete', 'The statement has 3 lines that cannot be read, the first is line 2.', 2],
    );
    assert.deepEqual(await parked(), ['The bank captured 7.00; no payment of ours has it.']);
  });

  // Guarantee: the same of a connector in this process, whose lines no protocol reads.
  test('lines that the database cannot hold', async () => {
    const key = await aPayment();
    const at = service.world.clock.now();
    const good = { kind: 'capture', key, amount: money(2_000n, 'PLN'), at } as const;
    const lines: StatementLine[] = [
      { ...good, key: 'much', amount: money(2n ** 63n, 'PLN') },
      { ...good, key: 'less', amount: money(-1n, 'PLN') },
      good,
      { ...good, key: 'nul\0' },
      { ...good, kind: 'refund', key: 'back', chargeKey: 'nul\0' },
      { ...good, kind: 'payout', key: 'out', fee: money(2n ** 70n, 'PLN') },
      { ...good, kind: 'other', key: 'odd', what: 'nul\0', taken: true },
      { ...good, key: 'stray', amount: money(700n, 'PLN') },
    ];
    const statement = async () => ({ kind: 'page', lines, next: null }) as const;
    const acquirer = new Proxy(bank, {
      get: (target, name) => (name === 'statement' ? statement : Reflect.get(target, name)),
    });
    const run = await compare(await roomsOf({ ...service.world, acquirers: acquirersOf(service.world, acquirer) }));
    assert.deepEqual(
      [run.state, statementInWords(run.why), Number(run.captures)],
      ['incomplete', 'The statement has 6 lines that cannot be read, the first is line 1.', 2],
    );
    assert.deepEqual(await parked(), ['The bank captured 7.00; no payment of ours has it.']);
  });
});

suite('sums', () => {
  // Guarantee: what is on the acquirer's account and belongs to no key is a finding of its own.
  test('a journal on the acquirer’s account that belongs to nothing', async () => {
    await aPayment();
    const { db, ids, clock } = service.world;
    const id = ids.ulid();
    await db.atomic(async (sql) => {
      await sql.run`insert into journal (id, source, kind, currency, posted_at) values (${id}, 'gift', 'gift', 'PLN', ${clock.now()})`;
      await sql.run`
        insert into entry (journal_id, line, account, amount_minor)
        values (${id}, 1, 'acquirer:simulator:receivable', -700), (${id}, 2, 'bank:own', 700)`;
    });
    const run = await compare();
    assert.deepEqual([run.state, run.found], ['differs', 1]);
    assert.deepEqual(await parked(), [
      "The acquirer's account has 7.00 in the period that belongs to no payment, refund or payout.",
    ]);
    const sums = await service.rooms.reconciliation.totals([run.id]);
    const other = sums.find(({ kind }) => kind === 'other');
    assert.deepEqual([other?.ourMinor, other?.unexplainedMinor], [-700n, 700n]);
    assert.equal((await compare()).found, 0, 'once');
    await decideFirst({ capturedMinor: 700n });
    assert.equal((await compare()).state, 'agreed', 'an operator has looked into it');
    assert.deepEqual(await problems(), []);
  });

  test('by kind, with what differences explain', async () => {
    const key = await aPayment();
    await aPayment();
    bank.say('capture', key, 500n);
    const run = await compare();
    const sums = await service.rooms.reconciliation.totals([run.id]);
    assert.deepEqual(
      sums.map(({ kind, bankMinor, ourMinor, namedMinor, unexplainedMinor }) => [
        kind,
        bankMinor,
        ourMinor,
        namedMinor,
        unexplainedMinor,
      ]),
      [
        ['capture', 2_500n, 4_000n, -1_500n, 0n],
        ['dispute', 0n, 0n, 0n, 0n],
        ['fee', 0n, 0n, 0n, 0n],
        ['other', 0n, 0n, 0n, 0n],
        ['payout', 0n, 0n, 0n, 0n],
        ['refund', 0n, 0n, 0n, 0n],
      ],
    );
  });
});

suite('a run whose process died', () => {
  // Guarantee: it is taken over within a minute; as soon as its process is seen to be dead.
  for (const [name, seconds, nodeId] of [
    ['after its lease', 46, null],
    ['when its process has ended', 4, 'gone'],
  ] as const) {
    test(`is taken over ${name}`, async () => {
      const { world } = service;
      let milliseconds = 0;
      const nodes = new Nodes(world.db, world.wall, world.random, () => milliseconds);
      await world.db.sql.run`
        insert into node (id, name, beat, started_at) values ('gone', 'gone', 1, ${world.wall.now()})`;
      await nodes.round();
      const tools = { ...world, nodes, applyResult: async () => undefined };
      // It waits for its statement for ever.
      const statement = () => new Promise<never>(() => undefined);
      const acquirer = new Proxy(bank, {
        get: (target, name) => (name === 'statement' ? statement : Reflect.get(target, name)),
      });
      void reconcile({
        ...tools,
        acquirers: acquirersOf(world, acquirer),
        nodes: { self: nodeId, isDead: () => false },
      });
      const isRunning = () =>
        world.db.sql.one((row) => row.running === true)`select exists (select from reconciliation_run) as running`;
      while (!(await isRunning()));
      assert.equal(await reconcile(tools), undefined, 'it may be alive');
      for (let passed = 0; passed < seconds; passed += 1) {
        milliseconds += 1_000;
        world.wall.advance({ seconds: 1 });
        await nodes.round();
      }
      assert.equal((await reconcile(tools))?.state, 'agreed');
      const states = await world.db.sql.many((row) => readText(row, 'state'))`
        select state from reconciliation_run order by id`;
      assert.deepEqual(states, ['incomplete', 'agreed']);
      assert.deepEqual(await problems(), []);
    });
  }
});
