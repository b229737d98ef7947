import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { shapeFault } from './shape.ts';

const deep = 'The JSON must not be nested more than 32 levels deep.';
const wide = 'An object in the JSON must not have more than 100 fields.';

const many = 'The JSON must not have more than 30000 objects and arrays.';
const long = 'The JSON must not have more than 150000 values.';

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const withFields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":":"`).join(',')}}`;

// Guarantee: what is too expensive to build is refused before it is built, and nothing else is.
suite('the shape of JSON', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['32 levels', nested(32), undefined],
    ['33 levels', nested(33), deep],
    ['brackets in a text', JSON.stringify({ a: '[{'.repeat(100), b: '\\"[[['.repeat(50) }), undefined],
    ['100 fields', withFields(100), undefined],
    ['101 fields', withFields(101), wide],
    ['101 fields deep inside', `{"a":[${withFields(101)}]}`, wide],
    ['many objects of few fields', `[${Array.from({ length: 500 }, () => withFields(9)).join(',')}]`, undefined],
    ['100 fields around an object', `{"a":{"b":1},${withFields(99).slice(1)}`, undefined],
    ['101 fields around an object', `{"a":{"b":1},${withFields(100).slice(1)}`, wide],
    ['30,000 objects', `[${'{},'.repeat(29_998)}{}]`, undefined],
    ['30,001 objects and arrays', `[${'{},'.repeat(29_999)}[]]`, many],
    ['150,000 values', `[${'1,'.repeat(149_999)}1]`, undefined],
    ['150,001 values', `[${'1,'.repeat(150_000)}1]`, long],
    ['commas in a text', JSON.stringify(','.repeat(200_000)), undefined],
    ['closing brackets without opening ones', `${']'.repeat(50)}${nested(33)}`, deep],
  ];
  for (const [name, text, fault] of cases) {
    test(name, () => assert.equal(shapeFault(text), fault));
  }
});
