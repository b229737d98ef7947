// Decisions about lines that were wrong, and statements of one account that several nodes book.

import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { findPayout } from '../../src/payouts/index.ts';
import { bookAll, bookPage } from '../../src/statements/book.ts';
import { importFile } from '../../src/statements/import.ts';
import { AllocationFault, type LineDecision } from '../../src/statements/index.ts';
import { lockUnbooked } from '../../src/statements/store/files.ts';
import { camt053, type EntryGiven } from '../bankfiles/files.ts';
import { anOperator } from '../support/batches.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { inWords } from '../support/findings.ts';
import { aPassword } from '../support/panel.ts';
import { aPayoutAccount, aSent, bankMoves } from '../support/payouts.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, type TestMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';
import { fileOf, importInto, openOurs } from './support.ts';

let here: Reconciling;

beforeEach(async () => {
  here = await aReconciling();
});

const rooms = () => here.service.rooms;
const anna = 'anna@example.com';
const waiting = async () => (await rooms().statements.waiting(10)).filter(({ line }) => line.entry > 0);
const decide = (id: string, decision: LineDecision) => rooms().statements.decide(id, decision, anna);
const undo = (id: string, decision: LineDecision) => rooms().statements.undo(id, decision, 'piotr@example.com');
const refused = (decided: Promise<void>) =>
  decided.then(
    () => 'taken',
    (error: unknown) => (error instanceof AllocationFault ? error.why.code : String(error)),
  );
const balances = () =>
  Promise.all(['bank:client', 'bank:unallocated', 'expense:bank_fee'].map((name) => here.balanceOf(name)));
const checkBooks = async () => assert.deepEqual(inWords(await findingsOf(here.world)), []);

async function lineOf(entry: EntryGiven, closing: string, opening = '0.00'): Promise<string> {
  const before = new Set((await waiting()).map(({ line }) => line.id));
  await importInto(here.world, camt053({ opening, closing, entries: [entry] }));
  return (await waiting()).find(({ line }) => !before.has(line.id))?.line.id ?? 'none';
}

async function aReady(): Promise<TestMerchant> {
  const merchant = await aMerchant(here.service);
  await fund(here.service, merchant, 10_000n);
  await aPayoutAccount(here.service, merchant);
  return merchant;
}

suite('a charge that the bank gives back', () => {
  // Guarantee: it lowers what the bank has charged, and never more than that: other money that came is no income of ours.
  test('is no more than it has charged', async () => {
    await openOurs(here.world);
    const charged = await lineOf({ amount: '5.00', indicator: 'DBIT', info: 'card terminal' }, '95.00', '100.00');
    const back = await lineOf({ amount: '3.00', info: 'terminal, correction' }, '98.00', '95.00');
    assert.equal(await refused(decide(back, { kind: 'fee_returned' })), 'fee_not_charged');
    assert.equal(await refused(decide(charged, { kind: 'fee_returned' })), 'fee_left');
    assert.equal(await refused(decide(back, { kind: 'fee' })), 'fee_came');
    await decide(charged, { kind: 'fee' });
    await decide(back, { kind: 'fee_returned' });
    assert.deepEqual(await balances(), [9_800n, -10_000n, 200n]);
    const more = await lineOf({ amount: '2.01', info: 'terminal, correction' }, '100.01', '98.00');
    assert.equal(await refused(decide(more, { kind: 'fee_returned' })), 'fee_not_charged');
    assert.equal(await refused(undo(charged, { kind: 'fee' })), 'fee_given_back');
    await checkBooks();
    await undo(back, { kind: 'fee_returned' });
    await undo(charged, { kind: 'fee' });
    assert.deepEqual(await balances(), [10_001n, -10_001n, 0n]);
    await checkBooks();
  });
});

