// Lines that nobody knows: payouts of acquirers are found by their reference, an operator decides the rest.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import type { LineDecision } from '../../src/statements/index.ts';
import { AllocationFault } from '../../src/statements/index.ts';
import { camt053, type EntryGiven } from '../bankfiles/files.ts';
import { anOperator } from '../support/batches.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { inWords } from '../support/findings.ts';
import { aPassword } from '../support/panel.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { decideParked, listParked } from '../support/rooms.ts';
import { findingsOf } from '../support/verify.ts';
import { importInto, openOurs } from './support.ts';

let here: Reconciling;

beforeEach(async () => {
  here = await aReconciling();
  await openOurs(here.world);
  await here.pay();
});

async function line(entry: EntryGiven, closing: string, opening = '0.00'): Promise<void> {
  await importInto(here.world, camt053({ opening, closing, entries: [entry] }));
}

const waiting = () => here.service.rooms.statements.waiting(10);
const decide = (id: string, decision: LineDecision) =>
  here.service.rooms.statements.decide(id, decision, 'anna@example.com');
const refused = async (id: string, decision: LineDecision) =>
  decide(id, decision).then(
    () => 'taken',
    (error: unknown) => (error instanceof AllocationFault ? error.why.code : String(error)),
  );
async function onlyLine(): Promise<string> {
  const [one, ...others] = await waiting();
  assert.equal(others.length, 0);
  return one?.line.id ?? 'none';
}

async function balances(): Promise<bigint[]> {
  return Promise.all(['bank:client', 'bank:unallocated', 'expense:bank_fee'].map((name) => here.balanceOf(name)));
}

async function checkBooks(): Promise<void> {
  assert.deepEqual(inWords(await findingsOf(here.world)), []);
}

async function payout(key: string, minor: bigint): Promise<void> {
  here.bank.say('payout', key, minor);
  assert.equal((await here.compare(1, here.begun)).state, 'agreed');
}

suite('payouts of acquirers', () => {
  // Guarantee: what an acquirer paid out is booked once, whichever statement comes first.
  for (const first of ['the acquirer’s statement', 'the bank’s statement'] as const) {
    test(`after ${first}`, async () => {
      if (first.startsWith('the acquirer')) await payout('po_123', 1_900n);
      await line({ amount: '19.00', info: 'PAYOUT po_123 OF MONDAY' }, '19.00');
      if (first.startsWith('the bank')) {
        assert.deepEqual(await balances(), [1_900n, -1_900n, 0n]);
        await payout('po_123', 1_900n);
        const work = here.service.rooms.works.find(({ name }) => name === 'match_statements');
        assert.equal(await work?.run(), 1);
      }
      assert.deepEqual(await waiting(), []);
      assert.deepEqual(await balances(), [1_900n, 0n, 0n]);
      assert.deepEqual(await here.service.rooms.statements.underway(), []);
      await checkBooks();
    });
  }

  // Guarantee: a payout that has not arrived is named, and nothing is wrong.
  test('that has not arrived', async () => {
    await payout('po_123', 1_900n);
    const [underway] = await here.service.rooms.statements.underway();
    assert.deepEqual([underway?.target, underway?.amountMinor], ['simulator:po_123', 1_900n]);
    await checkBooks();
  });

  // Guarantee: an amount alone, a part of a reference, and a reference with another amount only propose.
  test('that only look like it', async () => {
    await payout('po_1', 1_900n);
    await line({ amount: '19.00', info: 'PAYOUT po_12' }, '19.00');
    await importInto(
      here.world,
      camt053({ opening: '19.00', closing: '37.00', entries: [{ amount: '18.00', info: 'po_1' }] }),
    );
    const lines = (await waiting()).toSorted((x, y) => (x.line.leftMinor > y.line.leftMinor ? -1 : 1));
    assert.deepEqual(
      lines.map(({ proposed }) => proposed.map(({ target }) => target)),
      [['simulator:po_1'], []],
    );
    const [one, other] = lines.map(({ line: { id } }) => id);
    assert.equal(
      await refused(other ?? '', { kind: 'acquirer_payout', target: 'simulator:po_1' }),
      'payout_has_other_amount',
    );
    await decide(one ?? '', { kind: 'acquirer_payout', target: 'simulator:po_1' });
    assert.equal(await refused(other ?? '', { kind: 'acquirer_payout', target: 'simulator:po_1' }), 'payout_arrived');
    assert.deepEqual(await balances(), [3_700n, -1_800n, 0n]);
    await checkBooks();
  });

  // Guarantee: what the acquirer took back leaves the bank once.
  test('that went back', async () => {
    await payout('po_123', 1_900n);
    await line({ amount: '19.00', info: 'po_123' }, '19.00');
    here.bank.say('payoutReturned', 'po_123', 1_900n);
    await here.compare(1, here.begun);
    await importInto(
      here.world,
      camt053({ opening: '19.00', closing: '0.00', entries: [{ amount: '19.00', indicator: 'DBIT', info: 'po_123' }] }),
    );
    assert.deepEqual(await balances(), [0n, 0n, 0n]);
    await checkBooks();
  });

  // Guarantee: a payout that the acquirer changes after it arrived is named.
  test('that are corrected afterwards', async () => {
    await payout('po_123', 1_900n);
    await line({ amount: '19.00', info: 'po_123' }, '19.00');
    here.bank.say('payout', 'po_123', 1_800n);
    await here.compare(1, here.begun);
    await here.decide('po_123', { capturedMinor: 1_800n });
    assert.deepEqual(inWords(await findingsOf(here.world)), [
      'Payout simulator:po_123: our bank has 1900 of it, and the books have 1800.',
    ]);
  });
});

