// The part of `npm run prove` that every test run does, with a fixed seed. Some figures have their own test files.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { figures } from './figures.ts';

const scale = 0.001;
/** They end by themselves: a figure that time cuts short is not met, and a busy machine is no fault. */
const milliseconds = 3_600_000;
/**
 * They have test files of their own (`effects`: test/race/idempotency, test/crash/idempotency), or need minutes (`quiet`, and
 * `cluster` with PostgreSQL's own programs).
 */
const elsewhere = ['effects', 'kills', 'turns', 'workers', 'hostile', 'silence', 'cluster', 'quiet', 'years'];

suite('a share of the figures', () => {
  for (const { name, prove } of figures.filter((figure) => !elsewhere.includes(figure.name))) {
    // Guarantee: the figures of the project hold, with a small count on every change.
    test(name, async () => {
      const notes: string[] = [];
      const print = (text: string) => void notes.push(text);
      const seen = await prove({ scale, seed: 'share', until: performance.now() + milliseconds, print });
      assert.deepEqual(
        seen.filter(({ met }) => !met),
        [],
        notes.join('\n'),
      );
    });
  }
});
