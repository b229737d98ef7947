import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Run, Total } from '../reconciliation/index.ts';
import { faultText, movedTexts } from './reconcile-report.ts';

const run = {
  state: 'agreed',
  captures: 3n,
  capturedMinor: 10_000n,
  refunds: 1n,
  refundedMinor: 1_500n,
  payouts: 0n,
  paidOutMinor: 0n,
  feesMinor: 0n,
  applied: 0,
  found: 0,
  open: 0,
  why: null,
} as unknown as Run;

const totalOf = (kind: Total['kind'], bankMinor: bigint, ourMinor = bankMinor): Total => ({
  runId: '1',
  kind,
  bankMinor,
  ourMinor,
  elsewhereMinor: 0n,
  namedMinor: 0n,
  unexplainedMinor: bankMinor - ourMinor,
});

suite('what grosz reconcile prints', () => {
  // Guarantee: each kind of line has its own sum; a bank that has only three kinds is shown as before.
  test('a line for each kind', () => {
    const usual = ['3 captures of 100.00', '1 refund of 15.00', '0 payouts of 0.00'];
    assert.deepEqual(movedTexts(run, [totalOf('capture', 10_000n)]), usual);
    const totals = [totalOf('fee', 570n), totalOf('dispute', 3_000n), totalOf('other', -500n)];
    assert.deepEqual(movedTexts({ ...run, feesMinor: 570n, applied: 1 }, totals), [
      ...usual,
      'fees of 5.70',
      'disputes of 30.00',
      'other lines totaling -5.00',
      '1 result passed on to payments, refunds and disputes',
    ]);
  });

  test('a sum that differs, and why', () => {
    assert.deepEqual(movedTexts(run, [totalOf('fee', 500n, 400n)]).slice(3), [
      'sum of fees: the statement has 5.00, the books have 4.00; 1.00 not explained',
    ]);
  });

  // Guarantee: an operator is told how many differences there are, and where they wait.
  for (const [changed, expected] of [
    [{}, undefined],
    [{ state: 'differs', found: 1 }, '1 new difference, already closed; the log has the keys.'],
    [{ state: 'differs', found: 1, open: 1 }, '1 new difference. It is parked: grosz parked list'],
    [{ state: 'differs', found: 2, open: 5 }, '2 new differences. They are parked: grosz parked list'],
    [{ state: 'differs', open: 1 }, 'Nothing new; 1 difference open: grosz parked list'],
    [{ state: 'differs' }, 'The statement needs a look: ask the bank about it.'],
    [
      { state: 'incomplete', why: { code: 'no_statement', parameters: {} } },
      'Not complete: The bank gave no statement. 0 differences so far.',
    ],
  ] as const)
    test(`${expected}`, () => assert.equal(faultText({ ...run, ...changed } as Run), expected));
});
