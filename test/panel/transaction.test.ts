// P33: everything about one transaction.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { aChild, aPaidSplit, aPartner, refundSplit } from '../support/marketplace.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, aTransaction, passTime, payBlik, payCard, settleAll } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { aRecurring } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { handleCallback } from '../support/rooms.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;
let person: TestPerson;

const pathOf = (id: string) => `/panel/api/transactions/${id}`;

async function detailOf(id: string, who = person) {
  await settleAll(service.world);
  const answer = await who.ask('GET', pathOf(id));
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const kindsOf = (body: { timeline: { kind: string }[] }) => body.timeline.map(({ kind }) => kind);

before(async () => {
  service = await aService({ catchMail: true });
  merchant = await aMerchant(service, { paymentFeeBasisPoints: 150, refundFeeMinor: 100n });
  await fund(service, merchant, 100_000n);
  person = await aPerson(service, 'owner', merchant.id);
});

suite('GET /panel/api/transactions/{transactionId}', () => {
  test('a new one: created, cancelable, nothing else', async () => {
    const id = await aTransaction(service, merchant, { hiddenDescription: 'order-1', amount: 12.34 });
    const body = await detailOf(id);
    assert.deepEqual(kindsOf(body), ['created']);
    const { status, amount, cancelable, refundable, hiddenDescription, posName, channelId } = body.transaction;
    assert.deepEqual([status, amount, cancelable, refundable], ['pending', 12.34, true, 0]);
    assert.deepEqual([hiddenDescription, posName, channelId], ['order-1', 'Shop', null]);
    assert.deepEqual([body.attempts, body.journals, body.recurring, body.parts], [[], [], null, []]);
  });

  // Guarantee: through whom a payment went is told to operators, and to nobody else.
  test('names the acquirer of each attempt to operators only', async () => {
    const id = await aPaidTransaction(service, merchant);
    const operator = await aPerson(service, 'operator', null);
    const path = `/panel/api/transactions/${id}`;
    const shown = await operator.as(merchant.id).ask('GET', path);
    assert.deepEqual(
      shown.body.attempts.map(({ acquirer }: { acquirer: string }) => acquirer),
      ['simulator'],
    );
    assert.deepEqual(
      (await detailOf(id)).attempts.map(({ acquirer }: { acquirer: string | null }) => acquirer),
      [null],
    );
  });

  test('declined, then paid, notified and refunded: everything, in order', async () => {
    const receiver = await aReceiver();
    let answers = 0;
    receiver.answer = () => {
      answers += 1;
      return answers === 1 ? { status: 503, body: '' } : { status: 200, body: 'TRUE' };
    };
    const callbacks = { notification: { url: `${receiver.url}/hook` } };
    const payer = { email: 'payer@example.com', name: 'Jan' };
    const id = await aTransaction(service, merchant, { amount: 100.01, callbacks, payer });
    await payBlik(service, merchant, id, '222000');
    service.world.clock.advance({ seconds: 5 });
    await payCard(service, merchant, id, { save: true });
    await settleAll(service.world);
    service.world.clock.advance({ hours: 1 });
    const refundId = await aRefund(service, merchant, id, { amount: 30 });
    service.world.clock.advance({ hours: 72 });
    const body = await detailOf(id);

    assert.deepEqual(
      body.attempts.map((one: Record<string, unknown>) => [one.number, one.state, one.reason]),
      [
        [1, 'failed', 'insufficient funds'],
        [2, 'correct', null],
      ],
    );
    assert.deepEqual(body.attempts[1].instrument, { kind: 'card', brand: 'Visa', tail: '1111', expiry: '1239' });
    assert.deepEqual(
      [body.transaction.refunded, body.transaction.refundable, body.transaction.refundFee],
      [30, 70.01, 1],
    );
    const [payment] = body.journals;
    assert.deepEqual(
      payment.entries.map((entry: Record<string, unknown>) => [entry.account, entry.amount]),
      [
        ['owed_by_bank', 100.01],
        ['balance', 98.51],
        ['payment_fees', 1.5],
      ],
    );
    assert.deepEqual(
      body.journals[1].entries.map((entry: Record<string, unknown>) => [entry.account, entry.amount]),
      [
        ['balance', -31],
        ['owed_to_payer', 30],
        ['refund_fees', 1],
      ],
    );
    assert.deepEqual([body.refunds.length, body.refunds[0].refundId, body.refunds[0].fee], [1, refundId, 1]);
    const paid = body.notifications.find((event: { type: string }) => event.type === 'transaction');
    assert.deepEqual([paid.status, paid.tries.map((one: { status: number }) => one.status)], ['delivered', [503, 200]]);
    assert.equal(body.mails.length, 2, 'about the payment and about the refund');
    const kinds = kindsOf(body);
    for (const kind of ['created', 'attempt_started', 'attempt_ended', 'paid', 'journal', 'notification', 'mail']) {
      assert.ok(kinds.includes(kind), `${kind} in ${kinds}`);
    }
    const times = body.timeline.map(({ at }: { at: string }) => Temporal.Instant.from(at));
    assert.deepEqual(times, times.toSorted(Temporal.Instant.compare));
    assert.ok(kinds.indexOf('paid') < kinds.indexOf('refund_requested'));
    assert.ok(kinds.indexOf('refund_requested') < kinds.indexOf('refund_ended'));
  });

  // Guarantee: whoever wonders why a payer has no refund reads what the bank said.
  test('a refund that the bank declined, and one that came back', async () => {
    const refundOf = async (fault: 'refusedRefund' | 'returnedRefund') => {
      const id = await aPaidTransaction(service, merchant);
      service.world.bank.setFaults({ [fault]: { probability: 1, seed: 1, seconds: 0 } });
      await aRefund(service, merchant, id);
      await passTime(service.world, { seconds: 10 });
      service.world.bank.setFaults({});
      return (await detailOf(id)).refunds[0];
    };
    const declined = await refundOf('refusedRefund');
    assert.deepEqual([declined.status, declined.canceledBy, declined.cameBackAt], ['BLIK_incorrect', 'bank', null]);
    assert.match(declined.refusedWhy, /^(no_funds|refused)$/);
    const back = await refundOf('returnedRefund');
    assert.deepEqual([back.status, back.refusedWhy, back.cameBackAt === null], ['BLIK_incorrect', null, false]);
  });

  // Guarantee: a canceled one says when it was canceled, and why.
  test('canceled by the merchant, after a month, and after a declined charge', async () => {
    const canceledOf = async (id: string) =>
      (await detailOf(id)).timeline.filter(({ kind }: { kind: string }) => kind === 'canceled');
    const unpaid = await aTransaction(service, merchant);
    const byRequest = await aTransaction(service, merchant);
    service.world.clock.advance({ hours: 2 });
    const at = service.world.clock.now().toString();
    for (let time = 0; time < 2; time += 1) {
      const answer = await service.ask('POST', `/transactions/${byRequest}/cancel`, { token: merchant.token });
      assert.equal(answer.status, 200, answer.text);
      service.world.clock.advance({ hours: 1 });
    }
    const [canceled, ...others] = await canceledOf(byRequest);
    assert.deepEqual([Temporal.Instant.from(canceled.at).toString(), canceled.status, others], [at, 'merchant', []]);
    await aRecurring(service, merchant, { paymentInstrument: { value: 'instrument-invalid' } });
    await settleAll(service.world);
    const charged = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from transaction where merchant_id = ${merchant.id} and origin = 'recurring'`;
    assert.deepEqual((await canceledOf(charged))[0]?.status, 'charge');
    service.world.clock.advance({ hours: 32 * 24 });
    assert.deepEqual((await canceledOf(unpaid))[0]?.status, 'expiry');
  });

  // Guarantee: no number, code or token of a card.
  test('no card data beyond brand, tail and expiry', async () => {
    const id = await aTransaction(service, merchant);
    await payCard(service, merchant, id, { save: true });
    const text = JSON.stringify(await detailOf(id));
    const secrets = await service.world.db.sql.many((row) => [readText(row, 'token'), readText(row, 'card_sealed')])`
      select token, card_sealed from card_token`;
    for (const secret of ['4111111111111111', ...secrets.flat()]) assert.ok(!text.includes(secret));
  });

  test('of a marketplace: its parts, with sellers and what each got', async () => {
    const partner = await aPartner(service, [{ paymentFeeBasisPoints: 100 }, {}]);
    for (const account of [partner, ...partner.sellers]) await fund(service, account, 10_000n);
    const owner = await aPerson(service, 'owner', partner.id);
    const id = await aPaidSplit(service, partner, [
      aChild(partner, 0, 1_000, { commission: 50 }),
      aChild(partner, 1, 500),
    ]);
    await refundSplit(service, partner, id);
    const body = await detailOf(id, owner);
    assert.deepEqual(
      body.parts.map((part: Record<string, unknown>) => [part.sellerName, part.amount, part.commission, part.refunded]),
      [
        ['Seller 1', 10, 0.5, 10],
        ['Seller 2', 5, 0, 5],
      ],
    );
    // Entries are in the order of the accounts' ids.
    const named: string[] = body.journals[0].entries.map(
      (entry: Record<string, unknown>) => `${entry.account} ${entry.sellerName}`,
    );
    assert.deepEqual(named.filter((one) => /balance /.test(one)).toSorted(), [
      'balance null',
      'seller_balance Seller 1',
      'seller_balance Seller 2',
    ]);
    const seller = owner.as(partner.sellers[0]?.id ?? '');
    assert.equal((await seller.ask('GET', pathOf(id))).status, 404);
  });

  // Guarantee: another merchant's transaction looks as if it did not exist.
  test('404, byte for byte the same: unknown, foreign and unreadable ids', async () => {
    const other = await aMerchant(service);
    const foreign = await aPaidTransaction(service, other);
    const texts = new Set<string>();
    for (const id of [foreign, service.world.ids.ulid(), 'nonsense', '%00', foreign.toLowerCase()]) {
      const answer = await person.ask('GET', pathOf(id));
      assert.deepEqual([answer.status, ...faultsOf(answer)], [404, 'not_found']);
      texts.add(answer.text.replace(answer.body.requestId, ''));
    }
    assert.equal(texts.size, 1);
    assert.equal((await service.ask('GET', pathOf(foreign))).status, 401);
  });

  // Guarantee: what is disputed is seen with its steps, and is not offered for a refund.
  test('disputed, and won: the dispute, its steps, and what is left to refund', async () => {
    const id = await aPaidTransaction(service, merchant, { amount: 10 });
    const charge = await service.world.db.sql.one((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${id}`;
    const respondUntil = Temporal.Instant.from('2030-01-02T22:59:00Z');
    const say = (kind: 'opened' | 'won', minor: bigint, key: string) =>
      handleCallback(service.world, {
        kind: 'dispute',
        key,
        result: { kind, chargeKey: charge, amount: money(minor, 'PLN'), reason: 'fraudulent', respondUntil },
      });
    await say('opened', 600n, 'dp_1');
    const opened = await detailOf(id);
    assert.deepEqual([opened.transaction.disputed, opened.transaction.refundable], [6, 4]);
    const [dispute] = opened.disputes;
    assert.deepEqual(
      [dispute.state, dispute.amount, dispute.returned, dispute.reason, dispute.respondUntil, dispute.endedAt],
      ['opened', 6, 0, 'fraudulent', '2030-01-02T22:59:00Z', null],
    );
    const step = opened.timeline.find(({ kind }: { kind: string }) => kind === 'dispute_opened');
    assert.deepEqual([step.id, step.amount], [dispute.disputeId, -6]);
    assert.ok(opened.notifications.some(({ subjectId }: { subjectId: string }) => subjectId === dispute.disputeId));
    const booked = opened.journals.find(({ kind }: { kind: string }) => kind === 'dispute');
    const gains = booked.entries.map(({ account, amount }: { account: string; amount: number }) => [account, amount]);
    assert.deepEqual(Object.fromEntries(gains), { balance: -6, disputed: 6 });
    await say('opened', 400n, 'dp_2');
    assert.equal((await detailOf(id)).transaction.refundable, 0);
    await say('won', 600n, 'dp_1');
    const won = await detailOf(id);
    assert.deepEqual([won.transaction.disputed, won.transaction.refundable], [4, 6]);
    const states = won.disputes.map(
      ({ state, returned }: { state: string; returned: number }) => `${state} ${returned}`,
    );
    assert.deepEqual(states.sort(), ['opened 0', 'won 6']);
    const steps = (won.timeline as { kind: string; amount: number }[])
      .filter(({ kind }) => kind.startsWith('dispute_'))
      .map(({ kind, amount }) => `${kind} ${amount}`);
    assert.deepEqual(steps.sort(), ['dispute_opened -4', 'dispute_opened -6', 'dispute_won 6']);
    const { body } = await person.ask('GET', '/panel/api/ledger?kind=dispute_returned');
    assert.deepEqual(
      body.moves.map(({ transactionId, net }: { transactionId: string; net: number }) => [transactionId, net]),
      [[id, 6]],
    );
  });

  test('read-only people do not get the pay page, with which they could pay', async () => {
    const id = await aTransaction(service, merchant);
    const reader = await aPerson(service, 'read_only', merchant.id);
    assert.equal((await detailOf(id, reader)).transaction.transactionPaymentUrl, '');
    assert.match((await detailOf(id)).transaction.transactionPaymentUrl, /\/pay\//);
  });
});
