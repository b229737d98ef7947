// Open connections to the database go silent while new ones work: the service recovers by itself.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { writeThroughSilence } from '../support/silent-load.ts';
import { silences } from '../support/silent-proxy.ts';

suite('silent connections', { concurrency: true }, () => {
  for (const how of silences) {
    // Guarantee: a node whose connections went silent writes again within 15 s, leaves no request without a response
    // for longer than 20 s, loses and duplicates nothing, and its engine continues.
    test(how, async () => {
      const seen = await writeThroughSilence(how);

      assert.ok(seen.silenced > 0);
      assert.ok(seen.resumedMilliseconds < 15_000, `${seen.resumedMilliseconds} ms until writes went on`);
      assert.equal(seen.hanging, 0);
      assert.equal(seen.transactions, seen.orders);
      assert.deepEqual(
        Object.keys(seen.others).filter((status) => status !== '503' && status !== '409'),
        [],
      );
      assert.deepEqual(seen.stalled, []);
    });
  }
});
