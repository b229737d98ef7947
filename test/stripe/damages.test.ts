// Damages of the tables of the connector: who notices each of them.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { draw } from '../support/damages/drawn.ts';
import { noticedAtStripe } from '../support/damages/noticed.ts';
import { aTransaction, payBlik } from '../support/payments.ts';
import { refund } from '../support/refunds.ts';
import { aShop } from '../support/stripe-shop.ts';
import { type Damage, unnoticed } from '../support/tampering.ts';
import { findingsOf } from '../support/verify.ts';

/** What the catalog does not draw. */
const madeUp: readonly Damage[] = [
  {
    what: 'a charge of another merchant',
    noticed: 'provider_charge_differs',
    statements: ["update stripe_charge set merchant = 'another'"],
  },
  {
    what: 'a refund of another charge',
    noticed: 'provider_refund_differs',
    statements: ["update stripe_refund set charge_key = key || 'X'"],
  },
  {
    what: 'the account, as the service would change it',
    noticed: 'schema',
    statements: ["update stripe_account set account = 'acct_other'"],
    triggers: true,
  },
];

suite('the tables of the connector', () => {
  // Guarantee: what was asked of the provider is not changed behind the service without somebody who notices. Exchanged ids
  // are noticed whenever the provider is asked (swapped.test.ts).
  test('have nothing that nobody notices', async () => {
    const { service, merchant, pass } = await aShop();
    for (const amount of [20, 40]) {
      const id = await aTransaction(service, merchant, { amount });
      await payBlik(service, merchant, id);
      await pass(6);
      const answer = await refund(service, merchant, id, { amount: amount / 4 });
      assert.equal(answer.status, 200, answer.text);
      await pass(10);
      await pass(10);
    }
    assert.deepEqual(await findingsOf(service.world), []);
    const drawn = (await draw(service.world.db.sql)).flatMap((damage): Damage[] => {
      const noticed = noticedAtStripe[damage.what];
      return noticed === undefined ? [] : [{ ...damage, noticed }];
    });
    assert.equal(drawn.length, Object.keys(noticedAtStripe).length);
    assert.deepEqual(await unnoticed(service, [...drawn, ...madeUp]), {
      tried: drawn.length + madeUp.length,
      missed: [],
    });
  });
});
