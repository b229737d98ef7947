// What hostile input costs, compared with a plain request of the same size to the same endpoint.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { endpoints } from '../../contract/endpoints.ts';
import { costsOf, costText, isTooExpensive, type Place } from '../support/cpu.ts';
import { acquirerPlaces, endpointPlace, formPlaces, headerPlaces, shopPlaces } from '../support/places.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('hostile input', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ config: { requestsPerSecond: 1_000_000 } });
    merchant = await aMerchant(service, {}, 'operator');
  });

  async function check(places: readonly Place[]): Promise<void> {
    for (const place of places) {
      const costs = await costsOf(place, () => void service.world.wall.advance({ milliseconds: 60 }));
      assert.ok(costs.length > 0, place.name);
      assert.deepEqual(costs.filter((cost) => isTooExpensive(cost) || cost.status >= 500).map(costText), []);
    }
  }

  // Guarantee: no request, with or without a token, occupies a node for longer than a plain one of its size, or breaks
  // it.
  for (const endpoint of endpoints) {
    test(`${endpoint.id} ${endpoint.method} ${endpoint.path}`, () =>
      check([endpointPlace(service, merchant, endpoint)]));
  }
  test('headers', () => check(headerPlaces(service, merchant)));

  // Guarantee: the same for forms, for callbacks of an acquirer, and for the shop in the same process.
  test('the pages of payers', async () => check(await formPlaces(service, merchant)));
  test('the acquirer', async () => check(await acquirerPlaces(service)));
  test('the demo shop', async () => check(await shopPlaces(service, merchant)));
});
