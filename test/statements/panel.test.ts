// P180 to P182: our accounts at banks in the panel.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { postOpening } from '../../src/ledger/index.ts';
import { camt053, type EntryGiven } from '../bankfiles/files.ts';
import { anOperator, type TestOperator } from '../support/batches.ts';
import { aPassword, aPerson } from '../support/panel.ts';
import { checkInvariants } from '../support/payments.ts';
import { aMerchant, aService, atEnd, faultsOf, type Service } from '../support/service.ts';
import { importInto, openOurs, refusalOf } from './support.ts';

const path = '/panel/api/operator/bank';

let service: Service;
let operator: TestOperator;
before(async () => {
  service = await aService();
  operator = await anOperator(service);
  atEnd(() => checkInvariants(service.world));
});

const given = ({ code }: TestOperator) => ({ password: aPassword, code: code() });
const shown = async () => (await operator.ask('GET', path)).body;
const say = (id: string, how: 'decide' | 'undo', body: object, by = operator) =>
  by.ask('POST', `${path}/lines/${encodeURIComponent(id)}/${how}`, { body: { ...given(by), ...body } });

suite('the bank in the panel', () => {
  // Guarantee: an operator sees whether the books agree with the bank, which files were refused and why, and says what a line
  // is; who said it, and who took it back, stays.
  test('P180 to P182: from the file to the decision and back', async () => {
    const empty = await shown();
    assert.deepEqual([empty.accounts, empty.waiting, empty.files], [[], [], []]);
    await openOurs(service.world);
    const entries: EntryGiven[] = [
      { amount: '10.00', info: 'a gift' },
      { amount: '5.00', indicator: 'DBIT', info: 'card terminal' },
      { amount: '0.40', info: 'who knows' },
    ];
    await importInto(service.world, camt053({ opening: '0.00', closing: '5.40', entries }));
    await refusalOf(service.world, camt053({ opening: '7.00', closing: '7.00', entries: [] }), { name: 'gap.xml' });
    const before = await shown();
    assert.deepEqual(before.agreement, {
      bank: 5.4,
      books: 5.4,
      underway: 0,
      openings: 0,
      unexplained: 0,
      currency: 'PLN',
    });
    assert.deepEqual([before.accounts.length, before.accounts[0].closing, before.waitingCount], [1, 5.4, 3]);
    assert.deepEqual(
      before.files
        .map(({ name, state, problem }: { name: string; state: string; problem: { code: string } | null }) =>
          [name, state, problem?.code].join(' '),
        )
        .toSorted(),
      ['gap.xml refused statement_gap', 'statement booked '],
    );
    const [charge, other] = before.waiting.toSorted(
      (one: { left: number }, two: { left: number }) => one.left - two.left,
    );
    assert.deepEqual([charge.left, charge.title, charge.isBalance], [-5, 'card terminal', false]);
    const wrong = await say(charge.id, 'decide', { decision: 'fee_returned' });
    assert.deepEqual([wrong.status, wrong.body.why.code], [400, 'fee_left'], wrong.text);
    assert.equal((await say(charge.id, 'decide', { decision: 'fee' })).status, 200);
    assert.equal((await say(other.id, 'decide', { decision: 'fee_returned' })).status, 200);
    const decided = (await shown()).decisions.map(({ decision, amount, by }: Record<string, unknown>) => [
      decision,
      amount,
      by,
    ]);
    assert.deepEqual(decided.toSorted(), [
      ['fee', -5, operator.email],
      ['fee_returned', 0.4, operator.email],
    ]);
    const kept = await say(charge.id, 'undo', { decision: 'fee' });
    assert.deepEqual([kept.status, kept.body.why.code], [400, 'fee_given_back'], kept.text);
    assert.equal((await say(other.id, 'undo', { decision: 'fee_returned' })).status, 200);
    const after = await shown();
    const undone = after.decisions.map(({ decision, undoneBy }: Record<string, unknown>) => `${decision} ${undoneBy}`);
    assert.deepEqual(undone.toSorted(), ['fee null', `fee_returned ${operator.email}`]);
    assert.equal(after.waitingCount, 2);
    assert.equal(after.agreement.unexplained, 0);
    const actions = await service.world.db.sql.many((row) => readText(row, 'line'))`
      select action || ' ' || outcome as line from audit_entry
       where action in ('P181', 'P182') and outcome is not null order by position`;
    assert.deepEqual(actions.toSorted(), ['P181 not_valid', 'P181 ok', 'P181 ok', 'P182 not_valid', 'P182 ok']);
  });

  // Guarantee: what accounts of a demo began with was never at a bank, and is said to be what it is.
  test('P180: a demo', async () => {
    const { db, ids, clock } = service.world;
    const { id } = await aMerchant(service);
    await db.atomic((sql) => postOpening(sql, ids, id, money(700n, 'PLN'), clock.now()));
    const { agreement } = await shown();
    assert.deepEqual([agreement.openings, agreement.unexplained], [7, 0]);
  });

  // Guarantee: what is decided has a name: the password and a code of whoever decides, each time.
  test('P181, P182: without password or code', async () => {
    const { waiting } = await shown();
    const [{ id }] = waiting;
    const wrongOnes = [{ password: 'wrong' }, { code: '000000' }];
    for (const how of ['decide', 'undo'] as const) {
      for (const wrong of wrongOnes) assert.equal((await say(id, how, { decision: 'suspense', ...wrong })).status, 403);
    }
    const plain = await aPerson(service, 'operator', null);
    const body = { decision: 'suspense', password: aPassword, code: '1' };
    assert.deepEqual(faultsOf(await plain.ask('POST', `${path}/lines/${id}/decide`, { body })), [
      'second_factor_missing',
    ]);
    assert.deepEqual((await shown()).waiting, waiting);
  });

  // Guarantee: nobody but operators sees the bank or decides.
  test('of everybody else', async () => {
    const merchant = await aMerchant(service);
    for (const role of ['owner', 'staff', 'read_only'] as const) {
      const person = await aPerson(service, role, merchant.id);
      assert.equal((await person.ask('GET', path)).status, 403, role);
      const body = { decision: 'suspense', password: aPassword, code: '1' };
      for (const how of ['decide', 'undo'])
        assert.equal((await person.ask('POST', `${path}/lines/x/${how}`, { body })).status, 403, role);
    }
    assert.equal((await service.ask('GET', path)).status, 401);
  });

  // Guarantee: every body that is not one is refused, and nothing moves.
  test('P181, P182: 400', async () => {
    const { waiting } = await shown();
    const [{ id }] = waiting;
    for (const body of [
      {},
      { decision: null, password: null, code: null },
      { decision: 'gift', ...given(operator) },
      { decision: 'payout', ...given(operator) },
      { decision: 'payout', target: '', ...given(operator) },
      { decision: 'payout', target: 'x'.repeat(301), ...given(operator) },
      { decision: 'payout', target: 7, ...given(operator) },
      { decision: 'fee', password: 'x'.repeat(257), code: '1' },
    ])
      for (const how of ['decide', 'undo'])
        assert.equal(
          (await operator.ask('POST', `${path}/lines/${id}/${how}`, { body })).status,
          400,
          JSON.stringify(body),
        );
    const other = await anOperator(service);
    const unknown = await say('x', 'decide', { decision: 'suspense' }, other);
    assert.deepEqual([unknown.status, unknown.body.why.code], [400, 'line_not_waiting']);
    const target = service.world.ids.ulid();
    const foreign = await say(id, 'decide', { decision: 'payout_returned', target }, other);
    assert.deepEqual([foreign.status, foreign.body.why.code], [400, 'payout_unknown']);
    const malformed = await operator.ask('POST', `${path}/lines/${id}/decide`, {
      raw: '{',
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(malformed.status, 400);
    assert.deepEqual((await shown()).waiting, waiting);
  });
});
