// Refunds, disputes, payouts, the statement and webhooks of the fake, with the official SDK as the client.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, suite, test } from 'node:test';
import { Stripe } from 'stripe';
import { aClient, confirmBlik, draft, paid, refusal } from '../../../test/support/fake-stripe-client.ts';

/** The object that was put in the place of an id. */
const expanded = <Kind>(value: string | object | null | undefined) => value as Kind;
const intentOf = ({ id }: Stripe.PaymentIntent) => ({ payment_intent: id });

async function linesOf(stripe: Stripe): Promise<string[]> {
  const { data } = await stripe.balanceTransactions.list({ limit: 100 });
  return data.map(({ type, amount, fee }) => `${type} ${amount} ${fee}`);
}

suite('refunds', async () => {
  const client = await aClient();
  const { stripe } = client;

  // Guarantee: no more than was paid goes back.
  test('in parts, never more than was paid', async () => {
    const intent = await paid(stripe);
    const first = await stripe.refunds.create({ ...intentOf(intent), amount: 4_000, metadata: { grosz_key: 'r1' } });
    assert.equal(first.status, 'succeeded');
    const more = await refusal(stripe.refunds.create({ ...intentOf(intent), amount: 6_001 }));
    assert.deepEqual([more.statusCode, more.code], [400, 'amount_too_large']);
    await stripe.refunds.create(intentOf(intent));
    assert.equal((await refusal(stripe.refunds.create(intentOf(intent)))).code, 'charge_already_refunded');
    const listed = await stripe.refunds.list({ ...intentOf(intent), limit: 100 });
    assert.deepEqual(
      listed.data.map(({ amount }) => amount),
      [6_000, 4_000],
    );
    assert.deepEqual(listed.data[1]?.metadata, { grosz_key: 'r1' });
    const unpaid = await draft(stripe, 'card');
    assert.equal((await refusal(stripe.refunds.create(intentOf(unpaid)))).statusCode, 400);
  });

  test('that wait, and are canceled', async () => {
    const intent = await paid(stripe, 'pm_card_pendingRefund');
    const refund = await stripe.refunds.create({ ...intentOf(intent), amount: 1_000 });
    assert.deepEqual([refund.status, refund.pending_reason], ['pending', 'processing']);
    client.wait(3_600);
    assert.equal((await stripe.refunds.retrieve(refund.id)).status, 'succeeded');
    const other = await stripe.refunds.create({ ...intentOf(intent), amount: 1_000 });
    assert.equal((await stripe.refunds.cancel(other.id)).status, 'canceled');
    assert.equal((await refusal(stripe.refunds.cancel(refund.id))).statusCode, 400);
  });

  // Guarantee: a refund can fail long after it was paid; its money returns to the balance as a line of its own.
  test('that fail a month after they were paid', async () => {
    await client.control('/settings', { refundOutcome: 'fails later', refundSeconds: 30 * 86_400 });
    const { id } = await draft(stripe, 'blik');
    await confirmBlik(stripe, id);
    client.wait(5);
    const refund = await stripe.refunds.create({ payment_intent: id, amount: 3_000 });
    assert.equal(refund.status, 'succeeded');
    assert.match(refund.id, /^pyr_/);
    // A misspelled outcome is no failure of the refund.
    await assert.rejects(client.control('/refunds', { refund: refund.id, outcome: 'faild' }), /succeeded or failed/);
    assert.equal((await stripe.refunds.retrieve(refund.id)).status, 'succeeded');
    client.wait(30 * 86_400);
    const failed = await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] });
    assert.equal(failed.status, 'failed');
    const line = failed.failure_balance_transaction as Stripe.BalanceTransaction;
    assert.deepEqual([line.type, line.amount, line.source], ['refund_failure', 3_000, refund.id]);
    const events = await stripe.events.list({ type: 'refund.failed' });
    assert.equal(expanded<Stripe.Refund>(events.data[0]?.data.object).id, refund.id);
    await client.control('/settings', { refundOutcome: 'succeeded' });
    assert.equal((await stripe.refunds.create({ payment_intent: id })).amount, 10_000);
  });

  test('without an available balance cards wait and others are refused', async () => {
    const poor = await aClient({ settings: { refundsNeedBalance: true } });
    const card = await paid(poor.stripe);
    const waiting = await poor.stripe.refunds.create(intentOf(card));
    assert.deepEqual([waiting.status, waiting.pending_reason], ['pending', 'insufficient_funds']);
    const { id } = await draft(poor.stripe, 'blik');
    await confirmBlik(poor.stripe, id);
    poor.wait(5);
    assert.equal((await refusal(poor.stripe.refunds.create({ payment_intent: id }))).code, 'balance_insufficient');
  });
});

