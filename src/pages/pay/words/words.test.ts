import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { languages } from '../../../../contract/languages.ts';
import { words as bankWords } from '../../../acquirer/simulator/words.ts';
import { words } from './index.ts';

/** Every text with its path; functions as what they write about a count or a name. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String((value as (given: string) => string)('12,34 zł'))]];
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

/** Names, and words that are the same in several languages. */
const sharedWith = {
  pl: ['.methods.64.name', '.blik.label'],
  de: ['.methods.64.name'],
  uk: ['.methods.64.name'],
  fr: ['.methods.64.name', '.paid.date'],
  it: ['.methods.64.name'],
  es: ['.methods.64.name'],
  ru: ['.methods.64.name'],
} as const;

suite('the words of every language', () => {
  for (const language of languages) {
    // Guarantee: no language lacks a word, and none was forgotten in English.
    test(language, () => {
      for (const [all, name] of [
        [words, 'pay page'],
        [bankWords, 'bank'],
      ] as const) {
        const texts = new Map(textsOf(all[language]));
        const english = new Map(textsOf(all.en));
        assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort(), name);
        for (const [path, text] of texts) {
          assert.ok(text.trim() !== '' && !/undefined|NaN/.test(text), `${name} ${path}`);
          assert.deepEqual(text.match(/\{\w+\}/g), english.get(path)?.match(/\{\w+\}/g), `${name} ${path}`);
          assert.equal(text.includes('12,34 zł'), english.get(path)?.includes('12,34 zł'), `${name} ${path}`);
          if (language !== 'en' && !(sharedWith[language] as readonly string[]).includes(path))
            assert.notEqual(text, english.get(path), `${name} ${path}`);
        }
      }
    });
  }
});
