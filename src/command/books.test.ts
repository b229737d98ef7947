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

for (const words of ['captured', 'captured 5', 'captured 5,00', 'seen 20', 'seen 20,00', 'seen 20.000']) {
  const [word = '', ...amount] = words.split(' ');
  test(`grosz parked decide ID ${words} says how amounts are written`, () =>
    assert.equal(
      whyNoDecision([word, ...amount]),
      `The amount of ${word} has a point and two decimal places: ${word} 5.00, ${word} 49.90.`,
    ));
}

test('grosz parked decide ID perhaps says what a decision is', () => {
  for (const words of [['perhaps'], ['perhaps', '5.00'], []])
    assert.match(whyNoDecision(words), /^A decision is captured AMOUNT/);
});
