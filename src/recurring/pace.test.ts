import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Pace, Paces } from './pace.ts';

/** A clock whose time is set, and a pace of ten a second by it. */
function aPace(perSecond: number) {
  const wall = { milliseconds: 1_000 };
  const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(wall.milliseconds) };
  return { wall, pace: new Pace(clock as ConstructorParameters<typeof Pace>[0], perSecond) };
}

suite('the pace of charges', () => {
  // Guarantee: the acquirer never gets more in any second than one second's worth beyond what was saved up, and that is
  // at most a second's worth.
  test('a second at once, then as time passes', () => {
    const { wall, pace } = aPace(10);
    assert.deepEqual([pace.consume(7), pace.consume(7), pace.consume(1)], [7, 3, 0]);
    wall.milliseconds += 99;
    assert.equal(pace.consume(5), 0);
    wall.milliseconds += 1;
    assert.deepEqual([pace.consume(5), pace.consume(5)], [1, 0]);
    wall.milliseconds += 60_000;
    assert.deepEqual([pace.consume(50), pace.consume(50)], [10, 0]);
  });

  test('what was not used is given back', () => {
    const { pace } = aPace(10);
    assert.equal(pace.consume(10), 10);
    pace.release(4);
    assert.deepEqual([pace.consume(10), pace.consume(10)], [4, 0]);
  });

  test('a clock that goes back grants nothing', () => {
    const { wall, pace } = aPace(10);
    pace.consume(10);
    wall.milliseconds -= 5_000;
    assert.equal(pace.consume(10), 0);
    wall.milliseconds += 1_000;
    assert.equal(pace.consume(20), 10);
  });

  test('no limit', () => {
    const { pace } = aPace(Number.POSITIVE_INFINITY);
    assert.deepEqual([pace.consume(5_000), pace.consume(5_000)], [5_000, 5_000]);
  });

  // Guarantee: one acquirer that takes few charges does not slow down another, and what a round did not use is not lost.
  test('each acquirer has its own', () => {
    const wall = { now: () => Temporal.Instant.fromEpochMilliseconds(1_000) };
    const limits = new Map([
      ['slow', 2],
      ['fast', 5],
    ]);
    const paces = new Paces(wall as ConstructorParameters<typeof Paces>[0], limits);
    const share = paces.consume(4);
    assert.deepEqual([share.places(4), share.places(4), share.places(4)], [4, 2, 0]);
    assert.deepEqual(
      ['slow', 'slow', 'slow', 'fast', 'other'].map((name) => share.take(name)),
      [true, true, false, true, false],
    );
    assert.deepEqual(
      [...share.left],
      [
        ['slow', 0],
        ['fast', 3],
      ],
    );
    assert.equal(paces.consume(4).places(9), 1);
    paces.release(share);
    assert.equal(paces.consume(4).places(9), 3);
  });
});
