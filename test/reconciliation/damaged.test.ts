// Rows that somebody changed in the database: they are found, they stop nothing, and nobody is paid because of them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { inWords, statementInWords } from '../support/findings.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { whole } from '../support/verify.ts';

let here: Reconciling;
/** One service for all: each damage is about a key or a run of its own. */
before(async () => {
  here = await aReconciling();
  await here.pay();
  here.bank.say('capture', 'plenty', 1_000_000n);
  await here.compare();
});

/** What verify named before: later damages do not repeat it. */
const named = new Set<string>();

/** Verify names it, and did not before this damage. */
async function findsVerify(sentence: RegExp): Promise<void> {
  const all = inWords(await here.service.rooms.reconciliation.verify(whole(here.service.world)));
  const found = all.filter((one) => !named.has(one));
  assert.ok(
    found.some((one) => sentence.test(one)),
    found.join('\n') || 'nothing new',
  );
  for (const one of all) named.add(one);
}

const returnsOf = (key: string) =>
  here.world.db.sql.many((row) => `${readText(row, 'state')} ${row.amount_minor}`)`
    select state, amount_minor from outgoing_refund where charge_key = ${key} order by state`;

suite('what goes back', () => {
  // Guarantee: what is sent is what was decided, whatever the row says.
  test('an amount that was changed before it was sent is not sent', async () => {
    const { bank } = here;
    bank.say('capture', 'unsent', 1_111n);
    await here.compare();
    await here.decide('unsent', { capturedMinor: 1_111n });
    await here.damage("update outgoing_refund set amount_minor = 99999 where charge_key = 'unsent'");
    await findsVerify(/^Outgoing refund \w+ gives back 99999, but 1111 was decided\.$/);
    await here.moveRefunds();
    assert.deepEqual(await returnsOf('unsent'), ['held 99999']);
    assert.deepEqual(await here.parked('unsent'), ['What was to be sent is not what was decided: run grosz verify.']);
    await here.decide('unsent', { capturedMinor: 1_111n });
    await here.moveRefunds();
    assert.deepEqual(await returnsOf('unsent'), ['canceled 99999', 'done 1111']);
  });

  test('an amount that was changed after it was paid is found', async () => {
    const { bank } = here;
    bank.say('capture', 'paid', 1_111n);
    await here.compare();
    await here.decide('paid', { capturedMinor: 1_111n });
    await here.moveRefunds();
    await here.damage("update outgoing_refund set amount_minor = 1112 where charge_key = 'paid'");
    await findsVerify(/^Outgoing refund \w+ gives back 1112, but 1111 was decided\.$/);
    await here.damage("update outgoing_refund set amount_minor = 1111 where charge_key = 'paid'");
  });
});

suite('returns and differences', () => {
  before(async () => {
    for (const key of ['astray', 'elsewhere']) {
      here.bank.say('capture', key, 1_111n);
      await here.compare();
      await here.decide(key, { capturedMinor: 1_111n });
    }
  });

  // Guarantee: what is to go back to a payer is on its way.
  test('a difference whose outgoing refund is gone', async () => {
    await here.damage("delete from outgoing_refund where charge_key = 'astray'");
    await findsVerify(/^Difference \w+ goes back to its payer, but nothing is sent\.$/);
  });

  // Guarantee: nothing goes back for which there is no difference that says so.
  test('an outgoing refund about another capture', async () => {
    await here.damage("update outgoing_refund set charge_key = 'plenty' where charge_key = 'elsewhere'");
    await findsVerify(/^Outgoing refund \w+ does not belong to the difference that it is for\.$/);
    await here.damage("update outgoing_refund set charge_key = 'elsewhere' where charge_key = 'plenty'");
    await here.moveRefunds();
  });
});

suite('payouts', () => {
  // Guarantee: a decision about a payout whose journal is gone books it again, once.
  test('one whose journal is gone can be decided', async () => {
    const { bank } = here;
    bank.say('payout', 'payout-1', 4_900n, { feeMinor: 100n });
    await here.compare();
    assert.equal(await here.balanceOf('bank:client'), 4_900n);
    await here.damage("update journal set source = 'gone', kind = 'gone' where source = 'simulator:payout-1'");
    await here.compare(1, here.begun);
    assert.deepEqual(await here.parked('payout-1'), ['The bank has a payout of 49.00; our books have 0.00.']);
    assert.ok(await here.decide('payout-1', { capturedMinor: 4_900n }));
    await here.damage("update journal set source = 'simulator:payout-1', kind = 'payout' where source = 'gone'");
    await here.compare(1, here.begun);
    assert.deepEqual(await here.parked('payout-1'), ['The bank has a payout of 49.00; our books have 98.00.']);
    assert.ok(await here.decide('payout-1', { capturedMinor: 4_900n }));
    assert.equal(await here.balanceOf('bank:client'), 4_900n);
  });
});

