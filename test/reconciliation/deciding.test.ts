// Deciding differences from the panel and from the command line: who may, and what a wrong decision says.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { userRoles } from '../../contract/identity/roles.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { aPerson } from '../support/panel.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { faultsOf } from '../support/service.ts';

suite('deciding differences', () => {
  let here: Reconciling;
  let key: string;
  before(async () => {
    here = await aReconciling();
    key = await here.pay();
    here.bank.say('capture', key, 500n);
    here.bank.say('capture', 'stray', 1_111n);
    here.bank.say('refund', 'given', 300n);
    here.bank.say('payout', 'payout-1', 99_999n);
    await here.compare();
  });

  const idOf = (about: string) =>
    here.world.db.sql.one((row) => readText(row, 'id'))`
      select id from reconciliation_item where key = ${about} and state <> 'closed'`;
  const pathOf = async (about: string) => `/panel/api/operator/parked/${await idOf(about)}/decide`;

  // Guarantee: only operators see and decide differences.
  for (const role of userRoles.filter((one) => one !== 'operator')) {
    test(`${role} may neither see nor decide`, async () => {
      const person = await aPerson(here.service, role, here.merchant.id);
      const listed = await person.ask('GET', '/panel/api/operator/parked');
      const decided = await person.ask('POST', await pathOf('stray'), { body: { decision: 'not_captured' } });
      assert.deepEqual([listed.status, decided.status], [403, 403]);
    });
  }

  // Guarantee: a decision that is not possible says so, and never fails otherwise.
  test('every wrong decision is refused with a reason', async () => {
    const operator = await aPerson(here.service, 'operator', null);
    const bodies = [
      ...['0.00', '0.01', '20.01', '999999999999.99'].map((amount) => ({ decision: 'captured', amount })),
      { decision: 'captured' },
      { decision: 'captured', amount: '5' },
      { decision: 'captured', amount: '-5.00' },
      { decision: 'returned' },
    ];
    for (const about of [key, 'stray', 'given', 'payout-1']) {
      for (const body of bodies) {
        if (about === 'payout-1' && 'amount' in body && body.amount === '0.00') continue;
        const answer = await operator.ask('POST', await pathOf(about), { body });
        assert.equal(answer.status, 400, `${about} ${JSON.stringify(body)}: ${answer.text}`);
        assert.ok(faultsOf(answer).length > 0, answer.text);
      }
    }
    const gone = await operator.ask('POST', '/panel/api/operator/parked/nothing/decide', {
      body: { decision: 'not_captured' },
    });
    assert.equal(gone.status, 404, gone.text);
  });

  // Guarantee: a period in which nothing can be is refused: it finds nothing wrong, and does not agree with the bank either.
  test('periods of nothing at the command line', async () => {
    const environment = await settingsIn(here.world);
    const count = () => here.world.db.sql.one((row) => readInteger(row, 'count'))`
      select ((select count(*) from reconciliation_run) + (select count(*) from verify_run))::integer as count`;
    const before = await count();
    for (const [words, sentence] of [
      ['verify --since 0000-01-01', '--since must be in the years 1970 to 9999'],
      ['verify --since +200000-01-01T00:00:00Z', '--since must be in the years 1970 to 9999'],
      ['verify --since 2999-01-01', '--since is in the future.'],
      ['reconcile --from 2999-01-01', '--from is in the future.'],
      ['reconcile --from 0000-01-01', '--from must be in the years 1970 to 9999'],
      ['reconcile --to 0000-01-01', '--to must be in the years 1970 to 9999'],
      ['reconcile --from 2026-03-10 --to 2026-03-10', '--from must be before --to.'],
      ['reconcile --to 2001-01-01', '--to must be after the books begin, on 20'],
    ] as const) {
      const { code, stdout, stderr } = await runHere(words.split(' '), environment);
      assert.deepEqual([code, stdout, stderr.slice(0, sentence.length)], [1, '', sentence], stderr);
      assert.doesNotMatch(stderr, / {2}at /);
    }
    assert.equal(await count(), before);
    const whole = await runHere(['reconcile', '--from', '2001-01-01', '--to', '2001-01-02'], environment);
    assert.match(whole.stdout, /from 2001-01-01T00:00:00Z to 2001-01-02T00:00:00Z/);
  });

  // Guarantee: the command line says the same in sentences, never with a stack trace.
  test('wrong decisions at the command line', async () => {
    const environment = await settingsIn(here.world);
    for (const [about, words, sentence] of [
      [key, ['captured', '7.00'], 'Decide captured 5.00 to book the difference, or captured 20.00 once the bank has'],
      [key, ['not-captured'], 'Decide captured 5.00 to book the difference, or captured 20.00 once the bank has'],
      ['stray', ['captured', '7.00'], 'It is about 11.11, not 7.00.'],
      ['stray', ['captured', '7'], 'The amount of captured has a point and two decimal places'],
      ['stray', ['returned'], 'A decision is captured AMOUNT, such as captured 49.90, not-captured, or seen.'],
      ['stray', ['seen'], `${await idOf('stray')} is not only to be seen. Decide captured AMOUNT or not-captured.`],
      ['given', ['captured', '7.00'], 'It is about 3.00, not 7.00.'],
      ['payout-1', ['captured', '7.00'], 'Decide captured 999.99 to book the difference, or captured 0.00 once'],
    ] as const) {
      const { code, stderr } = await runHere(['parked', 'decide', await idOf(about), ...words], environment);
      assert.equal(code, 1, stderr);
      assert.ok(stderr.startsWith(sentence), stderr);
      assert.doesNotMatch(stderr, / {2}at /);
    }
    const { stderr } = await runHere(['parked', 'decide', 'nothing', 'not-captured'], environment);
    assert.equal(stderr, 'Nothing with the id nothing is parked.\n');
  });

  // Guarantee: what is listed can be decided, twice too; what is decided for good is not found any more.
  test('every right decision, one after the other', async () => {
    const operator = await aPerson(here.service, 'operator', null);
    const decide = async (path: string, amount: string | undefined) =>
      (
        await operator.ask('POST', path, {
          body: amount === undefined ? { decision: 'not_captured' } : { decision: 'captured', amount },
        })
      ).status;
    for (const [about, first, last] of [
      [key, '20.00', '5.00'],
      ['stray', undefined, '11.11'],
      ['given', undefined, '3.00'],
      ['payout-1', undefined, '999.99'],
    ] as const) {
      const path = await pathOf(about);
      const statuses = [
        await decide(path, first),
        await decide(path, first),
        await decide(path, last),
        await decide(path, last),
      ];
      assert.deepEqual(statuses, [200, 200, 200, 404], about);
    }
    await here.moveRefunds();
    assert.equal((await here.compare()).state, 'agreed');
    assert.deepEqual((await operator.ask('GET', '/panel/api/operator/parked')).body.parked, []);
  });
});
