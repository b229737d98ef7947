// Rows that cannot be read, and runs that somebody made up.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { tick } from '../../src/engine/index.ts';
import { unreadable } from '../support/damages/made.ts';
import { roomsOf, type Service } from '../support/service.ts';
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

  // Guarantee: nobody keeps the books from being verified by a run that is yet to come.
  test('a run of the future', async () => {
    const world = { ...service.world, config: { ...service.world.config, verifyEvery: 60 } };
    const { works } = await roomsOf(world);
    const verifies = works.filter(({ name }) => name === 'verify_books');
    await world.db.sql.run`
      insert into verify_run (id, started_by, started_at, since_at, lease_until, ended_at, problems, journals, entries)
      values ('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'service', '2036-01-01Z', null, '2036-01-01Z', '2036-01-01Z', '[]', 1, 1)`;
    assert.equal(await tick(world, verifies), 1);
    assert.equal(await tick(world, verifies), 0, 'it was verified just now');
  });
});
