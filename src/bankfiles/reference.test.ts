import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { referencesIn, titleOf } from './reference.ts';

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
});
