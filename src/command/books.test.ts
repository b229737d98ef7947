// Parsing an operator's decision about a parked item.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDecision, whyNoDecision } from './books.ts';

// Guarantee: "captured" requires an amount, and a typo is not a decision.
for (const [words, decision] of [
  ['not-captured', 'not-captured'],
  ['seen', 'seen'],
  ['seen 49.90', { seenMinor: 4_990n }],
  ['seen 49.9', undefined],
  ['captured 49.90', { capturedMinor: 4_990n }],
  ['captured 0.01', { capturedMinor: 1n }],
  ['captured', undefined],
  ['captured 49', undefined],
  ['captured 49.9', undefined],
  ['captured 49,90', undefined],
  ['captured -49.90', undefined],
  ['captured 49.90 PLN', undefined],
  ['not-captured 49.90', undefined],
  ['', undefined],
  ['perhaps', undefined],
] as const) {
  test(`grosz parked decide ID ${words}`, () => assert.deepEqual(readDecision(words.split(' ')), decision));
}

test('grosz parked decide ID captured 5 says how amounts are written', () => {
  assert.match(whyNoDecision(['captured', '5']), /two decimal places: captured 5\.00/);
  assert.match(whyNoDecision(['captured']), /^A decision is captured AMOUNT/);
});
