import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { poolThreads, sizeThreadPool } from './thread-pool.ts';

suite('thread pool', () => {
  // Guarantee: an empty setting counts as unset, and one that the operator made is kept.
  for (const [given, size] of [
    [undefined, String(poolThreads)],
    ['', String(poolThreads)],
    ['3', '3'],
  ] as const) {
    test(`UV_THREADPOOL_SIZE ${given === undefined ? 'unset' : `"${given}"`}: ${size} threads`, () => {
      const environment: NodeJS.ProcessEnv = { UV_THREADPOOL_SIZE: given };
      sizeThreadPool(environment);
      assert.equal(environment.UV_THREADPOOL_SIZE, size);
    });
  }

  // Guarantee: passwords take half of the threads, so there are two at least.
  test('two to four threads', () => assert.ok(poolThreads >= 2 && poolThreads <= 4));
});
