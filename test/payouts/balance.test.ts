// GET /balance: what of the balance is due, and when the rest is.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { blockPayouts, releasePayouts, verifyPayoutAccount } from '../../src/payouts/index.ts';
import { changeTermsIn } from '../../src/payouts/terms.ts';
import { sayDispute } from '../support/disputes.ts';
import { aChild, aPaidSplit, aPartner } from '../support/marketplace.ts';
import { aPaidTransaction, checkInvariants, passTime, settleAll } from '../support/payments.ts';
import { aPayoutAccount, giveAccount, someIbans } from '../support/payouts.ts';
import { aRefund } from '../support/refunds.ts';
import { makePayouts } from '../support/rooms.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';

const friday = '2026-11-20T10:00:00Z';

let service: Service;
before(async () => {
  service = await aService();
  for (const clock of [service.world.clock, service.world.wall]) clock.set(friday);
  atEnd(async () => {
    // Months that have passed here have settlements, of what is sealed and read.
    await service.rooms.ledger.seal();
    await service.rooms.panel.sumUp();
    await settleAll(service.world);
    await checkInvariants(service.world);
  });
});

async function balanceOf({ token }: Pick<TestMerchant, 'token'>, headers: Record<string, string> = {}) {
  const answer = await service.ask('GET', '/balance', { token, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.balance;
}

suite('GET /balance', () => {
  // Guarantee: nothing is due before its bank day, everything is on it, and the parts are the balance.
  test('a payment is due on the next bank day', async () => {
    const merchant = await aMerchant(service);
    assert.deepEqual(await balanceOf(merchant), {
      amount: 0,
      due: 0,
      notYetDue: [],
      reserved: 0,
      inTransit: 0,
      owed: 0,
      currency: 'PLN',
    });
    await aPaidTransaction(service, merchant, { amount: 20 });
    await passTime(service.world, { hours: 24 });
    await aPaidTransaction(service, merchant, { amount: 30 });
    const weekend = await balanceOf(merchant);
    assert.deepEqual([weekend.amount, weekend.due, weekend.notYetDue], [50, 0, [{ date: '2026-11-23', amount: 50 }]]);
    await passTime(service.world, { hours: 48 });
    await aPaidTransaction(service, merchant, { amount: 7 });
    const monday = await balanceOf(merchant);
    assert.deepEqual([monday.amount, monday.due, monday.notYetDue], [57, 50, [{ date: '2026-11-24', amount: 7 }]]);
  });

  // Guarantee: what leaves counts at once.
  test('a refund takes what is due', async () => {
    const merchant = await aMerchant(service);
    service.world.clock.set('2026-11-23T11:00:00Z');
    const transaction = await aPaidTransaction(service, merchant, { amount: 40 });
    await passTime(service.world, { hours: 24 });
    await aPaidTransaction(service, merchant, { amount: 10 });
    await aRefund(service, merchant, transaction, { amount: 5 });
    const { amount, due, notYetDue } = await balanceOf(merchant);
    assert.deepEqual([amount, due, notYetDue], [45, 35, [{ date: '2026-11-25', amount: 10 }]]);
  });

  // Guarantee: a partner sees that of its seller, and what a dispute took beyond the balance is said.
  test('of a seller, who owes something', async () => {
    const partner = await aPartner(service, [{ paymentFeeBasisPoints: 1_000 }]);
    const [seller] = partner.sellers;
    const split = await aPaidSplit(service, partner, [aChild(partner, 0, 1_000)]);
    const asSeller = { 'x-merchant-id': seller?.id ?? '' };
    assert.equal((await balanceOf(partner, asSeller)).amount, 9);
    await sayDispute(service.world, split, 'opened', 1_000n);
    const { amount, due, owed } = await balanceOf(partner, asSeller);
    assert.deepEqual([amount, due, owed], [0, 0, 1]);
    assert.equal((await balanceOf(partner)).amount, 0);
  });

  // Guarantee: days are those of Polish banks, whatever the time zone of the account or the server.
  test('late in the evening', async () => {
    const merchant = await aMerchant(service);
    service.world.clock.set('2026-12-01T22:30:00Z');
    await aPaidTransaction(service, merchant, { amount: 20 });
    assert.deepEqual((await balanceOf(merchant)).notYetDue, [{ date: '2026-12-02', amount: 20 }]);
    service.world.clock.set('2026-12-01T23:10:00Z');
    assert.equal((await balanceOf(merchant)).due, 20);
    await aPaidTransaction(service, merchant, { amount: 5 });
    assert.deepEqual((await balanceOf(merchant)).notYetDue, [{ date: '2026-12-03', amount: 5 }]);
  });

  // Guarantee: what another node has just credited is never due at once, also if it is past midnight there, or here by now.
  test('a credit of tomorrow, by a clock that is ahead', async () => {
    const merchant = await aMerchant(service);
    service.world.clock.set('2027-01-12T23:00:00.400Z');
    await aPaidTransaction(service, merchant, { amount: 20 });
    service.world.clock.set('2027-01-12T22:59:59.900Z');
    const behind = await balanceOf(merchant);
    assert.deepEqual([behind.amount, behind.due, behind.notYetDue], [20, 0, [{ date: '2027-01-14', amount: 20 }]]);
    service.world.clock.set('2027-01-12T23:00:01Z');
    assert.deepEqual(await balanceOf(merchant), behind);
  });

  // Guarantee: the parts are the balance whatever happens, and what comes back is as new money.
  test('what a refund or a dispute gives back is due on the next bank day', async () => {
    const merchant = await aMerchant(service);
    service.world.clock.set('2027-02-01T10:00:00Z');
    const transaction = await aPaidTransaction(service, merchant, { amount: 100 });
    service.world.clock.set('2027-02-08T10:00:00Z');
    const refundId = await aRefund(service, merchant, transaction, { amount: 40 });
    assert.equal((await balanceOf(merchant)).due, 60);
    for (const action of ['hold', 'cancel']) {
      const answer = await service.ask('POST', `/refunds/${refundId}/${action}`, { token: merchant.token });
      assert.equal(answer.status, 200, answer.text);
    }
    const canceled = await balanceOf(merchant);
    assert.deepEqual([canceled.due, canceled.notYetDue], [60, [{ date: '2027-02-09', amount: 40 }]]);
    service.world.clock.set('2027-02-09T10:00:00Z');
    assert.equal((await balanceOf(merchant)).due, 100);
    await sayDispute(service.world, transaction, 'opened', 10_000n);
    await sayDispute(service.world, transaction, 'won', 10_000n);
    const won = await balanceOf(merchant);
    assert.deepEqual([won.due, won.notYetDue], [0, [{ date: '2027-02-10', amount: 100 }]]);
  });

  // Guarantee: an account knows when its next payout comes, how much it will be, and which rule stops it.
  test('the next payout', async () => {
    const own = await aService();
    const { world } = own;
    world.clock.set('2027-02-15T12:00:00Z');
    const merchant = await aMerchant(own);
    const expect = async (date: string | null, amount: number, reason: string | null) => {
      const { nextPayout } = (await own.ask('GET', '/balance', { token: merchant.token })).body;
      assert.deepEqual(nextPayout, { date, amount, reason });
    };
    const choose = (changed: ReturnType<Parameters<typeof changeTermsIn>[3]>) =>
      world.db.atomic((sql) => changeTermsIn(world, sql, merchant.id, () => changed));
    await expect('2027-02-15', 0, 'bank_account_missing');
    await aPaidTransaction(own, merchant, { amount: 50 });
    await giveAccount(own, merchant);
    await expect('2027-02-15', 0, 'bank_account_not_verified');
    await verifyPayoutAccount(world, { accountId: merchant.id, by: 'operator@grosz.example' });
    // Credited on a Monday, it is paid on Tuesday.
    await expect('2027-02-16', 50, null);
    await choose({ schedule: 'weekdays', days: [5] });
    await expect('2027-02-19', 50, null);
    await choose({ minimumMinor: 5_001n });
    await expect('2027-02-19', 50, 'below_minimum');
    await choose({ minimumMinor: 0n, keepBackMinor: 2_000n });
    await expect('2027-02-19', 30, null);
    await choose({ schedule: 'manual', days: [], keepBackMinor: 0n });
    await expect(null, 0, 'not_scheduled');
    await choose({ schedule: 'daily', delayDays: 3 });
    await expect('2027-02-18', 50, null);
    await blockPayouts(world, merchant.id, 'operator@grosz.example');
    await expect('2027-02-15', 0, 'payouts_blocked');
    await releasePayouts(world, merchant.id, 'operator@grosz.example');
    // Until Thursday at noon a changed number is on hold: it is paid on Friday.
    await aPayoutAccount(own, merchant, someIbans[1]);
    await expect('2027-02-19', 50, null);
    world.clock.set('2027-02-19T08:00:00Z');
    await expect('2027-02-19', 50, null);
    await aPaidTransaction(own, merchant, { amount: 7 });
    while ((await makePayouts(world)) > 0);
    await expect('2027-02-24', 7, null);
    await choose({ delayDays: 0 });
    await expect('2027-02-22', 7, null);
    assert.equal((await own.ask('GET', '/balance', { token: merchant.token })).body.balance.inTransit, 50);
    await checkInvariants(world);
  });

  // Guarantee: nobody sees the balance of another account.
  test('401, 404 and 405', async () => {
    const [merchant, other] = [await aMerchant(service), await aMerchant(service)];
    assert.equal((await service.ask('GET', '/balance')).status, 401);
    const headers = { 'x-merchant-id': other.id };
    assert.equal((await service.ask('GET', '/balance', { token: merchant.token, headers })).status, 404);
    assert.equal((await service.ask('POST', '/balance', { token: merchant.token, body: {} })).status, 405);
  });
});