suite('disputes and payouts', async () => {
  const client = await aClient();
  const { stripe } = client;

  // Guarantee: a dispute takes amount and fee; winning returns the amount.
  test('a dispute, won; another, lost', async () => {
    for (const outcome of ['won', 'lost'] as const) {
      const intent = await paid(stripe, 'pm_card_createDispute');
      client.wait(1);
      const [dispute] = (await stripe.disputes.list(intentOf(intent))).data;
      assert.equal(dispute?.status, 'needs_response');
      assert.equal((await refusal(stripe.refunds.create(intentOf(intent)))).code, 'charge_disputed');
      await client.control('/disputes', { dispute: dispute?.id, outcome });
      const closed = await stripe.disputes.retrieve(dispute?.id ?? '');
      const moved = closed.balance_transactions.map((one) => `${one.reporting_category} ${one.net}`);
      const back = outcome === 'won' ? ['dispute_reversal 10000'] : [];
      assert.deepEqual(moved, ['dispute -17000', ...back]);
    }
    const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
    for (const type of ['created', 'closed', 'funds_withdrawn', 'funds_reinstated'])
      assert.ok(types.includes(`charge.dispute.${type}` as Stripe.Event['type']), type);
  });

  // Guarantee: the lines of an automatic payout are found by it, and one that fails comes back.
  test('a payout, and one that comes back', async () => {
    const own = await aClient();
    await paid(own.stripe);
    await own.control('/lines', { type: 'stripe_fee', amount: -500, description: 'Radar' });
    own.wait(4 * 86_400);
    const { id } = (await own.control('/payouts')) as unknown as Stripe.Payout;
    const lines = await own.stripe.balanceTransactions.list({ payout: id, expand: ['data.source'] });
    assert.deepEqual(
      lines.data.map(({ type, net }) => `${type} ${net}`),
      ['payout -9250', 'stripe_fee -500', 'charge 9750'],
    );
    assert.equal(expanded<Stripe.Charge>(lines.data[2]?.source).object, 'charge');
    own.wait(2 * 86_400);
    assert.equal((await own.stripe.payouts.retrieve(id)).status, 'paid');
    await own.control('/payouts', { payout: id });
    const failed = await own.stripe.payouts.retrieve(id);
    assert.deepEqual([failed.status, failed.failure_code], ['failed', 'account_closed']);
    assert.equal((await linesOf(own.stripe))[0], 'payout_failure 9250 0');
    assert.equal((await own.stripe.balance.retrieve()).available[0]?.amount, 9_250);
  });

  test('paid out every midnight', async () => {
    const own = await aClient();
    await own.control('/settings', { dailyPayouts: true });
    await paid(own.stripe);
    own.wait(10 * 86_400);
    const { data } = await own.stripe.payouts.list();
    assert.deepEqual(
      data.map(({ amount, automatic }) => [amount, automatic]),
      [[9_750, true]],
    );
  });
});

