import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { subjectOf } from './subject.ts';

suite('what a request is about', () => {
  test('the last id of its path', () => {
    const params = { transactionId: '01JZ8D3K7R4M5N6P7Q8R9S0T1V', refundId: '01jz8d3k7r4m5n6p7q8r9s0t1w', name: 'x' };
    assert.equal(subjectOf(params), '01JZ8D3K7R4M5N6P7Q8R9S0T1W');
    assert.equal(subjectOf({ name: 'x' }), null);
  });

  // Guarantee: no card number is stored as an id.
  test('not digits that may be the number of a card', () => {
    assert.equal(subjectOf({ transactionId: '41111111111111114111111111' }), null);
    assert.equal(subjectOf({ transactionId: '04111111111111111000000000' }), null);
  });
});
