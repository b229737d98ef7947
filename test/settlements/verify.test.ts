// What `verify` says about settlements that somebody changed.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { ledgerAccounts, post } from '../../src/ledger/index.ts';
import { askSettlements } from '../../src/settlements/index.ts';
import { verifySettlements } from '../../src/settlements/verify.ts';
import { damage } from '../support/damage.ts';
import { settleAll } from '../support/payments.ts';
import { aPayoutAccount, aPayout as paid } from '../support/payouts.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

let service: Service;
let merchant: TestMerchant;

async function aPayout(): Promise<void> {
  const { db, ids, clock } = service.world;
  const payoutId = ids.ulid();
  clock.advance({ seconds: 1 });
  const { available, bankOwn } = ledgerAccounts;
  const moved = (source: string, kind: string, minor: bigint) => ({
    source,
    kind,
    currency: 'PLN' as const,
    entries: [
      { account: available(merchant.id), amountMinor: -minor },
      { account: bankOwn, amountMinor: minor },
    ],
  });
  await db.atomic(async (sql) => {
    await askSettlements(sql, [{ accountId: merchant.id, payoutId }], clock.now());
    await post(sql, ids, [moved(ids.ulid(), 'gift', 500n)], clock.now());
    await post(sql, ids, [moved(payoutId, 'payout created', -300n)], clock.now().add({ seconds: 1 }));
  });
  clock.advance({ seconds: 2 });
  await settleAll(service.world);
}

before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
  for (let count = 0; count < 3; count += 1) await aPayout();
});

const idOf = (number: number) =>
  service.world.db.sql.one((row) => readText(row, 'id'))`
    select id from settlement where account_id = ${merchant.id} and number = ${number}`;

/** What verify finds after a change, which is undone. */
async function foundAfter(statement: string, undo: string) {
  await damage(service.world, statement);
  try {
    return (await verifySettlements(whole(service.world))).map(({ code, parameters }) => [code, parameters]);
  } finally {
    await damage(service.world, undo);
  }
}

suite('verify', () => {
  // Guarantee: a settlement that is gone or was changed is named.
  test('what is wrong with settlements', async () => {
    assert.deepEqual(await verifySettlements(whole(service.world)), []);
    const [first, second, third] = [await idOf(1), await idOf(2), await idOf(3)];
    await damage(service.world, 'create table kept as select * from settlement');
    const back = 'insert into settlement select * from kept on conflict do nothing';
    assert.deepEqual(await foundAfter(`delete from settlement where id = '${second}'`, back), [
      ['settlement_gap', { id: third }],
    ]);
    assert.deepEqual(await foundAfter(`delete from settlement where id = '${third}'`, back), [
      ['settlement_end_differs', { accountId: merchant.id }],
    ]);
    assert.deepEqual(
      await foundAfter(
        `update settlement set amount_minor = amount_minor + 1, other_minor = other_minor - 1 where id = '${first}'`,
        `update settlement set amount_minor = amount_minor - 1, other_minor = other_minor + 1 where id = '${first}'`,
      ),
      [['settlement_differs', { id: first }]],
    );
    const payout = `(select payout_id from kept where id = '${first}')`;
    const other = service.world.ids.ulid();
    assert.deepEqual(
      await foundAfter(
        `update settlement set payout_id = '${other}' where id = '${first}'`,
        `update settlement set payout_id = ${payout} where id = '${first}'`,
      ),
      [['settlement_without_payout', { id: first }]],
    );
    assert.deepEqual(
      await foundAfter(
        `insert into settlement_wanted values ('${other}', '${merchant.id}', '2020-01-01Z')`,
        'delete from settlement_wanted',
      ),
      [['settlement_overdue', { payoutId: other }]],
    );
    assert.deepEqual(await verifySettlements(whole(service.world)), []);
  });

  // Guarantee: a payout that never gets a settlement is named: the request for it was removed, or the settlement with the end of
  // its account.
  test('payouts without a settlement', async () => {
    const payee = await aMerchant(service);
    await fund(service, payee, 10_000n);
    await aPayoutAccount(service, payee);
    const { id } = await paid(service, payee, 1_000n);
    const missing = [['settlement_missing', { payoutId: id }]];
    await damage(service.world, 'create table wanted as select * from settlement_wanted');
    const again = 'insert into settlement_wanted select * from wanted';
    assert.deepEqual(await foundAfter('delete from settlement_wanted', again), missing);
    service.world.clock.advance({ seconds: 2 });
    await settleAll(service.world);
    assert.deepEqual(await verifySettlements(whole(service.world)), []);
    await damage(service.world, 'create table ends as select * from settlement_last');
    await damage(service.world, `create table cuts as select * from settlement where account_id = '${payee.id}'`);
    const gone = (table: string) => `delete from ${table} where account_id = '${payee.id}'`;
    const removed = await foundAfter(
      `with cut as (${gone('settlement')}) ${gone('settlement_last')}`,
      `with cut as (insert into settlement select * from cuts)
       insert into settlement_last select * from ends where account_id = '${payee.id}'`,
    );
    assert.deepEqual(removed, missing);
  });

  // Guarantee: an account whose month was left out is named, and months that are said to be done before they begin.
  test('a month that is left out', async () => {
    const { world } = service;
    const payee = await aMerchant(service);
    await fund(service, payee, 10_000n);
    await settleAll(world);
    const month = (day: string) =>
      `update settlement_month set month = '${day}', first_month = '2026-01-01', after_id = null`;
    const found = await foundAfter(month('2030-01-01'), month('2026-01-01'));
    assert.deepEqual(found.at(-1), ['settlement_month_ahead', { month: '2030-01-01' }]);
    const left = found.filter(([code]) => code === 'settlement_month_missing');
    assert.deepEqual(left.at(-1), ['settlement_month_missing', { accountId: payee.id, month: '2030-01-01' }]);
    assert.deepEqual(await verifySettlements(whole(world)), []);
  });

  // Guarantee: the schema itself refuses a settlement that is changed, or does not begin where the one before it ended.
  test('what the schema refuses', async () => {
    const { sql } = service.world.db;
    await assert.rejects(sql.run`update settlement set lines = 7`);
    await assert.rejects(sql.run`delete from settlement`);
    const next = (after: string, opening: string) =>
      sql.run([
        `insert into settlement
       select '${service.world.ids.ulid()}', account_id, 4, 3, ${after}, until_position + 5, ${opening}, 1, 0, 0, 0, 0, ${opening},
              first_at, last_at, 'command', null, created_at from settlement where number = 3`,
      ] as unknown as TemplateStringsArray);
    await assert.rejects(next('until_position + 1', 'closing_minor'), { constraint: 'settlement_continues' });
    await assert.rejects(next('until_position', 'closing_minor + 1'), { constraint: 'settlement_continues' });
  });
});