suite('the statement', async () => {
  const client = await aClient();
  const { stripe } = client;

  // Guarantee: thousands of lines are read in pages, each line once, newest first.
  test('in pages of 100, within bounds', async () => {
    await client.control('/fill', { count: 1_050, everySeconds: 10, metadata: { grosz_key: 'key {n}' } });
    const read: Stripe.BalanceTransaction[] = [];
    for await (const line of stripe.balanceTransactions.list({ limit: 100, expand: ['data.source'] })) read.push(line);
    assert.equal(read.length, 1_050);
    assert.equal(new Set(read.map(({ id }) => id)).size, 1_050);
    assert.equal(expanded<Stripe.Charge>(read[0]?.source).metadata.grosz_key, 'key 1050');
    const until = read[0]?.created ?? 0;
    const some = await stripe.balanceTransactions.list({ created: { gte: until - 50, lt: until }, limit: 100 });
    assert.equal(some.data.length, 5);
    assert.equal((await refusal(stripe.balanceTransactions.list({ limit: 101 }))).param, 'limit');
    const unknown = await refusal(stripe.balanceTransactions.list({ starting_after: 'txn_unheard' }));
    assert.equal(unknown.param, 'starting_after');
    assert.equal((await refusal(stripe.balanceTransactions.list({ expand: ['data.unheard'] }))).param, 'expand');
  });

  test('in another currency than the account settles', async () => {
    const own = await aClient({ settings: { currency: 'eur' } });
    await paid(own.stripe);
    const { data } = await own.stripe.balanceTransactions.list();
    assert.equal(data[0]?.currency, 'eur');
    assert.ok(data[0]?.exchange_rate);
    assert.equal((await own.stripe.accounts.retrieveCurrent()).default_currency, 'eur');
  });
});

/** A receiver of webhooks that answers with what `status` says. */
async function aReceiver(status: () => number) {
  const received: { body: string; signature: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = String(request.headers['stripe-signature']);
    received.push({ body: Buffer.concat(chunks).toString('utf8'), signature });
    response.writeHead(status()).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events` };
}

suite('webhooks', () => {
  // Guarantee: every event arrives signed, is sent again while it is not accepted, and not after that.
  test('are signed, and sent again until they are accepted', async () => {
    let status = 503;
    const { received, url } = await aReceiver(() => status);
    const client = await aClient({ webhookUrl: url });
    await paid(client.stripe);
    const deliver = async () => ((await client.control('/webhooks/deliver')).delivered as unknown[]).length;
    assert.equal(await deliver(), 3);
    assert.equal(await deliver(), 0);
    client.wait(600);
    status = 200;
    assert.equal(await deliver(), 3);
    client.wait(86_400);
    assert.equal(await deliver(), 0);
    const { webhooks } = new Stripe('sk_test_x');
    const events = received.map(({ body, signature }) =>
      webhooks.constructEvent(body, signature, client.fake.provider.main.webhookSecret, 10 ** 9),
    );
    assert.deepEqual(
      events.slice(0, 3).map(({ type }) => type),
      ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'],
    );
  });

  test('in another order, twice, with two secrets, and stopped', async () => {
    const { received, url } = await aReceiver(() => 200);
    const client = await aClient();
    const secrets = ['whsec_new', 'whsec_old'];
    const { id } = await client.control('/webhooks', { url, secrets, shuffled: true, duplicates: 1 });
    for (let count = 0; count < 20; count += 1) await paid(client.stripe);
    // Two at once send nothing twice that is not meant to be.
    await Promise.all([client.control('/webhooks/deliver'), client.control('/webhooks/deliver')]);
    assert.equal(received.length, 120);
    assert.match(received[0]?.signature ?? '', /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    const ids = received.map(({ body }) => (JSON.parse(body) as Stripe.Event).id);
    assert.equal(new Set(ids).size, 60);
    const written = (await client.stripe.events.list({ limit: 100 })).data.map((event) => event.id).reverse();
    assert.notDeepEqual([...new Set(ids)], written);
    await client.control('/webhooks', { id, stopped: true });
    await paid(client.stripe);
    await client.control('/webhooks/deliver');
    assert.equal(received.length, 120);
  });
});
