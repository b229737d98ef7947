import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Random, systemRandom } from '../runtime/index.ts';
import { openTitles } from './titles.ts';

const [s, t] = [25, 26];
const smallestStep = [0, 0];

/** Returns these draws one after another, and then the smallest steps. */
function drawing(...draws: (readonly number[])[]): Random {
  return { bytes: () => Uint8Array.from(draws.shift() ?? smallestStep) };
}

suite('titles', () => {
  // Guarantee: every title has the documented format, and none repeats (docs/decisions/0003).
  test('the shape, and no title twice', () => {
    const titles = openTitles(systemRandom());
    const drawn = Array.from({ length: 100_000 }, () => titles.draw());
    for (const title of drawn) assert.match(title, /^TR-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{7}$/);
    assert.equal(new Set(drawn).size, drawn.length);
  });

  // Guarantee: rows that are written together are adjacent in the index.
  test('titles drawn in a row ascend, but for the beginning of a run', () => {
    const titles = openTitles(systemRandom());
    const drawn = Array.from({ length: 100_000 }, () => titles.draw());
    const begins = drawn.filter((title, index) => index > 0 && title.slice(0, 11) !== drawn[index - 1]?.slice(0, 11));
    const descents = drawn.filter((title, index) => title < (drawn[index - 1] ?? ''));
    assert.ok(begins.length > 100 && begins.length < 400, `${begins.length} runs`);
    assert.ok(descents.length <= begins.length, `${descents.length} descents`);
  });

  // Guarantee: two processes do not start with the same titles.
  test('another drawer begins elsewhere', () => {
    const random = systemRandom();
    assert.notEqual(openTitles(random).draw().slice(0, 11), openTitles(random).draw().slice(0, 11));
  });

  // Guarantee: no title contains -TST, in either part (docs/decisions/0003).
  for (const unlucky of [
    [t, s, t, 0, 0, 0, 0],
    [0, 0, 0, 0, t, s, t],
  ]) {
    test(`drawn again: ${unlucky}`, () => {
      const titles = openTitles(drawing(smallestStep, unlucky, [1, 2, 3, 4, 5, 6, 7]));
      assert.equal(titles.draw(), 'TR-1234-5670001');
      assert.equal(titles.draw(), 'TR-1234-5670002');
    });
  }

  test('TST elsewhere is a title', () => {
    assert.equal(openTitles(drawing(smallestStep, [1, t, s, t, 5, 6, 7])).draw(), 'TR-1TST-5670001');
  });
});
