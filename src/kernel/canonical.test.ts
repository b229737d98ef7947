import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, jsonValue, property } from 'fast-check';
import { canonicalJson, canonicalRow } from './canonical.ts';

suite('canonicalJson', () => {
  // Guarantee: two spellings of a request are the same request; different requests never are.
  for (const [left, right, same] of [
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":{"c":1,"b":[1,{"y":1,"x":2}]}}', '{"a":{"b":[1,{"x":2,"y":1}],"c":1}}', true],
    ['{"a":10.10}', '{"a":1.01e1}', true],
    ['{"a":1}', '{"a":1.0}', true],
    ['{ "a" : "\\u0041" }', '{"a":"A"}', true],
    ['{"a":1}', '{"a":"1"}', false],
    ['{"a":null}', '{}', false],
    ['[1,2]', '[2,1]', false],
    ['{"a":[]}', '{"a":{}}', false],
    ['{"a":"b\\",\\"c"}', '{"a":"b","c":""}', false],
    ['{"__proto__":1}', '{}', false],
    ['true', '"true"', false],
  ] as const) {
    test(`${left} ${same ? 'is' : 'is not'} ${right}`, () => {
      assert.equal(canonicalJson(JSON.parse(left)) === canonicalJson(JSON.parse(right)), same);
    });
  }

  test('nothing at all is null', () => {
    assert.equal(canonicalJson(undefined), 'null');
    assert.equal(canonicalJson([undefined, 1]), '[null,1]');
  });

  // Guarantee: the canonical text loses nothing, so different values never have the same text.
  test('the text reads back as the value', () => {
    assertProperty(
      property(jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(JSON.parse(canonicalJson(plain)), plain);
      }),
    );
  });

  test('the order of keys never matters', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, item]) => [key, turned(item)] as const);
      return Object.fromEntries(entries.reverse());
    };
    assertProperty(property(jsonValue(), (value) => canonicalJson(value) === canonicalJson(turned(value))));
  });
});

// Guarantee: a row in memory and the row that was read have the same text, whatever the order of its columns.
test('canonicalRow', () => {
  const at = Temporal.Instant.from('2026-03-10T09:00:00Z');
  const row = { position: 7n, at, none: null, list: [{ minor: 2n, at }, 'text'], flag: true, number: 1.5 };
  assert.equal(
    canonicalRow(row),
    '{"at":"2026-03-10T09:00:00Z","flag":true,"list":[{"at":"2026-03-10T09:00:00Z","minor":"2"},"text"],"none":null,"number":1.5,"position":"7"}',
  );
});
