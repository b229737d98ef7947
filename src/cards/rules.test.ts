// The card form: accepted input, and reported faults.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cardFaults, cardFromFields, isPlain, passesLuhn, readPlainCard, shownOf } from './rules.ts';

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
    ['x4111111111111111', '12/39', '123x', 'number invalid, code invalid'],
    ['378282246310005', '12/39', 'x1234', 'code long'],
    ['378282246310005', '12/39', '12345', 'code long'],
    ['4111111111111111', '12/39', 'x123', 'code invalid'],
    ['4111111111111111', '12/39', '12345', 'code invalid'],
    // Numbers of 12 and 19 digits are the shortest and the longest; the check digits of these are right.
    ['000000000000', '12/39', '123', ''],
    ['00000000000', '12/39', '123', 'number invalid'],
    ['0000000000000000000', '12/39', '123', ''],
    ['00000000000000000000', '12/39', '123', 'number invalid'],
    ['4111111111111111', '12/39x', '123', 'expiry invalid'],
    ['4111111111111111', '1/39', '123', ''],
    ['4111111111111111', `12/39${' '.repeat(59)}`, '123', ''],
    ['4111111111111111', `12/39${' '.repeat(60)}`, '123', 'expiry invalid'],
    [`4111111111111111${' '.repeat(49)}`, '12/39', `123${' '.repeat(62)}`, 'number missing, code invalid'],
  ] as const) {
    test(`${number} ${expiry} ${code}: ${expected || 'good'}`, () => {
      const faults = cardFaults(cardFromFields({ number, expiry, code }), now);
      assert.equal(faults.map(({ field, why }) => `${field} ${why}`).join(', '), expected);
    });
  }
});

test('a card is valid until the last instant of its month', () => {
  const card = { number: '4111111111111111', expiry: '03/26', code: '123' };
  assert.deepEqual(cardFaults(card, Temporal.Instant.from('2026-03-31T23:59:59.999Z')), []);
  const expired = [{ field: 'expiry', why: 'expired' }];
  assert.deepEqual(cardFaults(card, Temporal.Instant.from('2026-04-01T00:00:00Z')), expired);
  for (const expiry of ['x03/26', '03/26x', '3/26', '']) {
    assert.deepEqual(cardFaults({ ...card, expiry }, now), [{ field: 'expiry', why: 'invalid' }]);
  }
  assert.equal(cardFromFields({ number: '', expiry: '3/26', code: '' }).expiry, '03/26');
});

suite('a card in plain text', () => {
  const card = { number: '4111111111111111', expiry: '12/39', code: '123' };
  // Guarantee: exactly this format is a card; nothing else is guessed to be one.
  for (const [text, expected] of [
    ['4111111111111111|12/39|123', card],
    [' 4111 1111 1111 1111 | 12/39 | 123 ', card],
    ['4111111111111111|1239|123|appended', card],
    ['4111111111111111|12/39|', { ...card, code: '' }],
    ['4111111111111111|12/39|1234', { ...card, code: '1234' }],
    ['4111111111111111|12/39|12345', undefined],
    ['4111111111111111|12/39|12', undefined],
    ['4111111111111111|12/39|123 appended', undefined],
    ['4111111111111111|13/39|123', undefined],
    ['4111111111111111|12/3|123', undefined],
    ['4111111111111111|12/39', undefined],
    ['4111111111111112|12/39|123', undefined],
    ['x4111111111111111|12/39|123', undefined],
    ['000000000000|12/39|123', { ...card, number: '000000000000' }],
    ['00000000000|12/39|123', undefined],
    ['0000 000 0000|12/39|123', undefined],
    ['0000 0000 0000 0000 000|12/39|123', { ...card, number: '0000000000000000000' }],
    ['00000000000000000000|12/39|123', undefined],
    ['', undefined],
  ] as const) {
    test(`${text}: ${expected ? 'a card' : 'none'}`, () => assert.deepEqual(readPlainCard(text), expected));
  }

  test('up to 512 characters', () => {
    const text = (length: number) => '4111111111111111|12/39|123|'.padEnd(length, 'x');
    assert.deepEqual(readPlainCard(text(512)), card);
    assert.equal(readPlainCard(text(513)), undefined);
    assert.deepEqual([isPlain(text(512)), isPlain(text(513))], [true, false]);
  });

  // Guarantee: a number is noticed however its digits are grouped, and ciphertext is not taken for one.
  for (const [text, expected] of [
    ['411111111111', true],
    ['41111111111', false],
    ['4111 1111 1111', true],
    ['4111 - 1111 - 1111', true],
    ['4111    1111    1111', false],
    ['4.1.1.1.1.1.1.1.1.1.1.1', true],
    ['', false],
    ['abcdef', false],
  ] as const) {
    test(`"${text}" ${expected ? 'has' : 'has no'} number`, () => assert.equal(isPlain(text), expected));
  }
});

test('check digits', () => {
  for (const number of ['4111111111111111', '5555555555554444', '378282246310005', '6011000990139424', '18', '91']) {
    assert.equal(passesLuhn(number), true, number);
    assert.equal(passesLuhn(`${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`), false, number);
  }
});

test('what is shown of a card', () => {
  assert.deepEqual(shownOf('4111111111111234'), { brand: 'Visa', tail: '1234' });
  assert.deepEqual(shownOf('9111111111111234'), { brand: 'Card', tail: '1234' });
});
