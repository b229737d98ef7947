// How a refund over several sellers is divided among them.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SellerTerms } from '../accounts/index.ts';
import { type AccountId, knownId } from '../kernel/index.ts';
import type { ChosenPart } from './model.ts';
import { debitsOf, feesOf, goneOf, sharesOf, sumOf } from './shares.ts';

const [a, b, partner] = ['A', 'B', 'P'].map((text) => knownId<AccountId>(text)) as [AccountId, AccountId, AccountId];
const part = (merchantId: AccountId, amountMinor: bigint, feeMinor: bigint, commissionMinor: bigint) => ({
  merchantId,
  amountMinor,
  feeMinor,
  commissionMinor,
});

suite('shares', () => {
  const parts = [part(a, 100n, 10n, 5n), part(b, 200n, 20n, 7n), part(a, 300n, 0n, 11n)];

  // Guarantee: what sellers and partner give is what the payer gets and the fees, to the cent.
  test('of two sellers, one with two parts', () => {
    assert.deepEqual(sharesOf(parts), [part(a, 400n, 10n, 16n), part(b, 200n, 20n, 7n)]);
    const debits = debitsOf(parts, partner);
    assert.deepEqual(Object.fromEntries(debits), { A: 394n, B: 213n, P: 23n });
    assert.deepEqual([sumOf(parts, 'amountMinor'), sumOf(parts, 'feeMinor')], [600n, 30n]);
    assert.equal(
      [...debits.values()].reduce((sum, debit) => sum + debit, 0n),
      630n,
    );
    assert.deepEqual([sumOf([], 'amountMinor'), sharesOf([])], [0n, []]);
  });

  test('a partner without commission gives nothing, and its balance is not locked', () => {
    assert.deepEqual(Object.fromEntries(debitsOf([part(a, 1n, 0n, 0n)], partner)), { A: 1n });
    assert.deepEqual(Object.fromEntries(debitsOf([part(a, 2n, 0n, 1n)], partner)), { A: 1n, P: 1n });
  });
});

test('a seller pays its fee once, with its first part', () => {
  const chosen = [a, b, a].map((merchantId) => ({ part: { merchantId } }) as ChosenPart);
  const terms = [{ id: a, refundFeeMinor: 9n }] as SellerTerms[];
  assert.deepEqual(feesOf(chosen, terms), [9n, 0n, 0n]);
});

// Guarantee: what the bank paid late is gone from that seller's part as well, and no part is gone more than whole.
test('what is gone of a part', () => {
  const gone = (refundedMinor: bigint, paidLateMinor: bigint) =>
    goneOf({ amountMinor: 10n }, { refundedMinor, paidLateMinor });
  assert.deepEqual([gone(0n, 0n), gone(3n, 0n), gone(3n, 4n), gone(6n, 4n), gone(6n, 5n)], [0n, 3n, 7n, 10n, 10n]);
  assert.equal(goneOf({ amountMinor: 10n }, undefined), 0n);
});