suite('a wrong decision', () => {
  beforeEach(() => here.pay());

  async function payout(key: string, minor: bigint): Promise<void> {
    here.bank.say('payout', key, minor);
    assert.equal((await here.compare(1, here.begun)).state, 'agreed');
  }

  // Guarantee: the books are as before it, the line waits again and can be something else; who decided and who took it back
  // stays, and nothing of that is ever changed.
  test('is taken back once', async () => {
    await openOurs(here.world);
    await payout('po_1', 700n);
    const id = await lineOf({ amount: '7.00', info: 'who knows' }, '7.00');
    const it = { kind: 'acquirer_payout', target: 'simulator:po_1' } as const;
    assert.equal(await refused(undo(id, it)), 'decision_unknown');
    await decide(id, it);
    assert.deepEqual(await waiting(), []);
    assert.equal(await refused(undo(id, { ...it, target: 'simulator:po_2' })), 'decision_unknown');
    assert.equal(await refused(undo('nothing', it)), 'decision_unknown');
    const answers = await Promise.all([1, 2, 3].map(() => refused(undo(id, it))));
    assert.deepEqual(answers.toSorted(), ['decision_unknown', 'decision_unknown', 'taken']);
    assert.deepEqual(await balances(), [1_400n, -700n, 0n]);
    assert.equal((await waiting())[0]?.line.id, id);
    assert.equal((await rooms().statements.underway()).length, 1);
    await checkBooks();
    await decide(id, it);
    assert.deepEqual(await balances(), [700n, 0n, 0n]);
    await checkBooks();
    const { sql } = here.world.db;
    const kept = await sql.many((row) => readText(row, 'text'))`
      select person || ' ' || coalesce(undone_by, '') as text from bank_allocation order by 1`;
    assert.deepEqual(kept, [`${anna} `, `${anna} piotr@example.com`]);
    await assert.rejects(
      sql.run`update bank_allocation set undone_by = 'eve', undone_at = at where undone_at is not null`,
      /was undone by piotr/,
    );
  });

  // Guarantee: what was found by its reference, and was not so, is not found again.
  test('by a reference is not made again', async () => {
    await openOurs(here.world);
    await payout('po_123', 700n);
    const id = await lineOf({ amount: '7.00', info: 'po_123' }, '7.00');
    assert.equal(id, 'none');
    const { sql } = here.world.db;
    const line = await sql.one((row) => readText(row, 'id'))`select bank_line_id as id from bank_allocation`;
    await undo(line, { kind: 'acquirer_payout', target: 'simulator:po_123' });
    await rooms()
      .works.find(({ name }) => name === 'match_statements')
      ?.run();
    assert.deepEqual(
      (await waiting()).map((one) => one.line.id),
      [line],
    );
    await checkBooks();
  });

  // Guarantee: a line in suspense can be asked about again.
  test('that it stays where it is', async () => {
    await openOurs(here.world);
    const id = await lineOf({ amount: '7.00', info: 'who knows' }, '7.00');
    assert.equal(await refused(undo(id, { kind: 'suspense' })), 'decision_unknown');
    await decide(id, { kind: 'suspense' });
    await undo(id, { kind: 'suspense' });
    assert.equal((await waiting()).length, 1);
    await checkBooks();
  });
});

suite('a wrong decision about a payout of ours', () => {
  const standing = async (merchant: TestMerchant, id: string) => [
    (await findPayout(here.world.db.sql, id))?.state,
    await findBalance(here.world.db.sql, ledgerAccounts.available(merchant.id)),
    await findBalance(here.world.db.sql, ledgerAccounts.owed(merchant.id)),
  ];

  // Guarantee: the payout is what it was before, and the balance has what it had; what the account has spent since it owes.
  test('that it came back', async () => {
    const merchant = await aReady();
    const { id } = await aSent(here.service, merchant, 4_000n);
    await bankMoves(here.service, [[id, -4_000n]]);
    await bankMoves(here.service, [['a customer', 3_000n]]);
    const line = (await waiting())[0]?.line.id ?? '';
    const it = { kind: 'payout_returned', target: id } as const;
    await decide(line, it);
    assert.deepEqual(await standing(merchant, id), ['returned', 10_000n, 0n]);
    assert.equal(await here.balanceOf('expense:bank_fee'), 1_000n);
    await aSent(here.service, merchant, 9_000n);
    await undo(line, it);
    assert.deepEqual(await standing(merchant, id), ['paid', 0n, 3_000n]);
    assert.equal(await here.balanceOf('expense:bank_fee'), 0n);
    assert.equal((await waiting()).length, 1);
    await checkBooks();
  });

  // Guarantee: what the bank kept of it, and has given back since, is not given back twice.
  test('of which the bank has given back what it kept', async () => {
    const merchant = await aReady();
    const { id } = await aSent(here.service, merchant, 4_000n);
    await bankMoves(here.service, [[id, -4_000n]]);
    await bankMoves(here.service, [['a customer', 3_000n]]);
    const line = (await waiting())[0]?.line.id ?? '';
    const it = { kind: 'payout_returned', target: id } as const;
    await decide(line, it);
    await bankMoves(here.service, [['a charge', 1_000n]]);
    const charge = (await waiting())[0]?.line.id ?? '';
    await decide(charge, { kind: 'fee_returned' });
    assert.equal(await refused(undo(line, it)), 'fee_given_back');
    assert.equal(await here.balanceOf('expense:bank_fee'), 0n);
    await undo(charge, { kind: 'fee_returned' });
    await undo(line, it);
    await checkBooks();
  });

  // Guarantee: what the bank has done to it since stays done: the later decision is taken back first.
  test('after the bank has moved it again', async () => {
    const merchant = await aReady();
    const { id } = await aSent(here.service, merchant, 4_000n);
    await bankMoves(here.service, [['somebody', -4_000n]]);
    const line = (await waiting())[0]?.line.id ?? '';
    const it = { kind: 'payout', target: id } as const;
    await decide(line, it);
    await bankMoves(here.service, [[id, 4_000n]]);
    assert.equal(await refused(undo(line, it)), 'payout_moved_since');
    assert.deepEqual(await standing(merchant, id), ['returned', 10_000n, 0n]);
    await bankMoves(here.service, [[id, -4_000n]]);
    assert.equal(await refused(undo(line, it)), 'payout_moved_since');
    assert.deepEqual(await standing(merchant, id), ['paid', 6_000n, 0n]);
    await checkBooks();
  });

  // Guarantee: a payout that was not paid after all goes on waiting for the bank.
  test('that it was paid', async () => {
    const merchant = await aReady();
    const { id } = await aSent(here.service, merchant, 4_000n);
    await bankMoves(here.service, [['somebody', -4_000n]]);
    const line = (await waiting())[0]?.line.id ?? '';
    const it = { kind: 'payout', target: id } as const;
    await decide(line, it);
    await undo(line, it);
    assert.deepEqual(await standing(merchant, id), ['sent', 6_000n, 0n]);
    await checkBooks();
    await bankMoves(here.service, [[id, -4_000n]]);
    assert.deepEqual(await standing(merchant, id), ['paid', 6_000n, 0n]);
    await checkBooks();
  });
});

