import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { repeatedNames } from './json-names.ts';

// Guarantee: a name that an object has twice is found, however it is spelled and wherever it is; no other text is refused.
suite('names that occur twice', () => {
  const texts: [string, string[]][] = [
    ['{"a":1,"a":2}', ['a']],
    ['{"amount":5,"\\u0061mount":5}', ['amount']],
    ['{"a\\/b":1,"a/b":1}', ['a/b']],
    ['{"a\\"":1,"a\\"":1}', ['a"']],
    ['{ "a" \n:\t1 ,\r\n"a"  : 2 }', ['a']],
    ['{"a":{"b":1,"c":[{"d":1},{"d":1,"d":2}],"b":1}}', ['a.c.1.d', 'a.b']],
    ['[[1,{"a":1,"a":1}],{"a":1}]', ['0.1.a']],
    ['{"a":{"x":1},"a":{"x":1}}', ['a']],
    ['{"a":{"x":1,"x":2},"a":{"x":1,"x":2}}', ['a.x', 'a']],
    ['{"a":1,"a":2,"a":3}', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"__proto__":{"a":1},"constructor":1,"toString":2}', []],
    ['{"":1,"":2}', ['']],
    ['{"1":1,"01":2,"1.0":3}', []],
    ['{"1":1,"1":2}', ['1']],
    ['{"é":1,"e\u0301":2}', []],
    ['{"a":"\\"a\\":1","b":"{\\"b\\":1,\\"b\\":2}","c":"x:y\\\\"}', []],
    ['{"a":[":",":"],"b":{"a":{"a":{"a":null}}},"A":1}', []],
    ['"a:b"', []],
    ['[]', []],
    ['{}', []],
  ];
  for (const [text, names] of texts) {
    test(JSON.stringify(text), () => assert.deepEqual(repeatedNames(text, JSON.parse(text)), names));
  }

  test('names and paths of any length are told in short, and at most a hundred', () => {
    const long = 'k'.repeat(1_000);
    const deep = `${`{"${long}":`.repeat(9)}{"a":1,"a":2}${'}'.repeat(9)}`;
    const [path = ''] = repeatedNames(deep, JSON.parse(deep));
    assert.equal(path.length, 303);
    const many = `{${Array.from({ length: 400 }, (_, index) => `"k${index}":1,"k${index}":2`).join()}}`;
    assert.equal(repeatedNames(many, JSON.parse(many)).length, 100);
  });
});
