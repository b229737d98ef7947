import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closest } from './suggest.ts';

// Guarantee: a typo finds its field, and a field with another meaning finds none.
for (const [name, candidates, expected] of [
  ['amount', ['amuont', 'description'], 'amuont'],
  ['amount', ['Amount'], 'Amount'],
  ['description', ['descripton', 'desc'], 'descripton'],
  ['hiddenDescription', ['hidden_description'], 'hidden_description'],
  ['client_id', ['clientId'], 'clientId'],
  ['id', ['di'], 'di'],
  ['id', ['to'], undefined],
  ['amount', ['tint', 'price', ''], undefined],
  ['amount', ['account', 'amont'], 'amont'],
  ['amount', ['a'.repeat(100_000)], undefined],
] as const) {
  test(`${name} among ${candidates.join(', ').slice(0, 40)}: ${expected}`, () => {
    assert.equal(closest(name, candidates), expected);
  });
}
