import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linesOf } from './elixir0.ts';

const thirtyFive = 'x'.repeat(35);

suite('lines of Elixir-0', () => {
  // Guarantee: no line is longer than 35 characters, there are at most four, and nothing of the text is missing.
  const texts: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    'a short text': ['Anna Nowak', ['Anna Nowak']],
    'exactly one line': [thirtyFive, [thirtyFive]],
    'two words that fill a line': [`${'a'.repeat(17)} ${'b'.repeat(17)}`, [`${'a'.repeat(17)} ${'b'.repeat(17)}`]],
    'words that fill the first line of two': [
      `${'a'.repeat(17)} ${'b'.repeat(17)} c`,
      [`${'a'.repeat(17)} ${'b'.repeat(17)}`, 'c'],
    ],
    'two words, one character too long': [`${'a'.repeat(17)} ${'b'.repeat(18)}`, ['a'.repeat(17), 'b'.repeat(18)]],
    'a word that does not fit by one character': [
      `${'a'.repeat(17)} ${'b'.repeat(18)} c`,
      ['a'.repeat(17), `${'b'.repeat(18)} c`],
    ],
    'a word that is too long': [`ab ${'x'.repeat(36)}`, [`ab ${'x'.repeat(32)}`, 'xxxx']],
    'a long word at the beginning': ['x'.repeat(36), [thirtyFive, 'x']],
    'all that is possible': ['x'.repeat(140), [thirtyFive, thirtyFive, thirtyFive, thirtyFive]],
    'four words of a line each': [Array(4).fill('y'.repeat(34)).join(' '), Array(4).fill('y'.repeat(34))],
    'words that would need five lines': [
      Array(5).fill('z'.repeat(20)).join(' '),
      [
        `${'z'.repeat(20)} ${'z'.repeat(14)}`,
        `${'z'.repeat(6)} ${'z'.repeat(20)} ${'z'.repeat(7)}`,
        `${'z'.repeat(13)} ${'z'.repeat(20)}`,
      ],
    ],
  };
  for (const [what, [text, lines]] of Object.entries(texts)) {
    test(what, () => assert.deepEqual(linesOf(text), lines));
  }
});