suite('rows that cannot be read', () => {
  // Guarantee: a run whose reason is nonsense is found, and stops neither lists nor runs.
  test('the reason of a run', async () => {
    const { reconciliation } = here.service.rooms;
    await here.world.db.sql.run`
      update reconciliation_run set why = '{"code": "nonsense", "parameters": {}}'
       where id = (select max(id) from reconciliation_run)`;
    const [run] = await reconciliation.runs();
    assert.equal(statementInWords(run?.why), 'The row of this run is damaged: run grosz verify.');
    await findsVerify(/^Reconciliation \w+ is not as its last record says\.$/);
    assert.notEqual((await here.compare()).state, 'incomplete');
  });

  // Guarantee: a record that is no JSON is refused; written all the same, it hides nothing.
  test('the content of a record', async () => {
    const { bank, world } = here;
    await assert.rejects(
      world.db.sql.run`insert into reconciliation_record (position, id, at, acquirer, step, content, hash)
        values (1000000, '01JZ8D3K7R4M5N6P7Q8R9S0T1V', ${world.clock.now()}, 'simulator', 'found', 'nonsense', ${Buffer.alloc(32)})`,
      /json/,
    );
    bank.say('capture', 'unreadable', 700n);
    await here.compare();
    await world.db.sql.run`alter table reconciliation_record drop constraint reconciliation_record_content_check`;
    await here.damage(
      "update reconciliation_record set content = 'nonsense' where key = 'unreadable' and step = 'followed'",
    );
    assert.deepEqual(await here.parked('unreadable'), ['The bank captured 7.00; no payment of ours has it.']);
    await findsVerify(/^Reconciliation: record \d+ was changed after it was written\.$/);
    await here.damage(
      "update reconciliation_record set content = 'nonsense' where key = 'payout-1' and step = 'payout_booked'",
    );
    await findsVerify(/^Payout simulator:payout-1 is not as its last record says\.$/);
  });
});

suite('runs', () => {
  const insert = (id: string, lease: Temporal.Instant, started: Temporal.Instant) => here.world.db.sql.run`
    insert into reconciliation_run (id, acquirer, from_at, to_at, started_at, lease_until, state)
    values (${id}, 'simulator', ${started}, ${started.add({ hours: 1 })}, ${started}, ${lease}, 'running')`;

  // Guarantee: nobody keeps runs from starting with a lease that no process takes.
  test('a lease until 2036 is found, and the run taken over', async () => {
    const { wall } = here.world;
    await insert(here.world.ids.ulid(), Temporal.Instant.from('2036-01-01T00:00:00Z'), wall.now());
    await findsVerify(/^Reconciliation \w+ began on .* and never ended, or its lease is longer/);
    assert.notEqual((await here.compare()).state, 'incomplete');
  });

  test('a run that began yesterday is found', async () => {
    const { wall } = here.world;
    await insert(here.world.ids.ulid(), wall.now().add({ seconds: 45 }), wall.now().subtract({ hours: 25 }));
    await findsVerify(/^Reconciliation \w+ began on .* and never ended/);
    await here.world.db.sql.run`
      update reconciliation_run set lease_until = ${wall.now().subtract({ seconds: 1 })} where state = 'running'`;
  });

  for (const [name, statement, sentence] of [
    [
      'the process of a run',
      "update reconciliation_run set node_id = 'other' where id = (select min(id) from reconciliation_run)",
      /^Reconciliation \w+ is not as its last record says\.$/,
    ],
    [
      'a sum of no run',
      "insert into reconciliation_total values ('01' || repeat('Y', 24), 'capture', 0, 0, 0, 0, 0)",
      /^Reconciliation 01Y+ is recorded, but its row is missing\.$/,
    ],
    [
      'the run that saw a difference',
      "update reconciliation_item set seen_run_id = '01' || repeat('Y', 24) where key = 'plenty'",
      /^Difference \w+ is not as its last record says\.$/,
    ],
  ] as const) {
    // Guarantee: verify finds a change of what no decision depends on, too.
    test(name, async () => {
      await here.damage(statement);
      await findsVerify(sentence);
    });
  }
});
