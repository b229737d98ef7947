// What the sums of a run say, by kind.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { takenKinds } from './kinds.ts';
import type { Keyed, Moved, Total } from './model.ts';
import type { Statement } from './statement.ts';
import { Tally } from './totals.ts';

type Said = Partial<Record<Moved, bigint>>;

/** A statement with these sums, of which lines that it repeats are these. */
function aStatement(sums: Said, repeated: Said = {}): Statement {
  return {
    sumOf: (kind: Moved) => ({ lines: 1n, minor: sums[kind] ?? 0n, feeMinor: 0n }),
    repeatedOf: (kind: Moved) => ({ minor: repeated[kind] ?? 0n, feeMinor: 0n }),
  } as unknown as Statement;
}

function totalsOf(tally: Tally, statement: Statement): Map<string, Omit<Total, 'runId' | 'kind'>> {
  return new Map(tally.totals('run', statement).map(({ runId, kind, ...total }) => [kind, total]));
}

const nothing = { bankMinor: 0n, ourMinor: 0n, elsewhereMinor: 0n, namedMinor: 0n, unexplainedMinor: 0n };

test('what the acquirer takes by itself', () => {
  assert.deepEqual(takenKinds, ['fee', 'dispute', 'other_taken']);
});

suite('the sums of a run', () => {
  // Guarantee: what the bank says and neither books nor differences explain is a difference, of whatever kind.
  for (const [kind, total, sign] of [
    ['capture', 'capture', 1n],
    ['refund', 'refund', 1n],
    ['refund_returned', 'refund', -1n],
    ['payout_returned', 'payout', -1n],
    ['fee', 'fee', 1n],
    ['dispute', 'dispute', 1n],
    ['dispute_won', 'dispute', -1n],
    ['other_given', 'other', 1n],
    ['other_taken', 'other', -1n],
  ] as const satisfies readonly (readonly [Keyed, string, bigint])[]) {
    test(`of ${kind} lines`, () => {
      const tally = new Tally();
      tally.addBooked(kind, 500n);
      tally.addBooked(kind, 100n);
      tally.addNamed(kind, 30n);
      tally.setOurs(kind, 400n);
      const totals = totalsOf(tally, aStatement({ [kind]: 1_000n }, { [kind]: 7n }));
      assert.deepEqual(totals.get(total), {
        bankMinor: sign * 1_000n,
        ourMinor: sign * 400n,
        elsewhereMinor: sign * 200n,
        namedMinor: sign * 37n,
        unexplainedMinor: sign * 363n,
      });
      for (const [other, sums] of totals) if (other !== total) assert.deepEqual(sums, nothing, other);
    });
  }

  // Guarantee: a journal on the acquirer's account that belongs to no key is never explained.
  test('of journals, by what they belong to', () => {
    const tally = new Tally();
    tally.addOurs([
      { kind: 'capture', minor: 300n },
      { kind: 'refund', minor: -200n },
      { kind: 'refund_returned', minor: 50n },
      { kind: 'payout', minor: -1_000n },
      { kind: 'fee', minor: -10n },
      { kind: 'other', minor: 7n },
    ]);
    const totals = totalsOf(tally, aStatement({}));
    assert.deepEqual(totals.get('capture'), { ...nothing, ourMinor: 300n, elsewhereMinor: -300n });
    assert.deepEqual(totals.get('refund'), { ...nothing, ourMinor: 150n, elsewhereMinor: -150n });
    assert.deepEqual(totals.get('fee'), nothing, 'they are summed up by their rows');
    const other = totals.get('other');
    assert.deepEqual([other?.ourMinor, other?.unexplainedMinor], [7n, -7n]);
  });

  // Guarantee: sums of payouts, with what they kept, are added to those of lines.
  test('that were computed elsewhere', () => {
    const tally = new Tally();
    const payouts = { bankMinor: 5n, ourMinor: 4n, elsewhereMinor: 3n, namedMinor: 2n, unexplainedMinor: 1n };
    tally.add([{ kind: 'payout', ...payouts }]);
    tally.setOurs('payout_returned', 10n);
    assert.deepEqual(totalsOf(tally, aStatement({})).get('payout'), { ...payouts, ourMinor: -6n, elsewhereMinor: 13n });
  });
});