suite('an operator', () => {
  // Guarantee: what waits is listed with everything else that waits, and decided only by saying what it is.
  test('sees it among the parked, and cannot decide it as captured', async () => {
    await line({ amount: '5.00', info: 'who knows' }, '5.00');
    const [item] = await listParked(here.world);
    assert.deepEqual([item?.kind, item?.amountMinor, item?.why.code], ['bank_line', 500n, 'bank_line_unknown']);
    await assert.rejects(decideParked(here.world, item?.id ?? '', { capturedMinor: 500n }), /bank_line_elsewhere/);
    assert.equal(await decideParked(here.world, 'nothing', 'not-captured'), false);
  });

  // Guarantee: a charge of the bank is our expense, once; what came cannot be one.
  test('says that it is a charge of the bank', async () => {
    await line({ amount: '5.00', info: 'who knows', indicator: 'DBIT' }, '5.00', '10.00');
    const [, debit] = await waiting();
    const [brought] = await waiting();
    assert.equal(await refused(brought?.line.id ?? '', { kind: 'fee' }), 'fee_came');
    await decide(debit?.line.id ?? '', { kind: 'fee' });
    assert.equal(await refused(debit?.line.id ?? '', { kind: 'fee' }), 'line_not_waiting');
    assert.deepEqual(await balances(), [500n, -1_000n, 500n]);
    await checkBooks();
  });

  // Guarantee: what stays in suspense is no longer asked about, and can still be decided.
  test('leaves it in suspense, and finds out later', async () => {
    await line({ amount: '5.00', info: 'who knows', indicator: 'DBIT' }, '5.00', '10.00');
    const id = (await waiting()).find(({ line: { entry } }) => entry === 1)?.line.id ?? '';
    await decide(id, { kind: 'suspense' });
    assert.equal((await waiting()).length, 1);
    assert.deepEqual(await balances(), [500n, -500n, 0n]);
    await checkBooks();
    await decide(id, { kind: 'fee' });
    assert.deepEqual(await balances(), [500n, -1_000n, 500n]);
    await checkBooks();
  });

  // Guarantee: an opening balance may be several payouts; together no more than it is.
  test('says which payouts are in the opening balance', async () => {
    await payout('po_1', 700n);
    here.bank.say('payout', 'po_2', 300n);
    await here.compare(1, here.begun);
    await importInto(here.world, camt053({ opening: '9.00', closing: '9.00' }));
    const id = await onlyLine();
    await decide(id, { kind: 'acquirer_payout', target: 'simulator:po_1' });
    assert.equal(await refused(id, { kind: 'acquirer_payout', target: 'simulator:po_2' }), 'payout_has_other_amount');
    assert.equal((await waiting())[0]?.line.leftMinor, 200n);
    assert.deepEqual(await balances(), [1_200n, -200n, 0n]);
    await checkBooks();
  });

  // Guarantee: a line is decided once, whoever decides at the same time.
  test('two at once', async () => {
    await payout('po_1', 700n);
    await line({ amount: '7.00', info: 'who knows' }, '7.00');
    const id = await onlyLine();
    const target = 'simulator:po_1';
    const answers = await Promise.all([1, 2, 3].map(() => refused(id, { kind: 'acquirer_payout', target })));
    assert.equal(answers.filter((answer) => answer === 'taken').length, 1);
    assert.deepEqual(await balances(), [700n, 0n, 0n]);
    await checkBooks();
  });
});

suite('grosz statements decide', () => {
  // Guarantee: what a line is, is said by a named operator with password and second factor, and kept with that name.
  test('in the name of an operator', async () => {
    await line({ amount: '4.00', indicator: 'DBIT', info: 'card terminal' }, '0.00', '4.00');
    const id = (await waiting()).find(({ line: one }) => one.entry > 0)?.line.id ?? 'none';
    const operator = await anOperator(here.service);
    const decideAs = async (answers: readonly string[], ...as: readonly string[]) =>
      runHere(['statements', 'decide', id, 'fee', ...as], await settingsIn(here.world), answers);
    assert.match((await decideAs([])).stderr, /Missing --as EMAIL: whose decision it is/);
    const named = ['--as', operator.email] as const;
    assert.match((await decideAs(['wrong', operator.code()], ...named)).stderr, /password is wrong/);
    assert.match((await decideAs([aPassword, 'x'], ...named)).stderr, /not accepted/);
    assert.equal(await here.balanceOf('expense:bank_fee'), 0n);
    const decided = await decideAs([aPassword, operator.code()], ...named);
    assert.equal(decided.stdout, `Decided ${id}: fee.\n`, decided.stderr);
    assert.equal(await here.balanceOf('expense:bank_fee'), 400n);
    const { sql } = here.world.db;
    const people = await sql.many((row) => readText(row, 'person'))`select person from bank_allocation`;
    assert.deepEqual(people, [operator.email]);
    const log = await sql.many((row) => readText(row, 'text'))`
      select audit_entry::text as text from audit_entry where action = 'decide_bank_line'`;
    assert.ok(log.length > 0 && log.every((entry) => entry.includes(operator.email)));
    assert.match((await decideAs([aPassword, operator.code()], ...named)).stderr, /wait/);
    await checkBooks();
  });
});
