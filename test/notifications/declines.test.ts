// Notifications of declined attempts, for accounts that want them.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { changeAccount } from '../../src/accounts/index.ts';
import { readText } from '../../src/database/index.ts';
import { aChild, aPartner, aSplit, paySplit } from '../support/marketplace.ts';
import { aPerson } from '../support/panel.ts';
import { aTransaction, checkInvariants, passTime, payBlik, settleAll } from '../support/payments.ts';
import { aReceiver, type Receiver } from '../support/receiver.ts';
import { aMerchant, aNode, aService, type Service, serve, type TestMerchant } from '../support/service.ts';

suite('notifications of declined attempts', () => {
  let service: Service;
  let merchant: TestMerchant;
  let receiver: Receiver;

  before(async () => {
    service = await aService();
    receiver = await aReceiver();
    merchant = await aMerchant(service, { declineNotifications: true, notificationUrl: receiver.url });
  });
  after(() => checkInvariants(service.world));

  /** The clock stands still: sorted by what they say. */
  const notified = (id: string) =>
    service.world.db.sql.many((row) => {
      const fields = new URLSearchParams(readText(row, 'body'));
      return ['tr_status', 'tr_error', 'tr_channel', 'tr_paid'].map((name) => fields.get(name)).join(' ');
    })`select body from event where subject_id = ${id} and not sealed order by substring(body from 'tr_status.*')`;
  const cancel = (id: string) => service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
  const payTransfer = (id: string) =>
    service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: { channelId: 21 } });

  // Guarantee: each declined attempt is told once with its reason and channel, then the success.
  test('declined at once, twice, then paid', async () => {
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id, '111111');
    await payBlik(service, merchant, id, '222222');
    await payBlik(service, merchant, id);
    assert.deepEqual(await notified(id), [
      'FALSE insufficient_funds 64 0.00',
      'FALSE wrong_code 64 0.00',
      'TRUE none 64 10.01',
    ]);
  });

  // Guarantee: a decline that comes later, by callback or lookup, is delivered like any notification.
  test('declined later', async () => {
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id, '500000');
    assert.deepEqual(await notified(id), []);
    await passTime(service.world, { minutes: 3 });
    assert.deepEqual(await notified(id), ['FALSE timed_out 64 0.00']);
    await settleAll(service.world);
    const bodies = receiver.received.map(({ body }) => new URLSearchParams(body).get('tr_error'));
    assert.ok(bodies.includes('timed_out'));
  });

  // Guarantee: nodes that settle the same decline at once tell it once.
  test('two nodes learn of the same decline', async () => {
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id, '500000');
    const node = await serve(await aNode(service.world));
    await Promise.all([passTime(service.world, { minutes: 3 }), settleAll(node.world)]);
    assert.deepEqual(await notified(id), ['FALSE timed_out 64 0.00']);
  });

  // Guarantee: a cancellation after it, by the merchant or because time ran out, tells nothing a second time.
  test('declined, then canceled or expired', async () => {
    const canceled = await aTransaction(service, merchant);
    await payBlik(service, merchant, canceled, '111111');
    await cancel(canceled);
    assert.deepEqual(await notified(canceled), ['FALSE wrong_code 64 0.00']);
    const expired = await aTransaction(service, merchant);
    await payBlik(service, merchant, expired, '111111');
    await passTime(service.world, { days: 32 });
    assert.deepEqual(await notified(expired), ['FALSE wrong_code 64 0.00']);
  });

  // Guarantee: the attempt's own channel is named, and an attempt that is only canceled was not declined.
  test('an older attempt is declined after a newer one began', async () => {
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id, '500000');
    await payTransfer(id);
    await passTime(service.world, { minutes: 3 });
    assert.deepEqual(await notified(id), ['FALSE timed_out 64 0.00']);
    await cancel(id);
    await passTime(service.world, { minutes: 1 });
    assert.deepEqual(await notified(id), ['FALSE timed_out 64 0.00']);
  });

  // Guarantee: whoever was told of the success is not told of a decline.
  test('declined after another attempt paid', async () => {
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id, '500000');
    await payBlik(service, merchant, id);
    await passTime(service.world, { minutes: 3 });
    assert.deepEqual(await notified(id), ['TRUE none 64 10.01']);
  });

  // Guarantee: the marketplace has only the notification that it is paid.
  test('marketplace', async () => {
    const partner = await aPartner(service, [{}]);
    await changeAccount(service.world, partner.id, { declineNotifications: true });
    const id = await aSplit(service, partner, [aChild(partner, 0, 1_000)]);
    await paySplit(service, partner, id, { blikPaymentData: { blikToken: '111111' } });
    assert.deepEqual(await notified(id), []);
  });
});

suite('the switch', () => {
  // Guarantee: off unless somebody switches it on, in the panel or by an operator; what was not told then is told by the
  // cancellation.
  test('off, on, and off again between the attempts of one transaction', async () => {
    const service = await aService();
    const merchant = await aMerchant(service);
    const owner = await aPerson(service, 'owner', merchant.id);
    const events = (id: string) =>
      service.world.db.sql.many((row) => new URLSearchParams(readText(row, 'body')).get('tr_error'))`
        select body from event where subject_id = ${id} order by substring(body from 'tr_error=.*')`;
    const set = async (declineNotifications: boolean) => {
      const { status, body } = await owner.ask('POST', '/panel/api/settings', { body: { declineNotifications } });
      assert.deepEqual([status, body.settings.declineNotifications], [200, declineNotifications]);
    };
    assert.equal((await owner.ask('GET', '/panel/api/settings')).body.settings.declineNotifications, false);
    const [first, second] = [await aTransaction(service, merchant), await aTransaction(service, merchant)];
    const decline = (id: string) => payBlik(service, merchant, id, '111111');
    const cancel = (id: string) => service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    await decline(first);
    await decline(second);
    await set(true);
    await decline(first);
    assert.deepEqual(await events(first), ['wrong_code']);
    await set(false);
    await decline(first);
    assert.deepEqual(await events(first), ['wrong_code']);
    // The last decline was not told when it happened.
    await cancel(first);
    await set(true);
    await cancel(second);
    assert.deepEqual([await events(first), await events(second)], [['none', 'wrong_code'], ['none']]);
  });
});
