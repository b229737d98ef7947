// Parsing JSON: which numbers are exact, and where invalid text fails.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Refusal } from '../kernel/index.ts';
import { inexactNumber, numberMarks, readJson } from './json.ts';
import { faultPosition } from './json-position.ts';

suite('reading JSON', () => {
  // Guarantee: a number that a double would round is marked, anywhere and in any notation; no other number is.
  for (const [source, fault] of [
    ['10.10000000000000000000'],
    ['10.10000000000000000001', 'incorrect_precision'],
    ['9007199254740992'],
    ['9007199254740993', 'too_high'],
    ['-9007199254740993', 'too_low'],
    ['1000000000000000000000000'],
    ['1000000000000000000000001', 'too_high'],
    ['0.00000000000000000000'],
    ['-0.0000000000000000000'],
    ['1.0000000000000000e2'],
    ['1.00000000000000001E+2', 'incorrect_precision'],
    ['123456789012345678e-2', 'incorrect_precision'],
    ['1.7976931348623157e999', 'too_high'],
    [`1${'0'.repeat(400)}`, 'too_high'],
  ] as const) {
    test(`${source.slice(0, 40)} is ${fault ?? 'exact'}`, () => {
      const key = '1.0000000000000001';
      const read = readJson(`{"a": ["\\"${key}", ${source}], "${key}": ${source}}`) as { a: unknown[] };
      const value = read.a[1];
      assert.deepEqual(read, { a: [`"${key}`, value], [key]: value });
      if (fault === undefined) assert.equal(value, Number(source));
      else assert.equal(numberMarks.get(String(value)), fault);
    });
  }

  // Guarantee: many long numbers cost no more than some; in real requests all of them are checked.
  test('a thousand long numbers are compared, the rest is inexact', () => {
    const value = readJson(`[${Array.from({ length: 1_001 }, () => '1.0000000000000000').join(',')}]`) as unknown[];
    assert.deepEqual([value[999], value[1_000]], [1, inexactNumber]);
  });

  // Guarantee: the error for invalid JSON names the position and never quotes the text.
  for (const [text, position] of [
    ['', 0],
    ['   ', 3],
    ['amount=1', 0],
    ["{'amount': 1}", 1],
    ['{"amount": 1, "description": "x"', 32],
    ['{"amount": 1,}', 13],
    ['{"amount": 1} {}', 14],
    ['{"amount": NaN}', 11],
    ['{"amount": 01}', 12],
    ['{"amount": 1.}', 12],
    ['{"amount": -}', 11],
    ['{"amount" 1}', 10],
    ['{"amount": "a\nb"}', 13],
    ['{"amount": "a\\xb"}', 13],
    ['{"amount": "a\\u12g4"}', 13],
    ['[1 2]', 3],
    ['[1,]', 3],
    ['[}', 1],
    ['{]', 1],
    ['[1}', 2],
    ['tru', 0],
    [']', 0],
    ['1,', 1],
    ['{"a":{"b":[true,false,null,"x\\u00e9\\n",-1.5e+3', 46],
  ] as const) {
    test(`${JSON.stringify(text)} breaks at ${position}`, () => {
      assert.throws(() => JSON.parse(text));
      assert.equal(faultPosition(text), position);
    });
  }

  test('the message names position, line and column', () => {
    const refused = (error: unknown) =>
      error instanceof Refusal &&
      error.faults[0]?.message === 'The body is not valid JSON at position 12 (line 2, column 11).';
    assert.throws(() => readJson('{\n"amount": x4111}'), refused);
  });

  // Guarantee: valid JSON has no fault position.
  test('valid JSON has no fault before its end', () => {
    for (const text of ['{}', ' [] ', '{"a":[1,{"b":"\\u0041\\""}],"c":null}', '"x"', '-0.5e-7', 'true']) {
      JSON.parse(text);
      assert.equal(faultPosition(text), text.length);
    }
  });
});
