import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { liveRates, Pace, type Rates, testRates } from './pace.ts';

const rates: Rates = { all: { perSecond: 10, burst: 4 }, each: { perSecond: 5, burst: 2 } };

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
    assert.deepEqual(liveRates, { all: { perSecond: 60, burst: 20 }, each: { perSecond: 15, burst: 8 } });
    assert.deepEqual(testRates, { all: { perSecond: 15, burst: 8 }, each: { perSecond: 15, burst: 8 } });
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
