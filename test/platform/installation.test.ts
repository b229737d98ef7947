// The one row of an installation: nodes that start at the same moment agree on it.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openInstallation } from '../../src/database/index.ts';
import { aWorld } from '../support/service.ts';

suite('the row of the installation', () => {
  test('nodes that start at the same moment all find it', async () => {
    const world = await aWorld();
    const opening = { ...world, mode: 'sandbox' as const };
    for (let round = 0; round < 100; round += 1) {
      await world.db.sql.run`delete from installation`;
      const found = await Promise.all(Array.from({ length: 8 }, () => openInstallation(opening)));
      assert.deepEqual(new Set(found.map(({ vaultCheck }) => vaultCheck)).size, 1);
    }
  });
});
