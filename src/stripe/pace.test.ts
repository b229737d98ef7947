import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Seeded } from '../../test/support/seeded.ts';
import { liveRates, Pace, type Rates, testRates, tokenEndpoint } from './pace.ts';

const rates: Rates = {
  all: { perSecond: 10, burst: 4 },
  each: { perSecond: 5, burst: 2 },
  tokens: { perSecond: 2, burst: 1 },
};

/** When so many requests leave that all come at once. */
function leave(pace: Pace, count: number, endpointOf = (_index: number) => 'a', now = 0): number[] {
  return Array.from({ length: count }, (_, index) => now + (pace.reserve(endpointOf(index), now, 1e9) ?? Number.NaN));
}

// Guarantee: in no second do more requests leave than the provider allows, of one endpoint or of all.
suite('Pace', () => {
  test('a burst, then one after the other', () => {
    assert.deepEqual(leave(new Pace(rates), 5), [0, 0, 200, 400, 600]);
    const spread = leave(new Pace(rates), 6, (index) => `${index}`);
    assert.deepEqual(spread, [0, 0, 0, 0, 100, 200]);
  });

  test('the allowance comes back with time', () => {
    const pace = new Pace(rates);
    leave(pace, 2);
    assert.equal(pace.reserve('a', 200, 0), 0);
    assert.equal(pace.reserve('a', 200, 0), undefined);
    assert.equal(pace.reserve('a', 10_000, 0), 0);
  });

  test('a turn that would come too late is not taken', () => {
    const pace = new Pace(rates);
    leave(pace, 2);
    assert.equal(pace.reserve('a', 0, 199), undefined);
    assert.equal(pace.reserve('a', 0, 200), 200);
  });

  // Guarantee: who makes one endpoint's queue long delays nobody at another.
  test('the queue of one endpoint is not that of all', () => {
    for (const [name, own, count, most] of [
      ['live', liveRates, 67, 0],
      ['many', liveRates, 300, 0],
      ['test', testRates, 4, 0],
    ] as const) {
      const pace = new Pace(own);
      leave(pace, count);
      assert.ok((pace.reserve('b', 0, 1e9) ?? Number.NaN) <= most, name);
    }
    const pace = new Pace(testRates);
    leave(pace, 50, () => tokenEndpoint);
    assert.deepEqual(leave(pace, 5, () => 'b').map(Math.round), [0, 0, 0, 0, 0]);
  });

  // Guarantee: a turn that fits between others does not make these too many.
  test('in any order of endpoints, and times', () => {
    const draw = new Seeded('pace');
    for (let round = 0; round < 20; round += 1) {
      const pace = new Pace(liveRates);
      const times: number[] = [];
      for (let now = 0; times.length < 400; now += draw.below(40))
        times.push(...leave(pace, 1 + draw.below(8), () => `${draw.below(draw.chance(0.7) ? 2 : 9)}`, now));
      times.sort((one, other) => one - other);
      const { perSecond, burst } = liveRates.all;
      let wholeAt = Number.NEGATIVE_INFINITY;
      for (const time of times) {
        assert.ok(time >= wholeAt - ((burst - 1) * 1_000) / perSecond - 1e-3, `${time}`);
        wholeAt = Math.max(wholeAt, time) + 1_000 / perSecond;
      }
    }
  });

  test('slower after a refusal, faster again with answers', () => {
    const pace = new Pace(rates);
    pace.slower(0);
    assert.deepEqual(leave(pace, 3), [500, 500, 900]);
    pace.faster();
    assert.deepEqual(leave(pace, 3, undefined, 5_000).map(Math.round), [5_000, 5_000, 5_381]);
    for (let count = 0; count < 100; count += 1) pace.faster();
    assert.deepEqual(leave(pace, 3, undefined, 10_000), [10_000, 10_000, 10_200]);
    for (let count = 0; count < 100; count += 1) pace.slower(20_000);
    assert.deepEqual(leave(pace, 3, undefined, 20_000), [20_500, 20_500, 23_700]);
  });

  // As docs/stripe.md tells operators.
  test('the rates', () => {
    const fifteen = { perSecond: 15, burst: 8 };
    assert.deepEqual(liveRates, { all: { perSecond: 60, burst: 20 }, each: fifteen, tokens: fifteen });
    assert.deepEqual(testRates, { all: fifteen, each: fifteen, tokens: { perSecond: 5, burst: 3 } });
  });

  for (const [name, own, all, each] of [
    ['live', liveRates, 100, 25],
    ['test', testRates, 25, 25],
  ] as const)
    test(`within the limits of the provider: ${name}`, () => {
      for (const [endpointOf, limit] of [
        [() => 'a', each],
        [(index: number) => `${index % 7}`, all],
      ] as const) {
        const times = leave(new Pace(own), 1_000, endpointOf);
        const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
        assert.ok(most <= limit, `${most}`);
      }
    });
});