suite('statements of one account', () => {
  // Guarantee: while one node books a statement, no other one books what comes after it: a payout that came back the next day
  // is never met before it was paid.
  test('are booked in their order, by whichever nodes', async () => {
    const merchant = await aReady();
    const { id } = await aSent(here.service, merchant, 4_000n);
    await openOurs(here.world);
    const payouts = rooms().payouts.bank;
    const tools = { ...here.world, nodes: { self: null, isDead: () => false }, payouts };
    const dying = { ...tools, payouts: { ...payouts, settlePaid: () => Promise.reject(new Error('died')) } };
    const days = [
      { opening: '100.00', closing: '60.00', entries: [{ amount: '40.00', indicator: 'DBIT', info: `GROSZ ${id}` }] },
      { opening: '60.00', closing: '100.00', entries: [{ amount: '40.00', info: `GROSZ ${id}` }] },
    ] as const;
    for (const day of days) await assert.rejects(importFile(dying, fileOf(camt053(day))), /died/);
    await here.world.db.atomic(async (sql) => {
      assert.equal((await lockUnbooked(sql, 1)).length, 1);
      assert.equal(await bookPage(tools), undefined);
    });
    await bookAll(tools);
    assert.equal((await findPayout(here.world.db.sql, id))?.state, 'returned');
    assert.deepEqual(await waiting(), []);
    await checkBooks();
  });
});

suite('grosz statements undo', () => {
  // Guarantee: a decision is taken back by a named operator with password and second factor, in the audit log, and listed.
  test('in the name of an operator', async () => {
    await openOurs(here.world);
    const id = await lineOf({ amount: '4.00', indicator: 'DBIT', info: 'card terminal' }, '0.00', '4.00');
    await decide(id, { kind: 'fee' });
    const operator = await anOperator(here.service);
    const settings = await settingsIn(here.world);
    const undoAs = (answers: readonly string[], ...as: readonly string[]) =>
      runHere(['statements', 'undo', id, 'fee', ...as], settings, answers);
    assert.match((await undoAs([])).stderr, /Missing --as EMAIL: whose decision it is/);
    assert.match((await undoAs(['wrong', operator.code()], '--as', operator.email)).stderr, /password is wrong/);
    assert.equal(await here.balanceOf('expense:bank_fee'), 400n);
    const undone = await undoAs([aPassword, operator.code()], '--as', operator.email);
    assert.equal(undone.stdout, `Undone ${id}: fee.\n`, undone.stderr);
    assert.equal(await here.balanceOf('expense:bank_fee'), 0n);
    const log = await here.world.db.sql.many((row) => readText(row, 'text'))`
      select audit_entry::text as text from audit_entry where action = 'undo_bank_line'`;
    assert.ok(log.length > 0 && log.every((entry) => entry.includes(operator.email)));
    const listed = await runHere(['statements', 'decisions'], settings);
    assert.match(listed.stdout, new RegExp(`${id} +-4.00  fee  ${anna}, undone by ${operator.email}`));
    await checkBooks();
  });
});
