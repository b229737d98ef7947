// Rows that cannot be read.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { unreadable } from '../support/damages/made.ts';
import type { Service } from '../support/service.ts';
import { unnoticed } from '../support/tampering.ts';
import { aWholeBusiness } from '../support/whole-business.ts';

suite('what cannot be read', () => {
  let service: Service;
  before(async () => {
    service = await aWholeBusiness();
  });

  // Guarantee: verify ends and names it, whatever somebody wrote into a row.
  test('each damage is named', { timeout: 60_000 }, async () => {
    assert.deepEqual((await unnoticed(service, unreadable)).missed, []);
  });
});
