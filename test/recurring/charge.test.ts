// The recurring engine, day by day.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { checkInvariants, settleAll, show } from '../support/payments.ts';
import { aRecurring, attemptsOf, recurringOf } from '../support/recurring.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('charging', () => {
  let service: Service;
  let merchant: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  });

  const notifications = (id: string) =>
    service.world.db.sql.many((row) => JSON.parse(readText(row, 'body')))`
      select body from event where type = 'recurring' and body like ${`%"recurringId":"${id}"%`} order by created_at, id`;

  // Guarantee: a due charge is made once, booked and reported, and the next one is where the schedule says.
  test('the first charge, and the next a month later', async () => {
    const id = await aRecurring(service, merchant, { hiddenDescription: 'order 7', schedule: { chargeCount: 2 } });
    await settleAll(service.world);
    const [first, ...others] = await attemptsOf(service, merchant, id);
    assert.equal(others.length, 0);
    assert.deepEqual(
      { ...first, transactionId: '' },
      {
        transactionId: '',
        createdAt: '2026-03-10T10:00:00+01:00',
        status: 'correct',
        iterationCount: 1,
        iterationAttemptCount: 1,
        reason: null,
      },
    );
    assert.deepEqual(await notifications(id), [
      {
        recurringId: id,
        merchantId: merchant.id,
        transactionId: first?.transactionId,
        hiddenDescription: 'order 7',
        iterationCount: 1,
        iterationAttemptCount: 1,
        status: 'correct',
        nextChargeDate: '2026-04-10T10:00:00+02:00',
        reason: null,
      },
    ]);
    const shown = await show(service, merchant, first?.transactionId ?? '');
    assert.deepEqual([shown.body.status, shown.body.amount, shown.body.payments.status], ['paid', 49.9, 'correct']);
    // 49.90 less one percent, rounded, and 0.25.
    assert.equal(await findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id)), 4_990n - 75n);
    // Its payer is not there: there is no page to pay it on.
    const [payKey] = await service.world.db.sql.many((row) => readText(row, 'pay_key'))`
      select pay_key from transaction where id = ${first?.transactionId ?? ''}`;
    assert.equal((await fetch(`${service.url}/pay/${first?.transactionId}.${payKey}`)).status, 404);
    await checkInvariants(service.world);
    service.world.clock.set('2026-04-10T08:00:00Z');
    await settleAll(service.world);
    assert.equal((await recurringOf(service, merchant, id)).status, 'finished');
    assert.equal((await notifications(id)).at(-1).nextChargeDate, null);
    await checkInvariants(service.world);
  });
});
