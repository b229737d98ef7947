// Who may use the marketplace, whatever they send.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { endpoints } from '../../contract/endpoints.ts';
import { changeAccount } from '../../src/accounts/index.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

const ofMarketplace = endpoints.filter(({ path }) => /^\/(marketplace|accounts)\b/.test(path));

suite('the right to use the marketplace', () => {
  let service: Service;
  let others: TestMerchant[];

  before(async () => {
    service = await aService();
    const off = await aMerchant(service, { kind: 'partner' });
    await changeAccount(service.world, off.id, { marketplaceEnabled: false });
    service.world.wall.advance({ seconds: 1 });
    others = [off, await aMerchant(service)];
  });

  // Guarantee: an account without the right gets 403 before anything else of the request is looked at, so that it never
  // corrects a request that it may not make.
  for (const { method, path } of ofMarketplace) {
    test(`403: ${method} ${path}`, async () => {
      const url = `${path.replaceAll(/\{\w+\}/g, 'x')}?page=0&dryRun=perhaps`;
      const bodies = method === 'POST' ? ['{"childTransactions": 7, "name": 7, "pos": 7}', '{', ''] : [undefined];
      for (const { token } of others) {
        for (const raw of bodies) {
          const answer = await service.ask(method, url, {
            token,
            ...(raw === undefined ? {} : { raw, headers: { 'content-type': 'application/json' } }),
          });
          assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']], answer.text);
        }
      }
    });
  }

  test('there are such endpoints', () => assert.ok(ofMarketplace.length >= 12));
});
