import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, integer, property, tuple, uint8Array } from 'fast-check';
import { idFrom, isUlid } from './ids.ts';
import { base32In, ulid, ulidFromDigest, ulidTime } from './ulid.ts';

suite('ulid', () => {
  // Guarantee: the first ten characters encode the time as the ULID specification says.
  for (const [milliseconds, text] of [
    [0, '0000000000'],
    [1, '0000000001'],
    [31, '000000000Z'],
    [32, '0000000010'],
    [1_469_918_176_385, '01ARYZ6S41'],
    [2 ** 48 - 1, '7ZZZZZZZZZ'],
  ] as const) {
    test(`a ULID of ${milliseconds} begins with ${text}`, () =>
      assert.equal(ulid(milliseconds, new Uint8Array(16)), `${text}0000000000000000`));
  }

  // Guarantee: each of the sixteen random bytes is one character, by its five lowest bits.
  test('random bytes fill the rest', () => {
    const random = Uint8Array.from({ length: 16 }, (_, index) => index * 32 + index + 16);
    assert.equal(ulid(0, random), '0000000000GHJKMNPQRSTVWXYZ');
    assert.equal(ulid(0, new Uint8Array(32).fill(31)), '0000000000ZZZZZZZZZZZZZZZZ');
  });

  // Guarantee: a form keeps its own characters, and its places are filled in order.
  test('base32In', () => {
    assert.equal(base32In('ab-XX-X', Uint8Array.of(0, 33, 31)), 'ab-01-Z');
    assert.equal(base32In('', Uint8Array.of(1)), '');
    assert.equal(base32In('XX', Uint8Array.of(1)), '10');
  });

  test('digests with every hexadecimal digit', () => {
    assert.equal(ulidFromDigest(`ff${'1f'.repeat(25)}${'00'.repeat(6)}`), `7${'Z'.repeat(25)}`);
    assert.equal(
      ulidFromDigest(`0${'0123456789abcdef'.repeat(4)}`.slice(0, 64)),
      ulidFromDigest(`2${'0123456789abcdef'.repeat(4)}`.slice(0, 64)),
    );
  });

  // Guarantee: only the canonical form is an id; anything else in a path is 404 (docs/decisions/0003).
  for (const [text, is] of [
    ['01ARYZ6S41TSV4RRFFQ69G5FAV', true],
    ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', true],
    ['8ZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
    ['01aryz6s41tsv4rrffq69g5fav', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FA', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FAVX', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FAV\n', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FAI', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FAL', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FAO', false],
    ['01ARYZ6S41TSV4RRFFQ69G5FAU', false],
    ['', false],
  ] as const) {
    test(`isUlid(${JSON.stringify(text)}) is ${is}`, () => {
      assert.equal(isUlid(text), is);
      assert.equal(idFrom(text), is ? text : undefined);
    });
  }

  const times = integer({ min: 0, max: 2 ** 48 - 1 });
  const random = uint8Array({ minLength: 16, maxLength: 16 });

  // Guarantee: ids sort as text in order of time.
  test('a later instant gives a greater id', () => {
    assertProperty(
      property(tuple(times, times, random, random), ([one, other, first, second]) => {
        const [left, right] = [ulid(one, first), ulid(other, second)];
        assert.ok(isUlid(left));
        if (one !== other) assert.equal(left < right, one < other);
      }),
    );
  });

  // Guarantee: an id made from a digest is valid and depends only on the digest.
  test('a digest gives one id, always of ULID shape', () => {
    assertProperty(
      property(uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
        const id = ulidFromDigest(digest.toHex());
        assert.ok(isUlid(id));
        assert.equal(
          id,
          base32In(
            'X'.repeat(26),
            digest.map((byte, index) => (index === 0 ? byte & 7 : byte)),
          ),
        );
      }),
    );
  });

  // Guarantee: the time of an id is the one that it was made with; what is no id has none.
  test('the time of an id', () => {
    const most = 2 ** 48 - 1;
    for (const time of [0, 1, 31, 32, 1_767_225_600_000, most]) {
      assert.equal(ulidTime(ulid(time, new Uint8Array(16).fill(255))), time);
    }
    for (const text of ['', '0'.repeat(25), '0'.repeat(27), `U${'0'.repeat(25)}`, `000000000U${'0'.repeat(16)}`]) {
      assert.ok(Number.isNaN(ulidTime(text)), text);
    }
  });
});
