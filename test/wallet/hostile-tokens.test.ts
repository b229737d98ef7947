// Tokens that are made to cost time, through E2: what the whole request costs before it is refused.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { money } from '../../src/kernel/index.ts';
import { mintToken } from '../../src/simulators/index.ts';
import { hashOfIdentifier } from '../../src/wallet/index.ts';
import { costsOf, costText, isTooExpensive } from '../support/cpu.ts';
import { hostileTokens } from '../support/hostile-tokens.ts';
import { aTransaction } from '../support/payments.ts';
import { aMerchant, aService } from '../support/service.ts';
import { walletConfig } from '../support/wallet.ts';

suite('hostile tokens', () => {
  // Guarantee: no token costs more than 20 ms, or five times what a token costs that passes every check but the last.
  test('E2 refuses each within the CPU rule', async () => {
    const service = await aService({ config: { ...walletConfig(), requestsPerSecond: 1_000_000 } });
    const { world, rooms } = service;
    const merchant = await aMerchant(service);
    const id = await aTransaction(service, merchant);
    const simulated = rooms.devices?.simulated;
    assert.ok(simulated);
    const { vendor, own } = simulated;
    // For another amount than the transaction's, so that none of them pays.
    const order = {
      amount: money(1_000n, 'PLN'),
      card: { number: '4111111111111111', expires: '391231' },
      signedAt: world.wall.now(),
      publicKey: own.publicKey,
      merchantIdentifierHash: hashOfIdentifier(own.merchantIdentifier),
      random: world.random,
    };
    const headers = { 'content-type': 'application/json' };
    const sent = (name: string, token: string) => {
      return { name, headers, body: JSON.stringify({ channelId: 75, walletPayPaymentData: token }) };
    };
    const tokens = hostileTokens((change, tampering) => mintToken(vendor, { ...order, ...change }, tampering));
    const place = {
      name: 'E2',
      url: service.url,
      method: 'POST',
      path: `/transactions/${id}/pay`,
      headers: { authorization: `Bearer ${merchant.token}` },
      attacks: [
        {
          plain: sent('a token for another amount', mintToken(vendor, order)),
          hostile: () => tokens.map(([name, token]) => sent(name, token)),
        },
      ],
    };
    const costs = await costsOf(place, () => void world.wall.advance({ milliseconds: 60 }));
    assert.equal(costs.length, tokens.length);
    assert.deepEqual(costs.filter((cost) => isTooExpensive(cost)).map(costText), []);
    for (const cost of costs) assert.ok(cost.status === 400 || cost.status === 413, costText(cost));
  });
});
