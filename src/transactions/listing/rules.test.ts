import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { quartersOf } from './rules.ts';

const quarter = 6 * 3_600_000;
const at = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);

/** Moments of two weeks, many of them where a quarter begins or close to it. */
const moment = fc.oneof(
  fc.integer({ min: -quarter * 8, max: quarter * 50 }),
  fc
    .tuple(fc.integer({ min: -8, max: 50 }), fc.integer({ min: -1_000, max: 1_000 }))
    .map(([n, off]) => n * quarter + off),
  fc.integer({ min: -8, max: 50 }).map((n) => n * quarter),
);

suite('quarters of a period', () => {
  // Guarantee: every moment of a period is counted once, in a whole quarter or at an edge, and no other moment is.
  test('cover the period exactly', () => {
    fc.assert(
      fc.property(moment, moment, moment, (from, to, asked) => {
        const { first, end, edges } = quartersOf({ from: at(from), to: at(to) });
        const quarterOfAsked = Math.floor(asked / quarter) * quarter;
        const whole =
          quarterOfAsked >= (first?.epochMilliseconds ?? 0) && quarterOfAsked < (end?.epochMilliseconds ?? 0) ? 1 : 0;
        const atEdges = edges.filter(
          (edge) => asked >= edge.from.epochMilliseconds && asked < edge.to.epochMilliseconds,
        );
        assert.equal(whole + atEdges.length, asked >= from && asked < to ? 1 : 0);
        for (const edge of atEdges) assert.equal(edge.quarter.epochMilliseconds, quarterOfAsked);
      }),
      { numRuns: 5_000 },
    );
  });

  test('no bounds, no edges', () => {
    assert.deepEqual(quartersOf({ from: null, to: null }), { first: null, end: null, edges: [] });
  });

  test('one bound leaves the other side open', () => {
    const { first, end, edges } = quartersOf({ from: at(quarter + 1), to: null });
    assert.deepEqual([first?.epochMilliseconds, end, edges.length], [2 * quarter, null, 1]);
  });
});
