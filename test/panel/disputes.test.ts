// Disputes on screen: of whom they took the money, why, and what an account owes because of them.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { disputeReasonText } from '../../contract/codes/dispute-reasons.ts';
import { sayDispute } from '../support/disputes.ts';
import { aChild, aPaidSplit, aPartner, balanceOf, type TestPartner } from '../support/marketplace.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, passTime, settleAll } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { aMerchant, aService, type Service } from '../support/service.ts';

let service: Service;
let partner: TestPartner;
let owner: TestPerson;
let seller: TestPerson;
let id: string;

async function ask(who: TestPerson, path: string) {
  const answer = await who.ask('GET', `/panel/api/${path}`);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

before(async () => {
  service = await aService();
  partner = await aPartner(service, [{ paymentFeeBasisPoints: 100 }, { paymentFeeBasisPoints: 100 }]);
  owner = await aPerson(service, 'owner', partner.id);
  seller = await aPerson(service, 'read_only', partner.sellers[0]?.id ?? '');
  id = await aPaidSplit(service, partner, [
    aChild(partner, 0, 700, { commission: 70, hiddenDescription: 'jar-1' }),
    aChild(partner, 0, 100, { hiddenDescription: 'jar-2' }),
    aChild(partner, 1, 200),
  ]);
  await sayDispute(service.world, id, 'opened', 1_000n);
  await settleAll(service.world);
});

type Shown = Record<string, unknown>;

suite('a disputed payment over several sellers', () => {
  // Guarantee: the partner sees from whose balances a dispute took the money, and what did not cover it.
  test('names who bears it, and what is owed', async () => {
    const { body } = await ask(owner, `transactions/${id}`);
    assert.deepEqual(
      body.disputes[0].bearers.map(({ name, amount }: Shown) => [name, amount]),
      [
        ['Seller 1', 7.3],
        ['Seller 2', 2],
        ['Market', 0.7],
      ],
    );
    const journal = body.journals.find(({ kind }: Shown) => kind === 'dispute');
    const entries = journal.entries as { account: string; sellerName: string | null; amount: number }[];
    const owed = entries.filter(({ account }) => account === 'seller_owed');
    assert.deepEqual(owed.map(({ sellerName }) => sellerName).toSorted(), ['Seller 1', 'Seller 2']);
    assert.ok(owed.every(({ amount }) => amount < 0));
    const ofOne = entries.filter(({ sellerName }) => sellerName === 'Seller 1');
    assert.equal(
      ofOne.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0),
      -730,
    );
  });

  // Guarantee: a seller whose balance a dispute took sees why, and gets no link to a transaction that it cannot open.
  test('in the ledger of a seller: the reason, its own references, no link', async () => {
    const { body } = await ask(seller, 'ledger?kind=dispute');
    const [move] = body.moves;
    assert.deepEqual([move.isOwn, move.reason, move.hiddenDescription], [false, 'fraudulent', 'jar-1, jar-2']);
    assert.equal((await seller.ask('GET', `/panel/api/transactions/${id}`)).status, 404);
    const [own] = (await ask(owner, 'ledger?kind=dispute')).body.moves;
    assert.deepEqual([own.isOwn, own.reason, own.hiddenDescription, own.net], [true, 'fraudulent', 'cart-1', -0.7]);
    const payments = (await ask(seller, 'ledger?kind=payment')).body.moves;
    assert.deepEqual(
      payments.map((one: Shown) => [one.isOwn, one.reason, one.hiddenDescription]),
      [[false, null, 'jar-1, jar-2']],
    );
    const { text } = await ask(seller, 'ledger/export');
    assert.ok(text.includes('the payer denies having made the payment (fraudulent)'), text);
    assert.ok(!text.includes('cart-1'));
  });

  // Guarantee: nobody owes anything that they cannot see.
  test('what the balance did not cover is beside it', async () => {
    const { body } = await ask(seller, 'balance');
    const [paid] = (await ask(seller, 'ledger?kind=payment')).body.moves;
    assert.equal(await balanceOf(service, partner.sellers[0] ?? partner), 0n);
    assert.ok(paid.fee < 0);
    assert.deepEqual([body.balance, body.owed], [0, -paid.fee]);
    assert.equal((await ask(owner, 'balance')).body.owed, 0);
  });

  // Guarantee: nobody owes something without a line that says what for.
  test('what the balance covered not at all has its line', async () => {
    const market = await aPartner(service, [{ paymentFeeBasisPoints: 10_000 }]);
    const person = await aPerson(service, 'read_only', market.sellers[0]?.id ?? '');
    const split = await aPaidSplit(service, market, [aChild(market, 0, 700, { hiddenDescription: 'jar-3' })]);
    await sayDispute(service.world, split, 'opened', 700n);
    await settleAll(service.world);
    const shown = async () =>
      (await ask(person, 'ledger')).body.moves.map((one: Shown) => [
        one.kind,
        one.net,
        one.volume,
        one.hiddenDescription,
      ]);
    assert.deepEqual((await ask(person, 'balance')).body.owed, 7);
    // Both may be of the same millisecond.
    assert.deepEqual((await shown()).toSorted(), [
      ['dispute', 0, 7, 'jar-3'],
      ['payment', 0, 7, 'jar-3'],
    ]);
    await sayDispute(service.world, split, 'won', 700n);
    await settleAll(service.world);
    const returned = (await shown()).filter(([kind]: string[]) => kind === 'dispute_returned');
    assert.deepEqual(returned, [['dispute_returned', 0, 7, 'jar-3']]);
  });

  // Guarantee: what disputes took is a sum of its own, and the balance before a day includes it.
  test('statements have what disputes took apart', async () => {
    const today = service.world.clock.now().toZonedDateTimeISO('Europe/Warsaw').toPlainDate();
    const [from, to] = [today.toString(), today.add({ days: 1 }).toString()];
    const { body } = await ask(owner, `statements?from=${from}&to=${to}`);
    assert.deepEqual([body.total.disputes, body.total.other, body.total.closing], [-0.7, 0, 0]);
    assert.equal(body.rows[1].opening, 0);
    assert.equal((await ask(owner, `statements?from=${to}&to=${to}`)).body.total.opening, 0);
    const [titles = '', , last = ''] = (await ask(owner, `statements/export?from=${to}&to=${to}&by=month`)).text.split(
      '\r\n',
    );
    assert.deepEqual([titles.split(',')[9], last], ['Disputes', '']);
    const [move] = (await ask(owner, 'ledger?kind=dispute')).body.moves;
    assert.deepEqual([move.amount, move.other], [-0.7, 0]);
  });

  test('won: nobody bears it any more', async () => {
    await sayDispute(service.world, id, 'lost', 1_000n);
    await sayDispute(service.world, id, 'won', 1_000n, { at: service.world.clock.now() });
    const { body } = await ask(owner, `transactions/${id}`);
    assert.deepEqual(body.disputes[0].bearers, []);
    assert.equal((await ask(seller, 'balance')).body.owed, 0);
    // Guarantee: a dispute that is lost takes nothing a second time.
    const steps = body.timeline.filter(({ kind }: Shown) => String(kind).startsWith('dispute_'));
    assert.deepEqual(
      steps.map(({ kind, amount }: Shown) => [kind, amount]),
      [
        ['dispute_opened', -10],
        ['dispute_lost', null],
        ['dispute_won', 10],
      ],
    );
  });
});

