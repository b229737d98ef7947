import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { namesOnly, referencesIn, titleOf } from './reference.ts';

const id = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';
const other = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';

suite('our reference', () => {
  // Guarantee: it is found however the bank writes a title, and what only looks like it is not.
  const titles: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    alone: [`GROSZ ${id}`, [id]],
    'in a sentence': [`zwrot przelewu GROSZ ${id}, dziękujemy`, [id]],
    'broken by the bank': [`GROSZ 01K9Z4M7Q1T4W7A0B2C5\n E8F9GH`, [id]],
    'in small letters': [`grosz ${id.toLowerCase()}`, [id]],
    'twice, and another': [`GROSZ ${id} GROSZ${id} GROSZ ${other}`, [id, other]],
    'too short': ['GROSZ 01K9Z4M7Q1', []],
    'with letters that ids do not have': [`GROSZ ${id.replace('K', 'U')}`, []],
    'without the word': [id, []],
    nothing: ['', []],
  };
  for (const [what, [text, found]] of Object.entries(titles)) {
    test(what, () => assert.deepEqual(referencesIn(text), found));
  }

  // Guarantee: a title that we write is found again, from its first 35 characters alone.
  test('in a title of ours', () => {
    assert.equal(titleOf(id, 'Payout'), `GROSZ ${id} Payout`);
    assert.equal(titleOf(id, ''), `GROSZ ${id}`);
    assert.deepEqual(referencesIn(titleOf(id, `for ${other}`).slice(0, 35)), [id]);
  });

  // Guarantee: nobody can make a title of one payment that is taken for that of another, or for nobody's.
  const claims: Readonly<Record<string, readonly [string, boolean]>> = {
    'only the reference': [`GROSZ ${id}`, true],
    'words behind it': [`GROSZ ${id} Payout, 1 grosz fee`, true],
    'itself once more': [`GROSZ ${id} GROSZ ${id}`, true],
    'words before it': [`Payout GROSZ ${id}`, false],
    'no space behind it': [`GROSZ ${id}7`, false],
    'another one': [`GROSZ ${other}`, false],
    'another one behind it': [`GROSZ ${id} GROSZ ${other}`, false],
    'another one in pieces': [`GROSZ ${id} g r o s z${other}`, false],
  };
  for (const [what, [title, isOnly]] of Object.entries(claims)) {
    test(`with ${what}`, () => assert.equal(namesOnly(id, title), isOnly));
  }

  test('that runs into our word', () => {
    const ending = `${id.slice(0, 24)}GR`;
    assert.deepEqual(referencesIn(`GROSZ ${ending} OSZ`), []);
    assert.equal(namesOnly(ending, `GROSZ ${ending} OSZ`), false);
    assert.equal(namesOnly(ending, `GROSZ ${ending} OSZ ${other}`), false);
    assert.equal(namesOnly(ending, `GROSZ ${ending} X`), true);
  });
});
