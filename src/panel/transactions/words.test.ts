import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readQuery } from './words.ts';

suite('the search box', () => {
  const ids = ['01K9Z4M7Q2V5X8B1C3D6F9G0HJ', ' 01k9z4m7q2v5x8b1c3d6f9g0hj '];
  for (const typed of ids) {
    test(`${typed}: an id`, () => assert.deepEqual(readQuery(typed), { kind: 'id', id: ids[0] }));
  }
  for (const typed of ['TR-7X2M-Q4K9ZP1', 'tr-7x2m-q4k9zp1']) {
    test(`${typed}: a title`, () => {
      assert.deepEqual(readQuery(typed), { kind: 'title', title: typed.toUpperCase() });
    });
  }
  const amounts: [string, bigint | null][] = [
    ['10', 1000n],
    ['10.5', 1050n],
    ['10,50', 1050n],
    ['1 234,56 zł', 123_456n],
    ['1 234.5', 123_450n],
    ['1234 PLN', 123_400n],
    ['0.01', 1n],
    ['10.005', null],
    ['-1', null],
    ['12 34', null],
    ['999999999999', null],
    ['order-10', null],
    ['TR-1', null],
    ['', null],
  ];
  for (const [typed, minor] of amounts) {
    test(`${typed}: ${minor ?? 'no amount'}`, () => {
      assert.deepEqual(readQuery(typed), { kind: 'words', text: typed, amountMinor: minor });
    });
  }
});
