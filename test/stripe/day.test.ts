// A day of a merchant whose only acquirer is Stripe: every method, fees, refunds and disputes, told by events and by the
// statement. In the end the provider's balance and the books agree to the grosz.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { inWords, reasonInWords } from '../support/findings.ts';
import { aTransaction, payBlik, show } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { decideParked, listParked } from '../support/rooms.ts';
import { aMerchant, type TestMerchant } from '../support/service.ts';
import { aCardToken, controlFake, heldAt } from '../support/stripe.ts';
import { aShop, payOnPage, type Shop } from '../support/stripe-shop.ts';
import { findingsOf, listTotals } from '../support/verify.ts';

const payer = { email: 'jan@example.com' };

suite('a day with Stripe', () => {
  let shop: Shop;
  let merchant: TestMerchant;
  let begun: Temporal.Instant;
  /** The transactions of the day, by what became of them. */
  let blik: string, transfer: string, card: string, cameBack: string, lost: string, won: string;

  const totalOf = async (account: string) =>
    (await listTotals(shop.service.world.db.sql)).find((total) => total.account === account)?.minor ?? 0n;
  const refunds = () =>
    shop.service.world.db.sql.many((row) => readText(row, 'shown'))`
      select status || case when came_back_at is null then '' else ', came back' end as shown from refund order by amount_minor`;
  const disputes = () =>
    shop.service.world.db.sql.many((row) => readText(row, 'state'))`select state from dispute order by amount_minor`;

  async function paidByBlik(amount: number): Promise<string> {
    const { service, pass } = shop;
    const id = await aTransaction(service, merchant, { amount, payer });
    await payBlik(service, merchant, id);
    await pass(6);
    return id;
  }

  async function paidByTransfer(amount: number): Promise<string> {
    const { service, pass } = shop;
    const id = await aTransaction(service, merchant, { amount, payer });
    const body = { channelId: 21 };
    const paying = await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
    const link = String(paying.body.transactionPaymentUrl);
    await fetch(link, { method: 'POST', body: 'choice=approve', redirect: 'manual' });
    await pass(1);
    return id;
  }

  async function paidByCard(amount: number, name = 'pm_card_visa'): Promise<string> {
    const id = await payOnPage(shop, merchant, { token: await aCardToken(shop.stage, name) }, { amount });
    await shop.pass(1);
    return id;
  }

  /** The payer complains to their bank; returns the dispute's id. */
  async function dispute(transaction: string): Promise<string> {
    const { service, stage, pass } = shop;
    const [key] = await service.world.db.sql.many((row) => readText(row, 'id'))`
      select id from charge where transaction_id = ${transaction}`;
    const intent = heldAt(stage.fake).intents.find(({ metadata }) => metadata.grosz_key === key)?.id;
    const { id } = await controlFake(stage, 'disputes', { payment_intent: intent });
    await pass(1);
    return String(id);
  }

  async function close(id: string, outcome: 'won' | 'lost'): Promise<void> {
    await controlFake(shop.stage, 'disputes', { dispute: id, outcome });
    await shop.pass(1);
  }

  /** Provider, books and merchants agree, and an operator has only `parked` to see. */
  async function agrees(parked: readonly string[] = [], from?: Temporal.Instant): Promise<void> {
    const { service, stage } = shop;
    const { reconciliation } = service.rooms;
    const run = await reconciliation.reconcile({ from });
    assert.deepEqual([run?.state, run?.found], ['agreed', 0]);
    const scope = `${stage.fake.provider.main.account}/test`;
    const { available, pending } = stage.fake.provider.store.sumBalance(scope, stage.fake.provider.now() / 1_000);
    assert.equal(await totalOf('acquirer:stripe:receivable'), BigInt(available + pending));
    const listed = await listParked(service.world);
    assert.deepEqual(
      listed.map(({ why }) => reasonInWords(why)),
      parked,
    );
    assert.deepEqual(inWords(await findingsOf(service.world)), []);
  }

  before(async () => {
    shop = await aShop();
    merchant = await aMerchant(shop.service, { paymentFeeMinor: 25n, refundFeeMinor: 100n });
    begun = shop.service.world.clock.now();
    await fund(shop.service, merchant, 100_000n);
  });

  // Guarantee: whatever method was used, the payment is paid, and the books have what the provider kept of it.
  test('payments by BLIK, Przelewy24 and card', async () => {
    const { service } = shop;
    blik = await paidByBlik(20);
    transfer = await paidByTransfer(50);
    card = await paidByCard(60);
    cameBack = await paidByCard(70, 'pm_card_refundFail');
    lost = await paidByBlik(30);
    won = await paidByCard(80);
    for (const id of [blik, transfer, card, cameBack, lost, won])
      assert.equal((await show(service, merchant, id)).body.status, 'paid');
    await shop.pass(3_600);
    await agrees();
    assert.equal(await totalOf('expense:acquirer_fee'), 132n + 240n + 190n + 205n + 148n + 220n);
    assert.equal(await totalOf(`merchant:${merchant.id}:available`), -(100_000n + 31_000n - 6n * 25n));
  });

  // Guarantee: a refund takes the money once, and one that comes back gives it back once, with our fee.
  test('a refund, and one that fails after it was paid', async () => {
    const { service, pass } = shop;
    await aRefund(service, merchant, transfer, { amount: 15 });
    await aRefund(service, merchant, cameBack);
    await pass(10);
    await pass(10);
    assert.deepEqual(await refunds(), ['Done', 'Done']);
    await agrees();
    await pass(3_700);
    assert.deepEqual(await refunds(), ['Done', 'Cancel, came back']);
    await agrees(['The bank had paid it out, and the money came back.']);
    const [{ id = '', amountMinor = 0n } = {}] = await listParked(shop.service.world);
    await decideParked(shop.service.world, id, { capturedMinor: amountMinor });
    await agrees();
  });

  // Guarantee: a dispute takes the money from the merchant at once, and its fee from us; what is won is given back.
  test('a dispute that is lost, and one that is won', async () => {
    const first = await dispute(lost);
    const second = await dispute(won);
    assert.deepEqual(await disputes(), ['opened', 'opened']);
    await shop.pass(60);
    await agrees();
    await close(first, 'lost');
    await close(second, 'won');
    await shop.pass(60);
    assert.deepEqual(await disputes(), ['lost', 'won']);
    await agrees();
  });

  // Guarantee: the whole day, read again, changes nothing; each side has what is its own.
  test('the day as a whole', async () => {
    await shop.pass(86_400);
    await agrees([], begun);
    await agrees([], begun);
    assert.equal(await totalOf(`merchant:${merchant.id}:available`), -(130_850n - 1_500n - 100n - 3_000n));
    assert.equal(await totalOf('expense:acquirer_fee'), 1_135n + 2n * 7_000n);
    assert.equal(await totalOf('dispute:payable'), 0n);
  });
});
