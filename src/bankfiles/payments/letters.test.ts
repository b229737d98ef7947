import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { array, assert as assertProperty, integer, property } from 'fast-check';
import { Alphabet } from './letters.ts';
import { builtInProfiles } from './profile.ts';

/** All that banks of SEPA accept. */
const sepa = new Alphabet("/-?:().,'+");
const polish = new Alphabet(builtInProfiles['iso20022-pl'].characters);
const elixir = new Alphabet(builtInProfiles.elixir0.characters);

suite('letters', () => {
  // Guarantee: a name reads the same in the characters of every bank: what it does not accept becomes what is closest.
  const texts: Readonly<Record<string, readonly [given: string, sepa: string, polish: string, elixir: string]>> = {
    'plain ones': ['Anna Nowak 7', 'Anna Nowak 7', 'Anna Nowak 7', 'Anna Nowak 7'],
    nothing: ['', '', '', ''],
    'Polish ones': ['Zażółć GĘŚLĄ jaźń', 'Zazolc GESLA jazn', 'Zażółć GĘŚLĄ jaźń', 'Zażółć GĘŚLĄ jaźń'],
    'Polish ones of two characters each': ['z\u0307 o\u0301 l', 'z o l', 'ż ó l', 'ż ó l'],
    'German ones': ['Groß & Söhne', 'Gross + Sohne', 'Gross + Sohne', 'Gross + Sohne'],
    'other ones': [
      'Ægir Þór, Đ Ħ ı ŋ ẞ œ Ø',
      'AEgir THor, D H i n SS oe O',
      'AEgir THór, D H i n SS oe O',
      'AEgir THór D H i n SS oe O',
    ],
    'more of them': ['ÞæŒøđðÐþħŊŁ', 'THaeOEoddDthhNL', 'THaeOEoddDthhNŁ', 'THaeOEoddDthhNŁ'],
    'wide ones and ligatures': ['Ａｎｎａ ﬁ ½ ™', 'Anna fi 1/2 TM', 'Anna fi 1 2 TM', 'Anna fi 1 2 TM'],
    quotes: ['"A" „B” «C» `D` \u2018E\u2019', "'A' 'B' 'C' 'D' 'E'", "'A' 'B' 'C' 'D' 'E'", 'A B C D E'],
    dashes: ['a–b—c−d_e\u2010f', 'a-b-c-d-e-f', 'a-b-c-d-e-f', 'a-b-c-d-e-f'],
    brackets: ['<a>[b]{c}|d\\e', '(a)(b)(c)/d/e', '(a)(b)(c) d e', '(a)(b)(c) d e'],
    marks: ['a; b! c* d: e@f', 'a, b. c. d: e f', 'a, b. c. d e f', 'a b. c. d e f'],
    'an emoji': ['Ola 🦊👩‍👩‍👧 sklep', 'Ola sklep', 'Ola sklep', 'Ola sklep'],
    'control characters': ['a\0b\u0007c\u001bd\u009fe\tf\u007f', 'abcde f', 'abcde f', 'abcde f'],
    'what turns the direction': ['\u202eabc\u202c \u2066d\u2069\ufeff', 'abc d', 'abc d', 'abc d'],
    'many marks': [`a${'\u0301\u0327'.repeat(50)}b`, 'ab', 'ab', 'ab'],
    'half a character': ['a\ud800b', 'a b', 'a b', 'a b'],
    spaces: ['  a   b\u00a0\u2003c ', 'a b c', 'a b c', 'a b c'],
  };
  for (const [what, [given, ...written]] of Object.entries(texts)) {
    test(what, () => {
      assert.deepEqual(
        [sepa, polish, elixir].map((alphabet) => alphabet.spell(given)),
        written.map((text) => ({ text, unknown: '' })),
      );
    });
  }

  // Guarantee: a name never loses letters silently, because then it would be another name.
  test('without a counterpart are named', () => {
    assert.deepEqual(polish.spell('Иван Nowak ٣'), { text: 'Nowak', unknown: 'Иван٣' });
    assert.deepEqual(sepa.spell('שלום'), { text: '', unknown: 'שלום' });
  });

  // Guarantee: whatever is written, the bank accepts each of its characters, and writing it again changes nothing.
  test('of any text are those that the bank accepts', () => {
    const accepted = /^[A-Za-z0-9/?:().,'+ -]*$/;
    assertProperty(
      property(array(integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 60 }), (given) => {
        const { text } = sepa.spell(String.fromCodePoint(...given));
        assert.match(text, accepted);
        assert.deepEqual(sepa.spell(text), { text, unknown: '' });
      }),
      { numRuns: 300 },
    );
  });
});
