import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { amountText, money } from '../kernel/index.ts';
import { chooseLanguage, dateText } from './language.ts';

suite('the language of a page', () => {
  // Guarantee: the merchant's choice is used, otherwise the browser's preference among our languages; never an error.
  for (const [given, header, expected] of [
    ['pl', 'en', 'pl'],
    ['uk', 'pl', 'uk'],
    ['fr', 'pl', 'fr'],
    ['cs', 'pl', 'en'],
    ['', 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['', 'cs,pl;q=0.3,uk;q=0.7', 'uk'],
    ['', 'es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['', 'en;q=0,pl;q=0.1', 'pl'],
    ['', 'cs', 'en'],
    ['', '*', 'en'],
    ['', ';;q=,=', 'en'],
    ['', undefined, 'en'],
  ] as const) {
    test(`lang '${given}', browser '${header}': ${expected}`, () =>
      assert.equal(chooseLanguage(given, header), expected));
  }
});

// Guarantee: the merchant's usual language serves those whose own we do not have.
test('the usual language of a merchant', () => {
  assert.equal(chooseLanguage('', 'cs', 'it'), 'it');
  assert.equal(chooseLanguage('', 'cs', null), 'en');
  assert.equal(chooseLanguage('', 'de', 'it'), 'de');
  assert.equal(chooseLanguage('pl', 'cs', 'it'), 'pl');
});

suite('amounts and dates', () => {
  // Guarantee: the payer sees the exact amount, formatted for the language.
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
  for (const [language, amount, date] of [
    ['pl', '99 999 999 999,99 zł', '10 marca 2026 10:00'],
    ['en', 'PLN 99,999,999,999.99', '10 March 2026 at 10:00'],
    ['de', '99.999.999.999,99 PLN', '10. März 2026 um 10:00'],
    ['uk', '99 999 999 999,99 PLN', '10 березня 2026 р. о 10:00'],
    ['fr', '99 999 999 999,99 PLN', '10 mars 2026 à 10:00'],
    ['it', '99.999.999.999,99 PLN', '10 marzo 2026 alle ore 10:00'],
    ['es', '99.999.999.999,99 PLN', '10 de marzo de 2026 a las 10:00'],
    ['ru', '99 999 999 999,99 PLN', '10 марта 2026 г. в 10:00'],
  ] as const) {
    test(language, () => {
      assert.equal(plain(amountText(money(9_999_999_999_999n, 'PLN'), language)), amount);
      assert.equal(plain(dateText(Temporal.Instant.from('2026-03-10T09:00:00Z'), 'Europe/Warsaw', language)), date);
    });
  }
});
