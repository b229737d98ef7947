import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Unavailable } from '../kernel/index.ts';
import { RateLimit } from './limits.ts';

function aClock() {
  let now = Temporal.Instant.from('2026-03-10T09:00:00Z');
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now = now.add({ milliseconds });
    },
  };
}

/** Whether one more request is accepted. */
function isAllowed(limit: RateLimit, caller: string, perSecond: number): boolean {
  try {
    limit.consume(caller, perSecond);
    return true;
  } catch (error) {
    assert.ok(error instanceof Unavailable && error.code === 'too_many_requests');
    return false;
  }
}

suite('a rate limit', () => {
  // Guarantee: a flood of callers does not reset the bucket of one that is over its limit.
  test('a flood of callers clears nobody’s bucket and takes no more room', () => {
    const limit = new RateLimit(aClock());
    assert.deepEqual(
      [isAllowed(limit, 'known', 1), isAllowed(limit, 'known', 1), isAllowed(limit, 'known', 1)],
      [true, true, false],
    );
    for (let index = 0; index < 120_000; index += 1) isAllowed(limit, `other ${index}`, 1);
    assert.ok(!isAllowed(limit, 'known', 1), 'still over the limit');
    assert.ok(limit.size <= 50_000, String(limit.size));
  });

  // Guarantee: callers without a bucket of their own are still served, sharing one.
  test('callers without room share one bucket, and get their own when there is room again', () => {
    const clock = aClock();
    const limit = new RateLimit(clock);
    for (let index = 0; index < 50_000; index += 1) limit.consume(`other ${index}`, 10);
    clock.pass(1_000);
    for (let index = 0; index < 50_000; index += 1) limit.consume(`other ${index}`, 10);
    const allowed = Array.from({ length: 30 }, (_, index) => isAllowed(limit, `late ${index}`, 10));
    assert.equal(allowed.filter(Boolean).length, 20);
    clock.pass(2_000);
    assert.ok(Array.from({ length: 30 }, (_, index) => isAllowed(limit, `late ${index}`, 10)).every(Boolean));
  });

  // Guarantee: discarding a bucket gives nobody more requests than waiting would.
  test('only buckets that are full again are forgotten', () => {
    const clock = aClock();
    const limit = new RateLimit(clock);
    for (let index = 0; index < 49_999; index += 1) limit.consume(`other ${index}`, 1);
    clock.pass(1_500);
    for (let count = 0; count < 2; count += 1) limit.consume('known', 1);
    clock.pass(600);
    limit.consume('late', 1);
    assert.equal(limit.size, 2);
    assert.ok(!isAllowed(limit, 'known', 1));
  });
});
