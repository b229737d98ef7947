import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assert as assertProperty, constantFrom, integer, property } from 'fast-check';
import { isValidIBAN } from 'ibantools';
import { countryOf, endingOf, ibanFault, isInSepa, nrbOf, sortCodeOf } from './iban.ts';

const polish = 'PL61109010140000071219812874';

suite('account numbers', () => {
  const numbers: Readonly<Record<string, readonly [string, string | undefined]>> = {
    'a Polish one': [polish, undefined],
    'a German one': ['DE89370400440532013000', undefined],
    'one with letters': ['GB29NWBK60161331926819', undefined],
    'a Dutch one': ['NL91ABNA0417164300', undefined],
    'one of the Emirates': ['AE070331234567890123456', undefined],
    'one of the smallest check digits': ['PL02109010140000071219810056', undefined],
    'another digit': ['PL61109010140000071219812875', 'account_not_valid'],
    'two digits exchanged': ['PL61109010140000071219818274', 'account_not_valid'],
    'the same remainder, with check digits that no bank gives': ['PL99109010140000071219810056', 'account_not_valid'],
    'a sign instead of a digit': ['PL+2109010140000071219810056', 'account_not_valid'],
    'check digits that are none': ['PL6A109010140000071219812874', 'account_not_valid'],
    'a sort code whose check digit is wrong': ['PL36109010150000071219812874', 'bank_code_not_valid'],
    'a digit too few': ['PL6110901014000007121981287', 'account_not_valid'],
    'no country': ['61109010140000071219812874', 'account_not_valid'],
    'a country without accounts': ['XX61109010140000071219812874', 'account_not_valid'],
    'small letters': ['pl61109010140000071219812874', 'account_not_valid'],
    'with spaces': ['PL61 1090 1014 0000 0712 1981 2874', 'account_not_valid'],
    'with a line break': [`${polish}\n`, 'account_not_valid'],
    nothing: ['', 'account_not_valid'],
  };
  for (const [what, [iban, fault]] of Object.entries(numbers)) {
    test(what, () => assert.equal(ibanFault(iban), fault));
  }

  // Guarantee: our check digits are those of ibantools, for every change of one or two characters.
  test('are judged as ibantools does', () => {
    const given = constantFrom(
      polish,
      'DE89370400440532013000',
      'GB29NWBK60161331926819',
      'FR1420041010050500013M02606',
    );
    const place = integer({ min: 0, max: 27 });
    const character = constantFrom(...'0123456789ABZ');
    const changed = (text: string, at: number, to: string) => text.slice(0, at) + to + text.slice(at + 1);
    assertProperty(
      property(given, place, character, place, (iban, at, to, other) => {
        const one = changed(iban, at, to);
        const two = changed(one, other, iban[at] ?? to);
        for (const text of [iban, one, two]) assert.equal(ibanFault(text) === undefined, isValidIBAN(text), text);
      }),
      { numRuns: 300 },
    );
  });

  test('consist of parts', () => {
    assert.deepEqual(
      [countryOf, nrbOf, sortCodeOf, endingOf].map((part) => part(polish)),
      ['PL', '61109010140000071219812874', '10901014', '2874'],
    );
    assert.deepEqual(['DE', 'CH', 'US', ''].map(isInSepa), [true, true, false, false]);
  });
});
