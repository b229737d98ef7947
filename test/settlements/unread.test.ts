// Settlements of what is not all read yet, and files of more than one page.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { ledgerAccounts, post, sealJournals } from '../../src/ledger/index.ts';
import { askSettlements } from '../../src/settlements/index.ts';
import { runHere, settingsIn } from '../support/command.ts';
import { settleAll } from '../support/payments.ts';
import { cutPayouts } from '../support/rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await aService();
});

/** Journals about one account, in one database transaction. */
async function book({ id }: TestMerchant, kind: string, minors: readonly bigint[], payoutId?: string): Promise<void> {
  const { db, ids, clock } = service.world;
  const journals = minors.map((minor) => ({
    source: payoutId ?? ids.ulid(),
    kind,
    currency: 'PLN' as const,
    entries: [
      { account: ledgerAccounts.available(id), amountMinor: -minor },
      { account: ledgerAccounts.bankOwn, amountMinor: minor },
    ],
  }));
  await db.atomic(async (sql) => {
    if (payoutId) await askSettlements(sql, [{ accountId: id, payoutId }], clock.now());
    await post(sql, ids, journals, clock.now());
  });
}

const listOf = async ({ token }: TestMerchant) =>
  (await service.ask('GET', '/settlements', { token })).body.settlements;

suite('settlements', () => {
  // Guarantee: none is cut before all of its lines are known.
  test('of a journal that is sealed and not read', async () => {
    const merchant = await aMerchant(service);
    await book(merchant, 'gift', [500n]);
    service.world.clock.advance({ seconds: 1 });
    await book(merchant, 'payout created', [-200n], service.world.ids.ulid());
    assert.equal(await cutPayouts(service.world), 0);
    await sealJournals(service.world);
    assert.equal(await cutPayouts(service.world), 0);
    assert.deepEqual(await listOf(merchant), []);
    await settleAll(service.world);
    const [only] = await listOf(merchant);
    assert.deepEqual([only.lines, only.other, only.closing], [2, 3, 3]);
  });

  // Guarantee: nor the settlement of a month, after the service was away while it began.
  test('of a month whose last journals are not sealed or not read', async () => {
    const { clock } = service.world;
    const merchant = await aMerchant(service);
    clock.set('2027-02-20T10:00:00Z');
    await settleAll(service.world);
    await book(merchant, 'gift', [500n]);
    clock.set('2027-03-01T12:01:00Z');
    await cutPayouts(service.world);
    await sealJournals(service.world);
    await cutPayouts(service.world);
    assert.deepEqual(await listOf(merchant), []);
    await settleAll(service.world);
    const [only] = await listOf(merchant);
    assert.deepEqual([only.reason, only.closing], ['month', 5]);
  });

  // Guarantee: a file has every line once, however many there are.
  test('a file of several pages', async () => {
    const merchant = await aMerchant(service);
    const minors = Array.from({ length: 2_250 }, (_, index) => BigInt(index + 1));
    await book(merchant, 'gift', minors);
    await settleAll(service.world);
    const [made] = (await service.rooms.settlements.cut([merchant.id])) ?? [];
    const headers = { accept: 'text/csv' };
    const { text } = await service.ask('GET', `/settlements/${made?.id}/lines`, { token: merchant.token, headers });
    const rows = text.trim().split('\r\n').slice(1);
    const amounts = rows.map((row) => BigInt(row.split(',')[6]?.replace('.', '') ?? ''));
    assert.equal(amounts.length, minors.length);
    assert.deepEqual(
      amounts.toSorted((one, other) => Number(one - other)),
      minors,
    );
  });

  // Guarantee: an operator makes and lists them by command, of one account or of all.
  test('by command', async () => {
    const [merchant, other] = [await aMerchant(service), await aMerchant(service)];
    for (const one of [merchant, other]) await book(one, 'gift', [700n]);
    const environment = await settingsIn(service.world);
    const run = (...words: string[]) => runHere(['settlement', ...words], environment);
    const none = await run('list', merchant.id);
    assert.match(none.stdout, /There are none/);
    assert.match((await run('cut', merchant.id)).stdout, /Made 1 settlements/);
    assert.match((await run('list', merchant.id)).stdout, /no\. 1 {2}command {2}0\.00 -> 7\.00 {2}1 lines/);
    assert.deepEqual(await listOf(other), []);
    const all = await run('cut');
    assert.equal(all.code, 0, all.stderr);
    assert.deepEqual(
      (await listOf(other)).map(({ closing }: { closing: number }) => closing),
      [7],
    );
    assert.equal((await listOf(merchant)).length, 1);
    for (const words of [[], ['cut', 'x'], ['list'], ['pay']]) assert.equal((await run(...words)).code, 1, `${words}`);
  });
});
