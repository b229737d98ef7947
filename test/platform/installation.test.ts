// The one row of an installation: nodes that start at the same moment agree on it.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openInstallation } from '../../src/database/index.ts';
import { openService } from '../../src/open.ts';
import { aService, aWorld, type Service } from '../support/service.ts';

type Started = Pick<Parameters<typeof openService>[2], 'works' | 'catchMail'>;

/** Opens the service on this database as a process does, and says whether it writes mail, and whether it sends it. */
async function mailOf({ world }: Service, started: Started = {}): Promise<string> {
  const config = { ...world.config, vaultKeys: [{ id: 'test', key: world.vaultKey }], logLevel: 'silent' };
  const { rooms, close } = await openService(config, world.databaseUrl, { name: 'process', ...started });
  const { sendsMail, hasMailTransport } = rooms.notifications;
  await close();
  return [...(sendsMail ? ['writes'] : []), ...(hasMailTransport ? ['sends'] : [])].join(' ');
}

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

  // Guarantee: what a merchant must be told by mail is written by a command too, from whose shell nobody sends mail; and where
  // nobody sends any, none is kept.
  test('commands write the mails that workers send', async () => {
    const service = await aService();
    assert.equal(await mailOf(service), '');
    assert.equal(await mailOf(service, { works: true, catchMail: true }), 'writes sends');
    assert.equal(await mailOf(service), 'writes');
    assert.equal(await mailOf(service, { works: true }), '');
    assert.equal(await mailOf(service), '');
  });
});
