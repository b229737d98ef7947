// The way of the money of a marketplace transaction: from the payer to the sellers and the partner, and back.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import {
  aChild,
  aPaidSplit,
  aPartner,
  balancesOf,
  refundSplit,
  showSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { aService, type Service } from '../support/service.ts';

const fees = { paymentFeeBasisPoints: 150, refundFeeMinor: 100n };

suite('money of the marketplace', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService();
    partner = await aPartner(service, [fees, {}, fees]);
  });

  // Guarantee: one journal credits each seller less its fee and commission, and the partner its commission; a refund of
  // all of it takes back the amounts and returns the commission exactly.
  test('a payment is split, and refunded in full', async () => {
    const children = [
      aChild(partner, 0, 10_000, { commission: 500 }),
      aChild(partner, 1, 2_345, { commission: 45 }),
      aChild(partner, 0, 1),
    ];
    const receiver = await aReceiver();
    const id = await aPaidSplit(service, partner, children, {
      transactionCallbacks: [{ type: 3, value: receiver.url }],
    });
    assert.deepEqual(await balancesOf(service, partner), [10_000n - 150n - 500n + 1n, 2_300n, 0n, 545n]);
    await checkInvariants(service.world);
    const [notified] = receiver.received;
    assert.deepEqual(JSON.parse(String(notified?.body)).data.transactionHiddenDescription, 'cart-1');

    const short = await refundSplit(service, partner, id);
    assert.equal(short.status, 409, short.text);
    assert.match(short.body.reasons[0], new RegExp(`${partner.sellers[0]?.id} is 9351 cents, and 9601 are needed`));

    await aPaidSplit(service, partner, [aChild(partner, 0, 1_000), aChild(partner, 1, 100)]);
    const before = await balancesOf(service, partner);
    const preview = await refundSplit(service, partner, id, {}, '?dryRun=true');
    assert.equal(preview.status, 200, preview.text);
    assert.deepEqual(await balancesOf(service, partner), before);
    const full = await refundSplit(service, partner, id);
    assert.equal(full.status, 200, full.text);
    assert.equal(full.body.amount, 12_346);
    const after = await balancesOf(service, partner);
    assert.deepEqual(
      preview.body.preview.balances.map(({ after: left }: { after: number }) => BigInt(left)),
      [after[0], after[1], after[3]],
    );
    assert.deepEqual(
      after.map((balance, index) => balance - (before[index] ?? 0n)),
      [-(10_001n - 500n + 100n), -(2_345n - 45n), 0n, -545n],
    );
    const shown = await showSplit(service, partner, id);
    assert.equal(shown.body.status, 'refund');
    assert.equal(shown.body.refunds.length, 1);
    await checkInvariants(service.world);
  });
});
