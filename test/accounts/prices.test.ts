// Prices: what is taken, from when, and that each fee names its price.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { methods } from '../../contract/methods.ts';
import { addPrice, assignPriceList, changeAccount, createPriceList, findPrices } from '../../src/accounts/index.ts';
import { isAssignmentOf, isPriceOf } from '../../src/accounts/prices/prices.ts';
import { listAssignments, listPrices } from '../../src/accounts/prices/store.ts';
import { readBigint, readText, SqlText } from '../../src/database/index.ts';
import { paymentFee } from '../../src/ledger/index.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { damage } from '../support/damage.ts';
import { aChild, aPaidSplit, aPartner } from '../support/marketplace.ts';
import { aPaidTransaction, checkInvariants, settleAll } from '../support/payments.ts';
import { aRecurring, chargeAll } from '../support/recurring.ts';
import { aRefund } from '../support/refunds.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

let service: Service;
before(async () => {
  service = await aService();
  atEnd(() => checkInvariants(service.world));
});

const none = { channelId: null, basisPoints: 0, fixedMinor: 0n, minimumMinor: 0n, maximumMinor: null } as const;
let lists = 0;

async function aList(...prices: readonly Partial<Parameters<typeof addPrice>[2]>[]): Promise<string> {
  lists += 1;
  const { id } = await createPriceList(service.world, `List ${lists}`);
  for (const price of prices) await addPrice(service.world, id, { ...none, kind: 'payment', ...price });
  return id;
}

/** The fee that was booked for a payment, and the price that it names. */
function feeOf(transactionId: string) {
  return service.world.db.sql.one((row) => ({ fee: readBigint(row, 'fee'), owner: readText(row, 'owner') }))`
    select coalesce(-sum(entry.amount_minor), 0)::bigint as fee, max(price.owner_id) as owner
      from charge
      join journal on journal.source = charge.id and journal.kind = 'payment'
      left join entry on entry.journal_id = journal.id and entry.account = 'income:processing_fee'
      left join price on price.id = charge.price_id
     where charge.transaction_id = ${transactionId}`;
}

const pay = async (merchant: TestMerchant, amount: number) =>
  feeOf(await aPaidTransaction(service, merchant, { amount }));

