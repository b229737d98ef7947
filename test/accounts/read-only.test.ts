// What a read-only credential sees.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { type Furnished, furnishForReading, leaksTo } from '../support/read-only.ts';
import { aService, type Service } from '../support/service.ts';

suite('a read-only credential', () => {
  let service: Service;
  let furnished: Furnished;
  before(async () => {
    service = await aService();
    furnished = await furnishForReading(service);
  });

  // Guarantee: no endpoint returns to a read-only caller a value with which payments can be started, paid or canceled.
  test('finds no secret and no card token on any endpoint', async () => {
    const { asked, leaks } = await leaksTo(service, furnished.readOnly, furnished);
    assert.deepEqual(leaks, []);
    assert.ok(asked > 30, String(asked));
  });

  // Guarantee: the search above would find what it looks for.
  test('would find them with a full credential', async () => {
    const { leaks } = await leaksTo(service, furnished.full, furnished);
    for (const leak of [
      'T1 shows a pay key',
      'T2 shows a pay key',
      'E5 shows a pay key',
      'N1 shows a card token',
      'M6 shows a pay key',
      'M7 shows a pay key',
    ]) {
      assert.ok(leaks.includes(leak), `${leak}: ${leaks}`);
    }
  });
});
