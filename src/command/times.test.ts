// Times on the command line: of which everything after them can be computed and stored.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { StartFault } from '../runtime/index.ts';
import { readTime } from './times.ts';

const read = (from: string) =>
  readTime(
    {
      environment: {},
      values: { from },
      words: [],
      print: () => undefined,
      ask: async () => '',
      ended: Promise.resolve(),
    },
    'from',
  );

// Guarantee: a time that nothing can be compared with is refused as one, before anything is opened with it.
suite('grosz reconcile --from', () => {
  for (const [text, at] of [
    ['2026-03-10', '2026-03-10T00:00:00Z'],
    ['2026-03-10T09:00:00Z', '2026-03-10T09:00:00Z'],
    ['2026-03-10T09:00:00+02:00', '2026-03-10T07:00:00Z'],
    ['1970-01-01', '1970-01-01T00:00:00Z'],
    ['9999-12-31', '9999-12-31T00:00:00Z'],
  ] as const)
    test(text, () => assert.equal(read(text)?.toString(), at));

  for (const text of ['', 'yesterday', '2026-13-01', '2026-02-30', '2026-03-10T09:00', '2026-3-1'])
    test(`"${text}" is no time`, () => {
      const message = '--from must be a day such as 2026-03-10 or a time such as 2026-03-10T09:00:00Z.';
      assert.throws(() => read(text), new StartFault(message));
    });

  for (const text of [
    '0000-01-01',
    '0001-01-01',
    '1969-12-31',
    '1970-01-01T00:00:00+00:01',
    '-004800-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '+200000-01-01T00:00:00Z',
  ])
    test(`${text} is too early or too late`, () => {
      const message = '--from must be in the years 1970 to 9999, such as 2026-03-10.';
      assert.throws(() => read(text), new StartFault(message));
    });

  test('is not given', () => {
    const invocation = {
      environment: {},
      values: {},
      words: [],
      print: () => undefined,
      ask: async () => '',
      ended: Promise.resolve(),
    };
    assert.equal(readTime(invocation, 'from'), undefined);
  });
});
