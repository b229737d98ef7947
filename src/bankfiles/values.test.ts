import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isIsoDate } from './dates.ts';
import { FileFault } from './fault.ts';
import { currencyOf, dateFrom, isoAmountFrom, shortDateFrom, shortValueDateFrom, swiftAmountFrom } from './values.ts';

/** What is read, or what is said instead. */
function tried<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return JSON.stringify(error.problem.parameters);
  }
}

const refused = (value: string) => `{"what":"X","value":"${value}"}`;

suite('amounts', () => {
  // Guarantee: an amount is exactly the bank's, or refused.
  const all: readonly (readonly [string, '.' | ',', bigint | null])[] = [
    ['1', '.', 100n],
    ['1.', '.', 100n],
    ['+1.5', '.', 150n],
    ['1.05', '.', 105n],
    ['0.01000', '.', 1n],
    ['123456789012345.67', '.', 12_345_678_901_234_567n],
    ['1234567890123456', '.', null],
    ['0.010000', '.', null],
    ['0.011', '.', null],
    ['', '.', null],
    ['x1', '.', null],
    ['1x', '.', null],
    ['1,00', '.', null],
    ['1,', ',', 100n],
    ['1,5', ',', 150n],
    ['0,05', ',', 5n],
    ['123456789012345,67', ',', 12_345_678_901_234_567n],
    ['1234567890123456,00', ',', null],
    ['1', ',', null],
    ['x1,00', ',', null],
    ['1,001', ',', null],
    ['000000000123456789012345,67', ',', 12_345_678_901_234_567n],
    ['0000000000123456789012345,67', ',', null],
    ['-1', '.', null],
    ['1e5', '.', null],
    ['1E5', '.', null],
    ['1,000.00', '.', null],
    ['1 000.00', '.', null],
    ['NaN', '.', null],
    ['-1,00', ',', null],
    ['1E5,00', ',', null],
    ['1.000,00', ',', null],
    ['1,00,00', ',', null],
  ];
  for (const [text, point, minor] of all) {
    const amountFrom = point === '.' ? isoAmountFrom : swiftAmountFrom;
    test(`${text} with ${point}`, () =>
      assert.equal(
        tried(() => amountFrom(text, 'X')),
        minor ?? refused(text),
      ));
  }
});

suite('days', () => {
  // Guarantee: every day that exists is one, and no other.
  test('of the calendar', () => {
    const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (const [year, leap] of [
      [2026, 0],
      [2028, 1],
      [2000, 1],
      [2100, 0],
    ] as const) {
      for (const [index, count] of days.entries()) {
        const last = count + (index === 1 ? leap : 0);
        const month = `${year}-${String(index + 1).padStart(2, '0')}`;
        assert.deepEqual(
          [`${month}-00`, `${month}-01`, `${month}-${last}`, `${month}-${last + 1}`].map(isIsoDate),
          [false, true, true, false],
          month,
        );
      }
    }
    for (const text of [
      '0000-01-01',
      '2026-00-10',
      '2026-13-10',
      '2026-1-10',
      'x2026-11-10',
      '2026-11-10x',
      '02026-11-10',
      '',
    ]) {
      assert.equal(isIsoDate(text), false, text);
    }
  });

  const all: readonly (readonly [string, string | null])[] = [
    ['2026-11-19', '2026-11-19'],
    ['2026-11-19T23:59:59+01:00', '2026-11-19'],
    ['2026-11-19+01:00', '2026-11-19'],
    ['2026-11-19Z', '2026-11-19'],
    ['2026-11-19T23:59:59.1', '2026-11-19'],
    ['2026-11-19T23:59:59.123456789Z', '2026-11-19'],
    ['2026-11-19T23:59:59.1234567890', null],
    ['2026-11-19T23:59:59.', null],
    ['2026-11-31', null],
    ['2026-11-19 T', null],
    ['2026-11-19x', null],
    ['2026-11-19Zx', null],
    ['2026-11-19+01:00x', null],
    ['2026-11-19x+01:00', null],
  ];
  for (const [text, date] of all)
    test(text, () =>
      assert.equal(
        tried(() => dateFrom(text, 'X')),
        date ?? refused(text),
      ),
    );

  for (const [text, date] of [
    ['261119', '2026-11-19'],
    ['261131', null],
    ['2611191', null],
    ['x261119', null],
    ['26111', null],
    ['26111x', null],
    ['000101', '2000-01-01'],
    ['791231', '2079-12-31'],
    ['800101', '1980-01-01'],
    ['991231', '1999-12-31'],
    ['260229', null],
    ['260230', null],
  ] as const) {
    test(text, () =>
      assert.equal(
        tried(() => shortDateFrom(text, 'X')),
        date ?? refused(text),
      ),
    );
  }
});

// Guarantee: a bank whose months have 30 days for interest is read, and no other day is repaired.
test('value dates', () => {
  const all = [
    '260227',
    '260228',
    '260229',
    '260230',
    '280229',
    '280230',
    '990230',
    '260231',
    '260431',
    '1260229',
    '2602291',
  ];
  assert.deepEqual(
    all.map((text) => tried(() => shortValueDateFrom(text, 'X'))),
    [
      ...['2026-02-27', '2026-02-28', '2026-02-28', '2026-02-28', '2028-02-29', '2028-02-29', '1999-02-28'],
      ...[refused('260231'), refused('260431'), refused('1260229'), refused('2602291')],
    ],
  );
});

test('currencies', () => {
  assert.deepEqual(
    ['PLN', 'EUR', 'USD', 'PLNX'].map((text) => tried(() => currencyOf(text))),
    ['PLN', 'EUR', '{"currency":"USD"}', '{"currency":"PLNX"}'],
  );
  assert.throws(() => currencyOf('USD'), { message: 'currency_not_kept' });
});
