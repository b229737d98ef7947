import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { languages } from '../../../../contract/languages.ts';
import { orderMailWords as newOrder } from '../../../marketplace/mail-words.ts';
import { methodWords } from '../../../methods/words.ts';
import { mailWords } from '../../../notifications/mail/words.ts';
import { chargeMailWords as charge } from '../../../recurring/mail-words.ts';
import { refundMailWords as refund } from '../../../refunds/mail-words.ts';
import { words as bankWords } from '../../../simulators/bank/words.ts';
import { paidMailWords as payment } from '../../../transactions/mail-words.ts';
import { words } from './index.ts';

/** Every text with its path; functions as what they write about counts, amounts and names. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const write = value as (...given: string[]) => string;
    return [[path, write('12,34\u00a0zł', 'Żółw')]];
  }
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

/** By what payers read them in. */
const everywhere: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'pay page': words,
  methods: methodWords,
  bank: bankWords,
  'every mail': mailWords,
  'mail about a payment': payment,
  'mail about a refund': refund,
  'mail about a recurring charge': charge,
  'mail about a new order': newOrder,
};

/** Names, and words that are the same in several languages. */
const sameInEnglish = [
  ...languages.map((language) => `${language} methods .blik.name`),
  'pl pay page .blik.label',
  'fr pay page .paid.date',
  'de mail about a refund .merchant',
];

const given = /12,34\u00a0zł|Żółw|\{\w+\}/g;

suite('the words of every language', () => {
  for (const language of languages) {
    // Guarantee: no language lacks a word, a placeholder or a name, and none was forgotten in English.
    test(`${language}: complete`, () => {
      for (const [name, all] of Object.entries(everywhere)) {
        const texts = new Map(textsOf(all[language]));
        const english = new Map(textsOf(all.en));
        assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort(), name);
        for (const [path, text] of texts) {
          assert.ok(text.trim() !== '' && !/undefined|NaN/.test(text), `${name} ${path}`);
          const wanted = english.get(path)?.match(given)?.sort();
          assert.deepEqual(text.match(given)?.sort(), wanted, `${name} ${path}`);
          if (language !== 'en' && !sameInEnglish.includes(`${language} ${name} ${path}`))
            assert.notEqual(text, english.get(path), `${name} ${path}`);
        }
      }
    });

    // Guarantee: quotation marks, dots and spaces are those of the language. A space that no line may break at is
    // written \u00a0: between a number and its unit, in French before ? ! : ; and inside « », in German before ….
    test(`${language}: typography`, () => {
      const wrong: [RegExp, string][] = [
        [/['"]/, 'a straight quotation mark'],
        [/\.\.\./, 'three dots instead of …'],
        [/ {2}|^ | $/, 'a space too many'],
        [/[\d}] [sс](?!\p{L})/u, 'a line may end between a number and its unit'],
        [language === 'fr' ? /[^\u00a0][?!:;»]|«[^\u00a0]/ : /\s[?!:;]/, 'the space before ? ! : ;'],
        [language === 'de' ? /[^\u00a0]…/ : /\s…/, 'the space before …'],
        [quotesOfOthers[language], 'quotation marks of another language'],
      ];
      for (const [name, all] of Object.entries(everywhere)) {
        for (const [path, text] of textsOf(all[language])) {
          for (const [pattern, fault] of wrong) assert.doesNotMatch(text, pattern, `${name} ${path}: ${fault}`);
        }
      }
    });
  }

  // Guarantee: one term for one thing.
  test('terms', () => {
    assert.doesNotMatch(JSON.stringify(textsOf(words.uk)), /обер|обира|увійд/i, 'uk: вибрати, ввійти');
    assert.doesNotMatch(JSON.stringify(textsOf(words.fr)), /vous n’avez pas été débité/i, 'fr: aucun montant');
    assert.doesNotMatch(JSON.stringify(textsOf(words.it)), /\b(Suo|Lei|vostr[oaie])\b/, 'it: tu');
    assert.doesNotMatch(JSON.stringify(textsOf(words.es)), /\b(tu|tus|puedes|tienes)\b/i, 'es: usted');
    assert.doesNotMatch(JSON.stringify(textsOf(words.de)), /\b(du|dein|deine|deiner)\b/i, 'de: Sie');
  });
});

const quotesOfOthers: Readonly<Record<(typeof languages)[number], RegExp>> = {
  pl: /[“«»]/,
  en: /[„«»]/,
  de: /[”«»]/,
  fr: /[„“”]/,
  it: /[„“”]/,
  es: /[„“”]/,
  uk: /[„“”]/,
  ru: /[„“”]/,
};
