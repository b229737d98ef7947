// A database restored to an earlier time, with a bank that was not.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { idsFrom, systemRandom } from '../../src/runtime/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { aRecurring, attemptsOf } from '../support/recurring.ts';
import { tickAll } from '../support/rooms.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, aService, type Service, serve, type TestMerchant } from '../support/service.ts';

const id = '01KKBFJYM0AAAAAAAAAAAAAAAA';

/** Two databases with the same rows: the same random numbers create the same accounts. */
async function aTwin(value: string): Promise<{ service: Service; merchant: TestMerchant }> {
  const service = await aService({ random: new Seeded('twins') });
  const merchant = await aMerchant(service);
  await aRecurring(service, merchant, { id, paymentInstrument: { value } });
  return { service, merchant };
}

suite('a database restored to an earlier time', () => {
  // Guarantee: what was charged after the backup is not charged again, and ends as it had ended.
  for (const [value, attempts, captures] of [
    ['tok', 4, 4],
    ['fail-2-insufficient-funds', 5, 1],
  ] as const) {
    test(`charges fall due again under the same keys: ${value}`, async () => {
      const [first, restored] = [await aTwin(value), await aTwin(value)];
      assert.equal(first.merchant.id, restored.merchant.id);
      const { bank } = first.service.world;
      // From here on it has its own random numbers.
      const { world } = restored.service;
      const again = await serve({
        ...world,
        bank,
        acquirers: acquirersOf(world, bank),
        ids: idsFrom(world.clock, systemRandom()),
      });

      const story = async (service: Service, merchant: TestMerchant) => {
        for (let month = 0; month < 3; month += 1) {
          await tickAll(service.world);
          service.world.clock.advance({ hours: 31 * 24 });
        }
        await tickAll(service.world);
        return attemptsOf(service, merchant, id);
      };
      const before = await story(first.service, first.merchant);
      const captured = bank.record().captures.length;
      assert.deepEqual([before.length, captured], [attempts, captures]);
      assert.deepEqual(await story(again, restored.merchant), before);
      assert.equal(bank.record().captures.length, captured);
    });
  }
});
