// Some acquirers ask who pays: the charge request says it, whichever way the payment is made.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aTransaction, payBlik } from '../support/payments.ts';
import { aReconciling, type Reconciling } from '../support/reconciling.ts';
import { aRecurring, chargeAll } from '../support/recurring.ts';

const payer = { email: 'jan@example.com', name: 'Jan Nowak' };

suite('the payer in a charge request', () => {
  let reconciling: Reconciling;
  before(async () => {
    reconciling = await aReconciling();
  });

  // Guarantee: the acquirer gets the address and the name that the merchant gave, and nothing else of the payer.
  test('of a payment', async () => {
    const { service, merchant, bank } = reconciling;
    await payBlik(
      service,
      merchant,
      await aTransaction(service, merchant, { payer: { ...payer, phone: '600100200' } }),
    );
    assert.deepEqual(bank.asked.at(-1)?.payer, payer);
  });

  test('of a recurring charge', async () => {
    const { service, merchant, bank } = reconciling;
    await aRecurring(service, merchant, { payer });
    await chargeAll(service.world);
    assert.deepEqual(bank.asked.at(-1)?.payer, payer);
  });
});
