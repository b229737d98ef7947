// The card form: accepted input, and reported faults.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cardFaults, cardFromFields } from './rules.ts';

const now = Temporal.Instant.from('2026-03-31T23:59:59Z');

suite('the card form', () => {
  // Guarantee: a card is accepted however its digits are spaced, and nothing that cannot be charged is sent to the
  // bank.
  for (const [number, expiry, code, expected] of [
    ['4111 1111 1111 1111', '12/39', '123', ''],
    ['4111-1111-1111-1111', ' 1 / 2039 ', '1234', ''],
    ['4111111111111111', '0339', '123', ''],
    ['4111111111111111', '03/26', '123', ''],
    ['4111111111111111', '02/26', '123', 'expiry expired'],
    ['4111111111111112', '12/39', '123', 'number invalid'],
    ['', '', '', 'number missing, expiry invalid, code invalid'],
    ['378282246310005', '12/39', '1234', ''],
    ['378282246310005', '12/39', '123', 'code long'],
    ['4111111111111111', '13/39', '12', 'expiry invalid, code invalid'],
    ['4111111111111111x', '12/39', 'abc', 'number invalid, code invalid'],
  ] as const) {
    test(`${number} ${expiry} ${code}: ${expected || 'good'}`, () => {
      const faults = cardFaults(cardFromFields({ number, expiry, code }), now);
      assert.equal(faults.map(({ field, why }) => `${field} ${why}`).join(', '), expected);
    });
  }
});