suite('prices', () => {
  // Guarantee: an account without a list pays the fees of its settings, each from when it was set, and names that price.
  test('of an account', async () => {
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
    assert.deepEqual(await pay(merchant, 100), { fee: 125n, owner: merchant.id });
    service.world.clock.advance({ seconds: 1 });
    await changeAccount(service.world, merchant.id, { paymentFeeBasisPoints: 200 });
    assert.deepEqual(await pay(merchant, 100), { fee: 225n, owner: merchant.id });
  });

  // Guarantee: a list comes before the account's own prices from its first moment to its last, and a channel before all.
  test('of a list, by channel and time', async () => {
    const { world } = service;
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100 });
    const list = await aList(
      { basisPoints: 50, fixedMinor: 10n },
      { channelId: methods.card.id, basisPoints: 30 },
      { kind: 'refund', fixedMinor: 70n },
    );
    const now = world.clock.now();
    await assignPriceList(world, merchant.id, list, now.add({ hours: 1 }));
    assert.deepEqual(await pay(merchant, 100), { fee: 100n, owner: merchant.id });
    world.clock.advance({ minutes: 61 });
    assert.deepEqual(await pay(merchant, 100), { fee: 60n, owner: list });
    await addPrice(world, list, { ...none, kind: 'payment', channelId: methods.blik.id, basisPoints: 20 });
    assert.deepEqual(await pay(merchant, 100), { fee: 20n, owner: list });
    const paid = await aPaidTransaction(service, merchant, { amount: 50 });
    const refundId = await aRefund(service, merchant, paid, { amount: 5 });
    const fee = await world.db.sql.one((row) => readBigint(row, 'fee_minor'))`
      select fee_minor from refund where id = ${refundId} and price_id is not null`;
    assert.equal(fee, 70n);
    await assignPriceList(world, merchant.id, null);
    world.clock.advance({ seconds: 1 });
    assert.deepEqual(await pay(merchant, 100), { fee: 100n, owner: merchant.id });
  });

  // Guarantee: minimum and maximum hold, and a fee is never more than the payment.
  test('minimum and maximum', async () => {
    const merchant = await aMerchant(service);
    await assignPriceList(
      service.world,
      merchant.id,
      await aList({ basisPoints: 100, fixedMinor: 5n, minimumMinor: 50n, maximumMinor: 200n }),
    );
    for (const [amount, fee] of [
      [0.3, 30n],
      [10, 50n],
      [100, 105n],
      [1_000, 200n],
    ] as const)
      assert.equal((await pay(merchant, amount)).fee, fee, `${amount}`);
  });

  // Guarantee: the database computes the same fee as the service, so that verify compares like with like.
  test('the formula of the database', async () => {
    const { sql } = service.world.db;
    for (const amount of [1n, 49n, 50n, 51n, 149n, 150n, 9_999n, 10_000n, 99_999_999_999n])
      for (const basisPoints of [0, 1, 50, 125, 9_999, 10_000])
        for (const [minimumMinor, maximumMinor] of [
          [0n, null],
          [40n, 60n],
          [0n, 0n],
        ] as const) {
          const fee = { basisPoints, fixedMinor: 3n, minimumMinor, maximumMinor };
          const computed = await sql.one((row) => readBigint(row, 'fee'))`
            select price_fee(${basisPoints}::integer, 3, ${minimumMinor}::bigint, ${maximumMinor}::bigint, ${amount}::bigint) as fee`;
          assert.equal(computed, paymentFee(amount, fee), `${amount} ${JSON.stringify(fee, (_, one) => String(one))}`);
        }
  });

  // Guarantee: recurring charges and parts of sellers have their prices too.
  test('recurring and marketplace', async () => {
    const { world } = service;
    const merchant = await aMerchant(service);
    const list = await aList({ basisPoints: 1_000 });
    await assignPriceList(world, merchant.id, list);
    await aRecurring(service, merchant);
    await chargeAll(world);
    const named = await world.db.sql.one((row) => readText(row, 'owner'))`
      select max(price.owner_id) as owner from charge join price on price.id = charge.price_id
       where charge.merchant_id = ${merchant.id} and purpose = 'recurring' and state = 'correct'`;
    assert.equal(named, list);
    const partner = await aPartner(service);
    const [seller] = partner.sellers;
    assert.ok(seller);
    await assignPriceList(world, seller.id, list);
    const split = await aPaidSplit(service, partner, [aChild(partner, 0, 1_000)]);
    const fee = await world.db.sql.one((row) => readBigint(row, 'fee'))`
      select fee_minor as fee from transaction_part join price on price.id = price_id and owner_id = ${list}
       where transaction_id = ${split}`;
    assert.equal(fee, 100n);
  });

  // Guarantee: whoever needs the prices of many accounts gets them at once, each with its own list.
  test('of many accounts', async () => {
    const [merchant, other] = [await aMerchant(service), await aMerchant(service)];
    await assignPriceList(service.world, merchant.id, await aList({ kind: 'payout', fixedMinor: 99n, basisPoints: 5 }));
    const { db, clock } = service.world;
    const prices = await findPrices(db.sql, 'payout', [merchant.id, other.id], clock.now());
    assert.deepEqual([prices.get(merchant.id)?.fixedMinor, prices.get(merchant.id)?.basisPoints], [99n, 5]);
    assert.deepEqual([prices.get(other.id)?.fixedMinor, prices.get(other.id)?.priceId], [0n, null]);
  });

  // Guarantee: a price is never changed, and nobody is charged by one of the past.
  test('are only followed', async () => {
    const { world } = service;
    const { sql } = world.db;
    const list = await aList({ basisPoints: 10 });
    await assert.rejects(sql.run`update price set fixed_minor = 1 where owner_id = ${list}`);
    await assert.rejects(sql.run`delete from price where owner_id = ${list}`);
    const past = world.clock.now().subtract({ seconds: 1 });
    await assert.rejects(addPrice(world, list, { ...none, kind: 'payment' }, past), /not_valid/);
    await assert.rejects(addPrice(world, list, { ...none, kind: 'refund', basisPoints: 5 }), /not_valid/);
    await assert.rejects(addPrice(world, list, { ...none, kind: 'payout', channelId: methods.card.id }), /not_valid/);
    await assert.rejects(
      addPrice(world, list, { ...none, kind: 'payment', minimumMinor: 5n, maximumMinor: 4n }),
      /not_valid/,
    );
    await assert.rejects(addPrice(world, world.ids.ulid(), { ...none, kind: 'payment' }), /not_found/);
    await assert.rejects(createPriceList(world, `List ${lists}`), /not_valid/);
  });

  // Guarantee: merchants see what they pay, and nothing of others.
  test('GET /prices', async () => {
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 150, refundFeeMinor: 100n });
    const ask = async () => (await service.ask('GET', '/prices', { token: merchant.token })).body.prices;
    const shown = async () =>
      (await ask()).map(({ priceId, validFrom, currency, ...price }: Record<string, unknown>) => {
        assert.ok(priceId && validFrom && currency === 'PLN');
        return price;
      });
    const bare = { channelId: null, percent: 0, fixed: 0, minimum: 0, maximum: null };
    assert.deepEqual(await shown(), [
      { ...bare, kind: 'payment', percent: 1.5 },
      { ...bare, kind: 'refund', fixed: 1 },
    ]);
    const list = await aList({ basisPoints: 90, maximumMinor: 500n }, { channelId: methods.card.id, basisPoints: 50 });
    await assignPriceList(service.world, merchant.id, list);
    assert.deepEqual(await shown(), [
      { ...bare, kind: 'payment', percent: 0.9, maximum: 5 },
      { ...bare, kind: 'payment', channelId: methods.card.id, percent: 0.5 },
      { ...bare, kind: 'refund', fixed: 1 },
    ]);
    assert.equal((await service.ask('GET', '/prices')).status, 401);
  });

  // Guarantee: an operator does all of it by command.
  test('by command', async () => {
    const merchant = await aMerchant(service);
    const environment = await settingsIn(service.world);
    const run = (...words: string[]) => runHere(['price', ...words], environment);
    const [id = ''] = (await run('create', 'By command')).stdout.split(' ');
    const added = await run('add', id, '--kind', 'payment', '--percent', '1.2', '--fixed', '0.30', '--maximum', '25');
    assert.match(added.stdout, /payment {2}every channel {2}1\.20 % \+ 0\.30, at most 25\.00/, added.stderr);
    assert.equal((await run('assign', merchant.id, id)).code, 0);
    assert.match((await run('show', merchant.id)).stdout, /now: payment {2}every channel {2}1\.20 %/);
    assert.match((await run('list')).stdout, /By command {2}1 accounts/);
    for (const words of [
      ['add', id, '--kind', 'gift'],
      ['add', id, '--kind', 'payment', '--percent', '101'],
      ['add', id, '--kind', 'payment', '--fixed', 'x'],
      ['add', 'x', '--kind', 'payment'],
      ['assign', merchant.id, service.world.ids.ulid()],
      ['create', 'By command'],
      [],
    ])
      assert.equal((await run(...words)).code, 1, `${words}`);
  });

  // Guarantee: whoever writes into the database cannot put an old price or list back, although it was signed once.
  test('are not put back', async () => {
    const { sql } = service.world.db;
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 500 });
    const list = await aList({ basisPoints: 500 });
    await assignPriceList(service.world, merchant.id, list);
    const [price] = await listPrices(sql, list);
    const [assigned] = await listAssignments(sql, merchant.id);
    assert.ok(price && assigned);
    const { vault } = service.world;
    assert.deepEqual([isPriceOf(vault, price), isPriceOf(vault, { ...price, id: price.id + 1n })], [true, false]);
    const again = { ...assigned, id: assigned.id + 1n };
    assert.deepEqual([isAssignmentOf(vault, assigned), isAssignmentOf(vault, again)], [true, false]);
    const copy = sql.run`
      insert into price (owner_id, kind, valid_from, basis_points, fixed_minor, minimum_minor, created_at, mac)
      select owner_id, kind, valid_from, basis_points, fixed_minor, minimum_minor, created_at, mac from price where id = ${price.id}`;
    await assert.rejects(copy, /price_mac/);
    const given = sql.run`
      insert into account_price_list (account_id, list_id, valid_from, created_at, mac)
      select account_id, list_id, valid_from, created_at, mac from account_price_list where id = ${assigned.id}`;
    await assert.rejects(given, /account_price_list_mac/);
  });

  // Guarantee: a fee that names no price is one of 0.
  test('are named by each fee', async () => {
    const { world } = service;
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, refundFeeMinor: 70n });
    const paid = await aPaidTransaction(service, merchant, { amount: 50 });
    await aRefund(service, merchant, paid, { amount: 5 });
    await settleAll(world);
    const codes = async () => [...new Set((await findingsOf(world)).map(({ code }) => code))].sort();
    assert.deepEqual(await codes(), []);
    const own = (table: string) =>
      `select price_id from ${table} where transaction_id = '${paid}' and price_id is not null`;
    for (const [table, code] of [
      ['charge', 'journal_unfounded'],
      ['refund', 'fee_differs_from_price'],
    ] as const) {
      const priceId = await world.db.sql.one((row) =>
        readBigint(row, 'price_id'),
      )`select max(price_id) as price_id from ${new SqlText(`(${own(table)}) as own`)}`;
      await damage(world, `update ${table} set price_id = null where transaction_id = '${paid}'`);
      assert.deepEqual(await codes(), [code]);
      await damage(world, `update ${table} set price_id = ${priceId} where transaction_id = '${paid}'`);
    }
    assert.deepEqual(await codes(), []);
  });

  // Guarantee: a price that nobody set, and a fee that is not that of its price, are named.
  test('are verified', async () => {
    const { world } = service;
    const merchant = await aMerchant(service, { paymentFeeBasisPoints: 300 });
    const list = await aList({ basisPoints: 100 });
    await assignPriceList(world, merchant.id, list);
    await pay(merchant, 10);
    await settleAll(world);
    assert.deepEqual(await findingsOf(world), []);
    const codes = async () => [...new Set((await findingsOf(world)).map(({ code }) => code))].sort();
    await damage(world, `update price set basis_points = 200 where owner_id = '${list}'`);
    assert.deepEqual(await codes(), ['journal_unfounded', 'price_changed']);
    await damage(world, `update price set basis_points = 100 where owner_id = '${list}'`);
    await damage(
      world,
      `update charge set price_id = (select id from price where owner_id = '${merchant.id}' and kind = 'payment')
      where merchant_id = '${merchant.id}'`,
    );
    assert.deepEqual(await codes(), ['journal_unfounded']);
    await damage(
      world,
      `update charge set price_id = (select id from price where owner_id = '${list}')
      where merchant_id = '${merchant.id}'`,
    );
    await damage(world, `update account_price_list set list_id = null where account_id = '${merchant.id}'`);
    assert.deepEqual(await codes(), ['journal_unfounded', 'price_list_changed']);
    await damage(world, `update account_price_list set list_id = '${list}' where account_id = '${merchant.id}'`);
    assert.deepEqual(await codes(), []);
  });
});
