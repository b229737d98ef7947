// The demo shop's receiver: what makes an order paid, and what does not although the service signed it.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, suite, test } from 'node:test';
import { Grosz } from '../../examples/shop/grosz.ts';
import { openNotifications } from '../../examples/shop/notifications.ts';
import { Orders } from '../../examples/shop/orders.ts';
import { Subscriptions } from '../../examples/shop/subscriptions.ts';
import { money } from '../../src/kernel/index.ts';
import { insertEvents, type TransactionNotificationData } from '../../src/notifications/index.ts';
import { aReceiver } from '../support/receiver.ts';
import {
  aNotificationService,
  anAccount,
  anEvent,
  aTransactionPayload,
  type Stage,
  type TestAccount,
} from './support.ts';

suite('the demo shop', () => {
  let stage: Stage;
  let account: TestAccount;
  let orders: Orders;
  let receive: ReturnType<typeof openNotifications>;
  const title = 'TR-7X2M-Q4K9ZP1';

  before(async () => {
    const service = await aNotificationService();
    stage = service.stage;
    // The shop uses the real time, and fetches the certificates from the service.
    stage.world.wall.set(Temporal.Now.instant().toString());
    account = await anAccount(stage.world);
    const db = new DatabaseSync(':memory:');
    orders = new Orders(db);
    const access = { baseUrl: service.url, clientId: '', clientSecret: '' };
    const secrets = {
      baseUrl: stage.world.config.baseUrl,
      id: account.id,
      merchantNumber: account.merchantNumber,
      webhookSecret: account.webhookSecret.reveal(),
      securityCode: account.securityCode.reveal(),
    };
    const fetchPem = async (url: string) => (await service.ask('GET', new URL(url).pathname)).text;
    const subscriptions = new Subscriptions(db, new Grosz(access), service.url);
    receive = openNotifications(secrets, orders, subscriptions, () => new Date(), fetchPem);
  });

  /** An order of 123.45 whose transaction was created. */
  function anOrder(id: string): void {
    const createdAt = '2026-03-10T09:00:00Z';
    orders.insert({
      id,
      createdAt,
      email: 'jan.nowak@example.com',
      items: '1 Sencha',
      totalGrosz: 12_345,
      way: 'blik',
    });
    orders.saveTransaction(id, { transactionId: id, title, transactionPaymentUrl: 'https://pay.example.com/' });
  }

  /** Makes the service send a notification of this account, and passes it to the shop; returns the shop's response. */
  async function sent(
    by: TestAccount,
    data: Partial<TransactionNotificationData>,
  ): Promise<{ status: number; text: string }> {
    const receiver = await aReceiver();
    const event = anEvent(stage.world, by.id, receiver.url, aTransactionPayload(by, data));
    await insertEvents(stage.world.db.sql, stage.world.vault, [event]);
    await stage.sender().drain();
    const { headers, body } = receiver.received[0] ?? assert.fail('Nothing came.');
    return receive({ headers, body: Buffer.from(body) });
  }

  // Guarantee: a payment of the full amount to the shop's own account makes the order paid.
  test('a payment of the order', async () => {
    anOrder('PAID');
    assert.deepEqual(await sent(account, { hiddenDescription: 'PAID' }), { status: 200, text: 'TRUE' });
    assert.equal(orders.find('PAID')?.status, 'paid');
  });

  // Guarantee: a declined attempt does not end an order, and a decline that comes late takes no payment back.
  test('declined, then paid, then a decline that was on its way', async () => {
    anOrder('AGAIN');
    const declined = { hiddenDescription: 'AGAIN', status: 'FALSE', error: 'wrong_code' } as const;
    await sent(account, { ...declined, paid: money(0n, 'PLN') });
    assert.equal(orders.find('AGAIN')?.status, 'failed');
    await sent(account, { hiddenDescription: 'AGAIN' });
    await sent(account, { ...declined, paid: money(0n, 'PLN') });
    assert.equal(orders.find('AGAIN')?.status, 'paid');
  });

  // Guarantee: a payment to another account, of another amount or of another transaction does not pay an order.
  test('a payment to another account that names the order', async () => {
    anOrder('FOREIGN');
    const attacker = await anAccount(stage.world);
    assert.equal((await sent(attacker, { hiddenDescription: 'FOREIGN' })).status, 400);
    assert.equal(orders.find('FOREIGN')?.status, 'new');
  });
  const others: [name: string, data: Partial<TransactionNotificationData>][] = [
    ['LESS', { amount: money(100n, 'PLN'), paid: money(100n, 'PLN') }],
    ['UNDERPAID', { paid: money(100n, 'PLN') }],
    ['OTHER', { title: 'TR-0000-0000000' }],
    ['OTHERFALSE', { title: 'TR-0000-0000000', status: 'FALSE' }],
    ['OTHERBACK', { title: 'TR-0000-0000000', status: 'CHARGEBACK' }],
  ];
  for (const [id, data] of others) {
    test(`a genuine notification that does not fit the order: ${id}`, async () => {
      anOrder(id);
      assert.equal((await sent(account, { ...data, hiddenDescription: id })).status, 200);
      assert.equal(orders.find(id)?.status, 'new');
      assert.equal(orders.listArrived(id).length, 1, 'kept for the merchant to look at');
    });
  }
});
