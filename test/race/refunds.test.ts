// Concurrent refunds, on one node and on two. Every test ends with the invariants.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Database } from '../../src/database/index.ts';
import { knownId } from '../../src/kernel/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { openCreate } from '../../src/refunds/create.ts';
import { aPaidTransaction, checkInvariants, passTime, settleAll, show } from '../support/payments.ts';
import { aRefund, fund, refund } from '../support/refunds.ts';
import { type Answer, aMerchant, aService, atEnd, faultsOf, type Service, serve } from '../support/service.ts';

suite('races', () => {
  /** Two nodes on one database. */
  let service: Service;
  let second: Service;

  before(async () => {
    service = await aService();
    const db = new Database({ url: service.world.databaseUrl, applicationName: 'second node' });
    atEnd(() => db.close());
    second = await serve({ ...service.world, db });
  });
  after(() => checkInvariants(service.world));

  const node = (index: number) => (index % 2 === 0 ? service : second);
  const counts = (answers: readonly Answer[]) =>
    Object.fromEntries(
      Object.entries(
        Object.groupBy(answers, (answer) => (answer.status === 200 ? 'made' : faultsOf(answer).join())),
      ).map(([name, ones]) => [name, ones?.length ?? 0]),
    );
  const balanceOf = (id: Parameters<typeof ledgerAccounts.available>[0]) =>
    findBalance(service.world.db.sql, ledgerAccounts.available(id));

  // Guarantee: the sum of refunds never exceeds what was paid, whatever runs at the same time.
  test('20 concurrent refunds of 60 %: one is made', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    for (let round = 0; round < 5; round += 1) {
      const id = await aPaidTransaction(service, merchant, { amount: 100 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => refund(node(index), merchant, id, { amount: 60 })),
      );
      assert.deepEqual(counts(answers), { made: 1, refund_exceeds_paid: 19 });
    }
  });

  test('20 concurrent full refunds: one is made', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    const id = await aPaidTransaction(service, merchant, { amount: 100 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => refund(node(index), merchant, id, {})));
    assert.deepEqual(counts(answers), { made: 1, already_refunded: 19 });
  });

  // Guarantee: concurrent {} and {amount} never take more than was paid, and {} takes exactly the rest.
  test('full against partial', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    for (let round = 0; round < 10; round += 1) {
      const id = await aPaidTransaction(service, merchant, { amount: 100 });
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) => refund(node(index), merchant, id, index === 3 ? {} : { amount: 30 })),
      );
      const made = answers.filter(({ status }) => status === 200);
      assert.ok(made.length >= 1 && made.length <= 4);
      const { body } = await service.ask('GET', `/transactions/${id}/refunds`, { token: merchant.token });
      const sum = body.refundsList.reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
      assert.ok(sum <= 100);
      assert.equal(body.status === 'refund', answers[3]?.status === 200);
      if (body.status === 'refund') assert.equal(sum, 100);
    }
  });

  // Guarantee: of two refunds with a balance for one, exactly one is made, to the grosz.
  test('a balance for one of two', async () => {
    for (let round = 0; round < 10; round += 1) {
      const merchant = await aMerchant(service, { refundFeeMinor: 5_000n });
      const ids = [
        await aPaidTransaction(service, merchant, { amount: 50 }),
        await aPaidTransaction(service, merchant, { amount: 50 }),
      ];
      const answers = await Promise.all(ids.map((id, index) => refund(node(index), merchant, id, {})));
      assert.deepEqual(counts(answers), { made: 1, insufficient_funds: 1 });
      assert.equal(await balanceOf(merchant.id), 0n);
    }
  });

  // Guarantee: refunds that are decided together see what those before them took: of the transaction, and amount and fee of
  // the balance. What does not fit is refused alone, with its own reason.
  test('decided together', async () => {
    const sets: number[] = [];
    const { db } = service.world;
    const joined: typeof db.joined = (statement) =>
      db.joined({
        ...statement,
        execute: (sql, rows) => {
          sets.push(rows.length);
          return statement.execute(sql, rows);
        },
      });
    const decide = openCreate({ ...service.world, db: Object.create(db, { joined: { value: joined } }) });
    const merchant = await aMerchant(service, { refundFeeMinor: 100n });
    const [one, other] = [
      await aPaidTransaction(service, merchant, { amount: 10 }),
      await aPaidTransaction(service, merchant, { amount: 10 }),
    ];
    const stranger = await aMerchant(service);
    const outcomes = await Promise.all(
      (
        [
          [one, 600n],
          [one, 600n],
          [other, 1_000n],
          [one, 200n],
          [other, 1n],
          [one, 1n, stranger],
        ] as const
      ).map(([transactionId, amountMinor, asker = merchant]) =>
        decide({
          id: knownId(service.world.ids.ulid()),
          transactionId: knownId(transactionId),
          merchantId: asker.id,
          requested: { kind: 'partial', amountMinor },
        }),
      ),
    );
    // 20.00 on the balance: 7.00, then 11.00, and 2.00 are left for what needs 3.00; without the fees it would be there.
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'made' ? 'made' : outcome.why.code)),
      ['made', 'refund_exceeds_paid', 'made', 'insufficient_funds', 'refund_exceeds_paid', 'not_found'],
    );
    assert.equal(await balanceOf(merchant.id), 200n);
    assert.deepEqual(sets, [6], 'decided once: the schema refused nothing');
  });

  // Guarantee: if everything is refunded twice concurrently, exactly half is made, and the ledger is at zero.
  test('everything twice', async () => {
    const merchant = await aMerchant(service);
    const ids: string[] = [];
    for (let index = 0; index < 40; index += 1) {
      ids.push(await aPaidTransaction(service, merchant, { amount: 10 + index }));
    }
    const answers = await Promise.all(
      [...ids, ...ids.toReversed()].map((id, index) => refund(node(index), merchant, id, {})),
    );
    assert.deepEqual(counts(answers), { made: 40, already_refunded: 40 });
    assert.equal(await balanceOf(merchant.id), 0n);
    await passTime(service.world, { minutes: 1 });
    const net = service.world.bank.record().netMinor;
    const keys = await service.world.db.sql.many((row) => String(row.charge_key))`
      select charge_key from outgoing_refund where merchant_id = ${merchant.id}`;
    assert.equal(keys.length, 40);
    for (const key of keys) assert.equal(net.get(key), 0n);
  });

  // Guarantee: a refused refund does not affect the others in its batch.
  test('good and bad ones together', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) ids.push(await aPaidTransaction(service, merchant, { amount: 10 }));
    const answers = await Promise.all(
      ids.flatMap((id) => [
        refund(service, merchant, id, { amount: 11 }),
        refund(service, merchant, id, { amount: 10 }),
        refund(service, merchant, '01K9Z4M7Q2V5X8B1C3D6F9G0HJ', {}),
      ]),
    );
    assert.deepEqual(counts(answers), { made: 20, refund_exceeds_paid: 20, not_found: 20 });
  });

  // Guarantee: a refund is either canceled or sent, never both: it was sent or the money was returned.
  test('cancel against sending', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 1_000_000n);
    for (let round = 0; round < 10; round += 1) {
      const id = await aPaidTransaction(service, merchant, { amount: 10 });
      const refundId = await aRefund(service, merchant, id);
      await service.ask('POST', `/refunds/${refundId}/hold`, { token: merchant.token });
      const change = (verb: string, of: Service) =>
        of.ask('POST', `/refunds/${refundId}/${verb}`, { token: merchant.token });
      const [, canceled] = await Promise.all([
        change('release', second),
        change('cancel', service),
        settleAll(service.world),
      ]);
      await passTime(service.world, { minutes: 1 });
      const status = (await service.ask('GET', `/refunds/${refundId}`, { token: merchant.token })).body.status;
      assert.equal(status, canceled.status === 200 ? 'Cancel' : 'BLIK_processed');
      assert.equal((await show(service, merchant, id)).body.status, canceled.status === 200 ? 'paid' : 'refund');
    }
  });

  // Guarantee: refunds and payments of one merchant wait for each other and never deadlock.
  test('refunds during payments', async () => {
    const merchant = await aMerchant(service, { refundFeeMinor: 10n, paymentFeeMinor: 5n });
    await fund(service, merchant, 100_000n);
    const paid = await Promise.all(
      Array.from({ length: 20 }, () => aPaidTransaction(service, merchant, { amount: 20 })),
    );
    const [answers] = await Promise.all([
      Promise.all(
        paid.flatMap((id, index) => [
          refund(node(index), merchant, id, { amount: 5 }),
          refund(node(index + 1), merchant, id, { amount: 5 }),
        ]),
      ),
      Promise.all(Array.from({ length: 20 }, () => aPaidTransaction(second, merchant, { amount: 20 }))),
      settleAll(service.world),
    ]);
    assert.deepEqual(counts(answers), { made: 40 });
  });

  // Guarantee: the same idempotency key at two nodes concurrently refunds once.
  test('one key on two nodes', async () => {
    const merchant = await aMerchant(service);
    await fund(service, merchant, 100_000n);
    const id = await aPaidTransaction(service, merchant, { amount: 20 });
    const headers = { 'idempotency-key': 'one' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        node(index).ask('POST', `/transactions/${id}/refunds`, {
          token: merchant.token,
          body: { amount: 5 },
          headers,
        }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
    const { body } = await service.ask('GET', `/transactions/${id}/refunds`, { token: merchant.token });
    assert.equal(body.total, 1);
  });
});
