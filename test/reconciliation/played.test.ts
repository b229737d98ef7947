// Everything that the simulated bank plays besides captures, refunds and payouts, at once: the books agree in the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { inWords } from '../support/findings.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { decideParked, listParked, tickAll } from '../support/rooms.ts';
import { aMerchant, aService } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

const always = { probability: 1, seed: 1 };
const names = ['returnedRefund', 'returnedPayout', 'chargeFee', 'payoutFee', 'disputedCharge', 'otherLine'] as const;

// Guarantee: with fees, disputes, unknown lines, refunds and payouts that came back, each booked once, bank and books agree
// to the grosz every day, once an operator has said what the unknown lines are.
test('a week at a bank that plays all of it', async () => {
  const service = await aService();
  const { world, rooms } = service;
  const merchant = await aMerchant(service, { refundFeeMinor: 100n });
  await fund(service, merchant, 100_000n);
  world.bank.setFaults(Object.fromEntries(names.map((name) => [name, always])));
  for (let day = 0; day < 7; day += 1) {
    if (day < 4) {
      await aPaidTransaction(service, merchant);
      await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 3 });
    }
    world.clock.advance({ seconds: 6 });
    await tickAll(world);
    world.clock.advance({ hours: 24 });
    await tickAll(world);
    const run = await rooms.reconciliation.reconcile({});
    assert.ok(run?.state === 'differs' || run?.state === 'agreed', run?.why?.code ?? '');
    for (const { id: item, kind, amountMinor } of await listParked(world)) {
      assert.ok(['other_taken', 'other_given', 'refund'].includes(kind), kind);
      await decideParked(world, item, { capturedMinor: amountMinor });
    }
    const again = await rooms.reconciliation.reconcile({ from: world.clock.now().subtract({ hours: 24 * 8 }) });
    assert.equal(again?.state, 'agreed', `day ${day}`);
    assert.deepEqual(inWords(await findingsOf(world)), []);
  }
  const kinds = await world.db.sql.many((row) => readText(row, 'kind'))`
    select distinct kind from acquirer_line order by kind`;
  // Whether a dispute is won, and whether an unknown line gives or takes, follows from the key of the charge.
  const byKey = ['dispute_won', 'other_given', 'other_taken'];
  assert.deepEqual(
    kinds.filter((kind) => !byKey.includes(kind)),
    ['dispute', 'fee', 'payout_returned'],
  );
  assert.ok(kinds.includes('other_given') || kinds.includes('other_taken'), kinds.join(', '));
});
