// The order and the tiers of test files.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { suite, test } from 'node:test';
import { filesOf, longestFirst, quick } from './tiers.ts';

/** Folders without a room, and those whose files take minutes. */
const noRooms = ['browser', 'crash', 'mutants', 'prove', 'race', 'screenshots', 'start', 'support'];

suite('npm test -- quick', () => {
  // Guarantee: a room that is added is in the quick run too.
  test('has a file of every room', () => {
    const folders = readdirSync(new URL('..', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !noRooms.includes(entry.name))
      .map(({ name }) => name);
    const files = filesOf(quick);
    assert.deepEqual(
      folders.filter((folder) => !files.some((file) => file.startsWith(`test/${folder}/`))),
      [],
    );
  });
});

suite('the order of files', () => {
  // Guarantee: no long file runs alone at the end, and a new one is not taken for a short one.
  test('the longest come first, unknown ones before the short ones', () => {
    const files = ['test/a.test.ts', 'test/b.test.ts', 'test/new.test.ts', 'src/c.test.ts'];
    assert.deepEqual(longestFirst(files, { 'test/a.test.ts': 1, 'test/b.test.ts': 60 }), [
      'test/b.test.ts',
      'test/new.test.ts',
      'test/a.test.ts',
      'src/c.test.ts',
    ]);
  });
});