suite('reasons', () => {
  // Guarantee: a word of the acquirer that is not known is shown, and never taken for one of the language.
  test('in words with the code; others as they are', () => {
    assert.equal(disputeReasonText('pl', 'duplicate'), 'zapłacono dwa razy za to samo (duplicate)');
    assert.equal(disputeReasonText('xx', 'duplicate'), 'the same was paid twice (duplicate)');
    for (const reason of ['', '10.4', 'constructor']) assert.equal(disputeReasonText('en', reason), reason);
  });
});

// Guarantee: an operator who is to look into a dispute finds its account and its transaction.
test('a parked dispute has its account and its transaction', async () => {
  const merchant = await aMerchant(service, { name: 'Tea' });
  await fund(service, merchant, 10_000n);
  const paid = await aPaidTransaction(service, merchant, { amount: 10 });
  await aRefund(service, merchant, paid, { amount: 5 });
  await passTime(service.world, { minutes: 5 });
  await sayDispute(service.world, paid, 'opened', 1_000n);
  const operator = await aPerson(service, 'operator', null);
  const { body } = await ask(operator, 'operator/parked');
  const shown = body.parked.map(({ kind, accountName, transactionId }: Shown) => [kind, accountName, transactionId]);
  assert.deepEqual(shown, [['dispute', 'Tea', paid]]);
});
