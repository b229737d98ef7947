// The kept sums: every journal counts once, on the right day, and what they say is what the API says.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { changeAccount } from '../../src/accounts/index.ts';
import { readText, readTexts } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts, sealJournals } from '../../src/ledger/index.ts';
import { countMoves, unreadMoves, verifyCounts } from '../../src/panel/counts/count.ts';
import { netOf, sumsOf } from '../../src/panel/counts/sums.ts';
import { listDays } from '../../src/panel/overview/store.ts';
import { aBusiness, allOf, type Business, runBusiness } from '../support/business.ts';
import { damage } from '../support/damage.ts';
import { aPaidTransaction, settleAll } from '../support/payments.ts';
import { aService, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

let service: Service;
let business: Business;

const ever = { from: Temporal.PlainDate.from('2020-01-01'), to: Temporal.PlainDate.from('2040-01-01') };

async function countAll(): Promise<void> {
  await settleAll(service.world);
  while ((await countMoves(service.world, 7)) > 0);
}

const daysOf = (account: TestMerchant) => listDays(service.world.db.sql, account.id, ever);

before(async () => {
  service = await aService();
  business = await aBusiness(service);
  // Across the change to summer time.
  await runBusiness(service, business, 20_260_310, 150);
  await countAll();
});

suite('kept sums', () => {
  // Guarantee: the panel shows what the ledger has.
  test('agree with the ledger, for every account', async () => {
    assert.deepEqual(await verifyCounts(whole(service.world)), []);
    for (const account of [business.merchant, business.partner, ...business.partner.sellers]) {
      const balance = await findBalance(service.world.db.sql, ledgerAccounts.available(account.id));
      assert.equal(netOf(sumsOf(await daysOf(account))), balance);
    }
  });

  // Guarantee: the panel shows what the API says, day by day in the account's time.
  test('agree with the lists of the API, day by day', async () => {
    interface Paid {
      readonly date: { readonly realization: string | null };
      readonly payments: { readonly amountPaid: number };
    }
    const paid = await allOf<Paid>(service, business.merchant, '/transactions');
    const days = await daysOf(business.merchant);
    let seen = 0;
    for (const { day, payments, paymentsMinor } of days) {
      const rows = paid.filter(({ date }) => date.realization?.startsWith(day.toString()));
      seen += rows.length;
      assert.equal(payments, rows.length, `${day}`);
      const minor = rows.reduce((sum, row) => sum + Math.round(row.payments.amountPaid * 100), 0);
      assert.equal(paymentsMinor, BigInt(minor), `${day}`);
      const range = `&from=${day}%2000:00:00&to=${day}%2023:59:59`;
      const refunds = await allOf<{ amount: number }>(service, business.merchant, '/refunds', range);
      const refunded = refunds.reduce((sum, row) => sum + Math.round(row.amount * 100), 0);
      assert.deepEqual([days.find((one) => one.day.equals(day))?.refunds], [refunds.length]);
      assert.equal(-(days.find((one) => one.day.equals(day))?.refundsMinor ?? 0n), BigInt(refunded));
    }
    assert.equal(seen, paid.filter(({ date }) => date.realization !== null).length);
    const { refunds, returned } = sumsOf(days);
    assert.ok(seen > 30 && refunds > 10 && returned > 0, `enough happened: ${[seen, refunds, returned]}`);
  });

  test('of a partner: its commissions, and the volume of whole payments', async () => {
    const [partner, seller] = [sumsOf(await daysOf(business.partner)), business.partner.sellers[0]];
    assert.ok(seller);
    assert.equal(partner.paymentsMinor, 0n);
    assert.ok(partner.commissionsMinor > 0n && partner.paymentsVolumeMinor > partner.commissionsMinor);
    const sellers = await Promise.all(business.partner.sellers.map(daysOf));
    const parts = sumsOf(sellers.flat());
    assert.equal(parts.paymentsVolumeMinor, partner.paymentsVolumeMinor);
    assert.equal(parts.commissionsMinor, -partner.commissionsMinor);
    assert.equal(parts.refundsVolumeMinor, partner.refundsVolumeMinor);
  });

  for (const column of ['fee_minor', 'commission_minor']) {
    // Guarantee: what a payment or refund consists of is that of its rows, also if no sum of a day shows it.
    test(`name two moves of one day whose ${column} is swapped`, async () => {
      const { sql } = service.world.db;
      const [pair] = await sql.many((row) => ({ account: readText(row, 'account_id'), ids: readTexts(row, 'ids') }))`
        select one.account_id, array[one.journal_id, min(other.journal_id)]::text[] as ids
          from panel_move as one join panel_move as other
               on other.account_id = one.account_id and other.kind = one.kind
                  and (other.posted_at at time zone 'Europe/Warsaw')::date = (one.posted_at at time zone 'Europe/Warsaw')::date
                  and (other.fee_minor <> one.fee_minor or ${column} = 'commission_minor')
                  and (other.commission_minor <> one.commission_minor or ${column} = 'fee_minor')
         group by one.account_id, one.journal_id order by 1, 2 limit 1`;
      const ids = pair?.ids.map((id) => `'${id}'`).join(', ');
      const swap = `
        update panel_move as one set ${column} = other.${column} from panel_move as other
         where one.account_id = '${pair?.account}' and other.account_id = one.account_id and one.journal_id <> other.journal_id
           and one.journal_id in (${ids}) and other.journal_id in (${ids})`;
      await damage(service.world, swap);
      const found = await verifyCounts(whole(service.world));
      await damage(service.world, swap);
      assert.deepEqual(
        found.map(({ code, parameters }) => [code, (parameters as { journalId?: string }).journalId]).sort(),
        pair?.ids.toSorted().map((id) => ['move_wrong', id]),
      );
      assert.deepEqual(await verifyCounts(whole(service.world)), []);
    });
  }

  // Guarantee: two nodes, or a node that begins again, count nothing twice.
  test('count nothing twice', async () => {
    const before = await daysOf(business.merchant);
    await Promise.all([countMoves(service.world), countMoves(service.world)]);
    assert.deepEqual(await daysOf(business.merchant), before);
  });

  test('say how far behind the ledger they are', async () => {
    assert.deepEqual(await unreadMoves(service.world), { due: 0, oldestAt: null });
    const at = service.world.clock.now();
    await aPaidTransaction(service, business.merchant);
    await sealJournals(service.world);
    assert.deepEqual(await unreadMoves(service.world), { due: 1, oldestAt: at });
    await countMoves(service.world);
    assert.equal((await unreadMoves(service.world)).due, 0);
  });

  test('are made again when the time zone of the account changes', async () => {
    const before = await daysOf(business.merchant);
    await changeAccount(service.world, business.merchant.id, { zone: 'Asia/Kolkata' });
    assert.equal(await countMoves(service.world), 1);
    const after = await daysOf(business.merchant);
    assert.notDeepEqual(after, before);
    assert.deepEqual(sumsOf(after), sumsOf(before));
    assert.deepEqual(await verifyCounts(whole(service.world)), []);
    await changeAccount(service.world, business.merchant.id, { zone: 'Europe/Warsaw' });
    await countMoves(service.world);
    assert.deepEqual(await daysOf(business.merchant), before);
  });
});
