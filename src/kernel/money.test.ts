import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, bigInt, double, property } from 'fast-check';
import { currencyFrom, decimalFromMinor, decimalText, minorFromDecimal } from './money.ts';

suite('money', () => {
  // Guarantee: a decimal becomes exactly the minor units of its digits; anything else is refused, never rounded.
  for (const [value, minor] of [
    [0, 0n],
    [0.01, 1n],
    [0.1, 10n],
    [0.29, 29n],
    [1.15, 115n],
    [4.35, 435n],
    [10.1, 1010n],
    [123.45, 12345n],
    [1e10, 1_000_000_000_000n],
    [99_999_999_999, 9_999_999_999_900n],
    [99_999_999_999.99, 9_999_999_999_999n],
    [10.005, undefined],
    [0.001, undefined],
    [1e-7, undefined],
    [-1, undefined],
    [1e11, undefined],
    [1e21, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ] as const) {
    test(`minorFromDecimal(${value}) is ${minor}`, () => assert.equal(minorFromDecimal(value), minor));
  }

  for (const [minor, text] of [
    [0n, '0.00'],
    [1n, '0.01'],
    [10n, '0.10'],
    [1010n, '10.10'],
    [-5n, '-0.05'],
    [-12345n, '-123.45'],
    [9_999_999_999_999n, '99999999999.99'],
  ] as const) {
    test(`decimalText(${minor}) is ${text}`, () => assert.equal(decimalText(minor), text));
  }

  const amounts = bigInt({ min: 0n, max: 9_999_999_999_999n });

  // Guarantee: no amount below the ceiling changes when it is written to JSON and read back.
  test('minor units survive the way through a JSON number, for all amounts below 10^13', () => {
    assertProperty(
      property(amounts, (minor) => {
        assert.equal(minorFromDecimal(JSON.parse(JSON.stringify(decimalFromMinor(minor)))), minor);
      }),
      { numRuns: 5_000 },
    );
  });

  // Guarantee: notifications and exports print the same amount as the API returns.
  test('text and number of an amount are the same decimal', () => {
    assertProperty(property(amounts, (minor) => Number(decimalText(minor)) === decimalFromMinor(minor)));
  });

  // Guarantee: an unknown currency is never taken for a known one.
  test('an unknown stored currency is a bug', () => {
    assert.equal(currencyFrom('PLN'), 'PLN');
    assert.throws(() => currencyFrom('EUR'), /Unknown currency/);
  });

  // Guarantee: whether a number has whole minor units depends on its own digits, however close it is to one that has.
  test('a number has minor units exactly when its shortest spelling has at most two places', () => {
    const byDigits = (value: number) => {
      const [, whole, places = ''] = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(String(value)) ?? [];
      return whole === undefined ? undefined : BigInt(whole + places.padEnd(2, '0'));
    };
    const near = (minor: bigint, ulps: number) => decimalFromMinor(minor) * (1 + ulps * Number.EPSILON);
    assertProperty(
      property(amounts, bigInt({ min: -3n, max: 3n }), double({ noNaN: true }), (minor, ulps, any) => {
        for (const value of [near(minor, Number(ulps)), any]) assert.equal(minorFromDecimal(value), byDigits(value));
      }),
    );
  });
});
