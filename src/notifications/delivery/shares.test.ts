import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Contender, laneSize, sharePlaces } from './shares.ts';

function contender(endpoint: string, room: number, change: Partial<Contender> = {}): Contender {
  return { endpoint, accountId: `account of ${endpoint}`, suspect: false, unproven: false, room, ...change };
}
const suspect = { suspect: true };
const ofOne = { accountId: 'one', unproven: true };

suite('places', () => {
  // Guarantee: no endpoint, no account and no number of failing endpoints takes the capacity that others need.
  const cases: [name: string, contenders: Contender[], all: number, suspect: number, shares: Record<string, number>][] =
    [
      ['nobody', [], 10, 5, {}],
      ['each as much as it has room for', [contender('a', 3), contender('b', 1)], 10, 5, { a: 3, b: 1 }],
      ['no room', [contender('a', 0), contender('b', -2), contender('c', 1)], 10, 5, { c: 1 }],
      [
        'one each before a second one',
        [contender('a', 9), contender('b', 9), contender('c', 1)],
        5,
        5,
        { a: 2, b: 2, c: 1 },
      ],
      ['in their order', [contender('a', 1), contender('b', 1), contender('c', 1)], 2, 5, { a: 1, b: 1 }],
      ['failing ones come last', [contender('a', 4, suspect), contender('b', 4)], 5, 5, { a: 1, b: 4 }],
      [
        'failing ones have their own limit',
        [contender('a', 9, suspect), contender('b', 9, suspect)],
        99,
        3,
        { a: 2, b: 1 },
      ],
      [
        'others leave the places of failing ones alone',
        [contender('a', 3), contender('b', 2, suspect)],
        99,
        2,
        { a: 3, b: 2 },
      ],
      ['no place for failing ones', [contender('a', 9, suspect), contender('b', 1)], 99, 0, { b: 1 }],
      [
        "an account's unproven ones share its places",
        [
          contender('a', 9, ofOne),
          contender('b', 9, ofOne),
          contender('c', 9, { accountId: 'one' }),
          contender('d', 2),
        ],
        99,
        9,
        { a: 2, b: 1, c: 9, d: 2 },
      ],
    ];
  for (const [name, contenders, all, ofSuspects, shares] of cases) {
    test(name, () => {
      const given = sharePlaces(contenders, { all, suspect: ofSuspects, ofAccount: () => 3 });
      assert.deepEqual(Object.fromEntries(given), shares);
    });
  }
});

suite('the size of a lane', () => {
  // Guarantee: an endpoint with ten consecutive failures is only probed; one that failed last starts small again.
  const cases: [failures: number, proven: number | undefined, size: number][] = [
    [0, undefined, 4],
    [0, 77, 77],
    [1, 77, 4],
    [9, undefined, 4],
    [10, 77, 1],
    [500, undefined, 1],
  ];
  for (const [failures, proven, size] of cases) {
    test(`${failures} failures, ${proven ?? 'not'} proven: ${size}`, () =>
      assert.equal(laneSize(failures, proven, 4), size));
  }
});
