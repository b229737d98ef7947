// A share of the figure `turns`: one input of every kind, of every kind of caller.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveTurns } from './turns.ts';

// Guarantee: no single caller stops the event loop of a node for longer than 50 ms.
test('turns of the event loop', async () => {
  const notes: string[] = [];
  const until = Number.POSITIVE_INFINITY;
  const seen = await proveTurns({ scale: 0.002, seed: 'share', until, print: (text) => void notes.push(text) });
  assert.deepEqual(
    seen.filter(({ met }) => !met),
    [],
    notes.join('\n'),
  );
});
