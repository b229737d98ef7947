// Cards of the provider's own fields through the connector: tokens, 3-D Secure, and cards that are kept for later.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ChargeAnswer, ChargeRequest } from '../../src/acquirer/index.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import {
  aCardToken,
  aCharge,
  aStripe,
  byKey,
  controlFake,
  heldAt,
  type Paying,
  type Stage,
} from '../support/stripe.ts';

const approved = { kind: 'approved', amount: money(10_000n, 'PLN') };
const declined = (reason: string) => ({ kind: 'declined', reason });

suite('a card', () => {
  let stage: Stage;
  const logLines: string[] = [];
  before(async () => {
    stage = await aStripe({ world: { logLines } });
  });
  // Guarantee: no key is ever paid twice.
  after(() =>
    assert.deepEqual(
      [...heldAt(stage.fake).captures.values()].filter((times) => times > 1),
      [],
    ),
  );

  const typed = async (name: string, paying: Paying = {}, save = false) =>
    aCharge(stage.world, { ...paying, card: { token: await aCardToken(stage, name), save } });
  const linkOf = (answer: ChargeAnswer) => (answer.kind === 'waiting' ? (answer.link ?? '') : '');
  const choose = (link: string, choice: 'approve' | 'refuse') =>
    fetch(link, { method: 'POST', body: `choice=${choice}`, redirect: 'manual' });
  const intentOf = ({ key }: ChargeRequest) =>
    heldAt(stage.fake).intents.find(({ metadata }) => metadata.grosz_key === key);

  for (const [name, expected] of [
    ['pm_card_visa', approved],
    ['pm_card_chargeDeclined', declined('instrument rejected')],
    ['pm_card_chargeDeclinedInsufficientFunds', declined('insufficient funds')],
    ['pm_card_chargeDeclinedExpiredCard', declined('instrument invalid')],
    ['pm_card_chargeDeclinedProcessingError', declined('internal error')],
  ] as const) {
    test(`${name}: ${expected.kind}, and a repeat says the same`, async () => {
      const request = await typed(name);
      assert.deepEqual(await stage.stripe.charge(request), expected);
      assert.deepEqual(await stage.stripe.charge(request), expected);
      assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), expected);
      assert.equal(intentOf(request)?.status, expected.kind === 'approved' ? 'succeeded' : 'canceled');
      // Guarantee: a card is kept only if its payer agreed.
      assert.deepEqual([intentOf(request)?.customer, intentOf(request)?.setup_future_usage], [null, null]);
    });
  }

  // Guarantee: the payer is asked at the provider's page; one who closes it is declined in the end, and can pay no more.
  test('3-D Secure: passed, refused, and a payer who closes the page', async () => {
    for (const [choice, expected] of [
      ['approve', approved],
      ['refuse', declined('authentication failed')],
      [undefined, 'declined'],
    ] as const) {
      const request = await typed('pm_card_authenticationRequired');
      const link = linkOf(await stage.stripe.charge(request));
      assert.match(link, /^http:\/\/127/);
      if (choice) await choose(link, choice);
      else stage.wait(901);
      const found = await stage.stripe.findCharge(byKey(request.key));
      if (expected === 'declined') assert.equal(found.kind, expected);
      else assert.deepEqual(found, expected);
      assert.equal((await fetch(link)).status, 404);
    }
  });

  // Guarantee: nobody is charged by a token that is not one, and it costs no payment.
  test('a token is asked for before anything is charged', async () => {
    const ask = (token: string, stripe = stage.stripe) =>
      stripe.findToken?.({ token: new Secret(token), deadlineMilliseconds: 5_000 });
    const token = await aCardToken(stage);
    const found = await ask(token);
    assert.equal(found?.kind === 'found' && `${found.card.brand} ${found.card.tail}`, 'Visa 4242');
    await stage.stripe.charge(aCharge(stage.world, { card: { token } }));
    for (const wrong of [token, 'ctoken_nobodys', 'pm_card_visa', '../charges/ch_1'])
      assert.deepEqual(await ask(wrong), { kind: 'refused' }, wrong);
    const away = await stage.another({ send: () => Promise.reject(new TypeError('reset')) });
    assert.deepEqual(await ask(await aCardToken(stage), away), { kind: 'unknown' });
  });

  // Guarantee: a token pays once, whatever becomes of the payment that it was made for.
  test('a token that was used, or is nobody’s, is declined', async () => {
    const token = await aCardToken(stage);
    await stage.stripe.charge(aCharge(stage.world, { card: { token } }));
    for (const again of [token, 'ctoken_nobodys']) {
      const request = aCharge(stage.world, { card: { token: again } });
      assert.equal((await stage.stripe.charge(request)).kind, 'declined');
      assert.equal(heldAt(stage.fake).captures.get(request.key), undefined);
    }
  });

  /** A charge without the payer, with the card of another one. */
  const later = (chargeKey: string, paying: Paying = {}): ChargeRequest => ({
    ...aCharge(stage.world, paying),
    initiator: 'merchant',
    instrument: { kind: 'saved', chargeKey, recurring: { iteration: 1, attempt: 1 } },
  });

  // Guarantee: a card is kept only if its payer agreed, and charged later only for the merchant that they paid.
  test('kept: charged without the payer', async () => {
    const first = await typed('pm_card_visa', {}, true);
    assert.deepEqual(await stage.stripe.charge(first), approved);
    const request = later(first.key);
    assert.deepEqual(await stage.stripe.charge(request), approved);
    assert.deepEqual(await stage.stripe.charge(request), approved);
    assert.equal(intentOf(request)?.customer, intentOf(first)?.customer);
    assert.deepEqual(
      await stage.stripe.charge(later(first.key, { merchant: '01KKBCTHR0MERCHANT00000002' })),
      declined('instrument rejected'),
    );
  });

  // Guarantee: a failure that the provider repeats for a day does not keep a payment open.
  test('kept, although its customer was not made at first', async () => {
    for (const kind of ['failedBefore', 'failedAfter', 'lostAnswer'] as const) {
      const request = await typed('pm_card_visa', {}, true);
      stage.faults({ kind, endpoint: 'POST /v1/customers', times: 1 });
      assert.deepEqual(await stage.stripe.charge(request), { kind: 'notReached' });
      assert.deepEqual(await stage.stripe.charge(request), approved);
      stage.faults();
    }
  });

  test('not kept, not paid, or unknown: declined, and nothing is sent', async () => {
    const notKept = await typed('pm_card_visa');
    const notPaid = await typed('pm_card_chargeDeclined', {}, true);
    for (const { key } of [notKept, notPaid])
      await stage.stripe.charge({ ...(key === notKept.key ? notKept : notPaid) });
    for (const chargeKey of [notKept.key, notPaid.key, stage.world.ids.ulid()]) {
      const request = later(chargeKey);
      assert.deepEqual(await stage.stripe.charge(request), declined('instrument rejected'));
      assert.equal(intentOf(request), undefined);
    }
  });

  // Guarantee: a bank that asks for an absent payer declines; nobody waits for them.
  test('kept, and the bank asks for the payer', async () => {
    const first = await typed('pm_card_authenticationRequired', {}, true);
    await choose(linkOf(await stage.stripe.charge(first)), 'approve');
    assert.deepEqual(await stage.stripe.findCharge(byKey(first.key)), approved);
    const request = later(first.key);
    assert.deepEqual(await stage.stripe.charge(request), declined('authentication failed'));
    assert.equal(intentOf(request)?.status, 'canceled');
  });

  // Guarantee: a card is found by its payment also when a restored database has lost it.
  test('kept, and lost by a restore', async () => {
    const first = await typed('pm_card_visa', {}, true);
    await stage.stripe.charge(first);
    stage.wait(2 * 3_600);
    await stage.world.db.sql.run`delete from stripe_charge where key = ${first.key}`;
    assert.deepEqual(await stage.stripe.charge(later(first.key)), approved);
  });

  // Guarantee: while it cannot be told whose card it is, nothing is sent, and the charge can be repeated.
  test('kept, and the provider does not answer', async () => {
    const first = await typed('pm_card_visa', {}, true);
    await stage.stripe.charge(first);
    const request = later(first.key);
    stage.faults({ kind: 'lostAnswer', endpoint: 'GET /v1/payment_intents' });
    assert.deepEqual(await stage.stripe.charge(request), { kind: 'notReached' });
    stage.faults();
    assert.deepEqual(await stage.stripe.charge(request), approved);
    assert.equal(heldAt(stage.fake).captures.get(request.key), 1);
  });

  // Guarantee: a row that names an id which the provider does not know, or another charge's, declines nothing and charges
  // nobody: an operator is told.
  test('kept, and the provider says what cannot be', async () => {
    const first = await typed('pm_card_visa', {}, true);
    const other = await typed('pm_card_visa', {}, true);
    for (const kept of [first, other]) assert.deepEqual(await stage.stripe.charge(kept), approved);
    const { sql } = stage.world.db;
    const nameIntent = (id: string | undefined) =>
      sql.run`update stripe_charge set provider_id = ${id} where key = ${first.key}`;
    const theirs = intentOf(other)?.id;
    await sql.run`delete from stripe_charge where key = ${other.key}`;
    const request = later(first.key);
    for (const wrong of ['pi_nobodys', theirs]) {
      await nameIntent(wrong);
      const already = logLines.length;
      assert.deepEqual(await stage.stripe.charge(request), { kind: 'notReached' });
      const told = logLines.slice(already).filter((line) => line.includes('says about a stored object what cannot be'));
      assert.ok(told.some((line) => line.includes(first.key)));
    }
    assert.equal(intentOf(request), undefined);
    await nameIntent(intentOf(first)?.id);
    assert.deepEqual(await stage.stripe.charge(request), approved);
  });

  const payid = (value: string) => ({ value: new Secret(value), type: 'PAYID', label: 'Shop' }) as const;
  const withAlias = (value: string, paying: Paying = {}): ChargeRequest => ({
    ...aCharge(stage.world, paying),
    instrument: { kind: 'blik', code: new Secret('123456'), aliases: [payid(value)] },
  });
  const byAlias = (value: string, paying: Paying = {}, model: 'A' | 'M' | 'O' = 'O'): ChargeRequest => ({
    ...aCharge(stage.world, paying),
    initiator: 'merchant',
    instrument: {
      kind: 'recurring',
      value: new Secret(value),
      blik: { model, noDelay: false },
      iteration: 1,
      attempt: 1,
    },
  });

  // Guarantee: BLIK that was kept is charged for the merchant whose payer agreed, by model O, and nobody else's.
  test('BLIK that is kept under a name', async () => {
    const first = withAlias('payid-1');
    await stage.stripe.charge(first);
    assert.deepEqual(await stage.stripe.charge(byAlias('payid-1')), declined('instrument rejected'), 'not paid yet');
    stage.wait(6);
    assert.deepEqual(await stage.stripe.findCharge(byKey(first.key)), approved);
    const request = byAlias('payid-1');
    assert.deepEqual(await stage.stripe.charge(request), approved);
    assert.deepEqual(await stage.stripe.charge(request), approved);
    assert.equal(heldAt(stage.fake).captures.get(request.key), 1);
    for (const other of [
      byAlias('payid-2'),
      byAlias('payid-1', { merchant: '01KKBCTHR0MERCHANT00000002' }),
      byAlias('payid-1', {}, 'A'),
      byAlias('payid-1', {}, 'M'),
      byAlias('payid-1', { minor: 200_001n }),
    ])
      assert.deepEqual(await stage.stripe.charge(other), declined('instrument rejected'));
  });

  // Guarantee: a payer who agreed, and did not pay when asked to agree again, has still agreed; one who took it back has not.
  test('BLIK: agreed again, and taken back', async () => {
    const first = withAlias('payid-3');
    await stage.stripe.charge(first);
    stage.wait(6);
    await stage.stripe.findCharge(byKey(first.key));
    stage.wait(60);
    await stage.stripe.charge(withAlias('payid-3', { email: 'invalid_code@example.com' }));
    assert.deepEqual(await stage.stripe.charge(byAlias('payid-3')), approved);
    const mandates = stage.fake.provider.store.list('mandate', `${stage.fake.provider.main.account}/test`, {
      limit: 100,
    });
    const paid = intentOf(first)?.payment_method;
    const mandate = mandates.find(({ payment_method: method }) => method === paid);
    await controlFake(stage, 'mandates/end', { mandate: mandate?.id });
    assert.deepEqual(await stage.stripe.charge(byAlias('payid-3')), declined('instrument rejected'));
  });

  // Guarantee: numbers are sent only by those who may.
  test('by number: only where the account takes them', async () => {
    const card = { number: new Secret('4242424242424242'), expiry: new Secret('12/30'), code: new Secret('123') };
    const request = () => ({ ...aCharge(stage.world), instrument: { kind: 'card', card } as const });
    const refused = request();
    assert.deepEqual(await stage.stripe.charge(refused), declined('instrument rejected'));
    assert.equal(intentOf(refused), undefined);
    const raw = await stage.another({ rawCards: 'on' });
    assert.deepEqual(await raw.charge(request()), declined('instrument rejected'));
    stage.fake.provider.changeSettings({ rawCards: true });
    assert.deepEqual(await raw.charge(request()), approved);
    stage.fake.provider.changeSettings({ rawCards: false });
  });

  // Guarantee: what was paid, or can still be, is never declined because a setting was changed in between.
  test('by number, repeated after that was switched off', async () => {
    stage.fake.provider.changeSettings({ rawCards: true });
    const raw = await stage.another({ rawCards: 'on' });
    const request = (number: string) => {
      const card = { number: new Secret(number), expiry: new Secret('12/30'), code: new Secret('123') };
      return { ...aCharge(stage.world), instrument: { kind: 'card', card } as const };
    };
    const paid = request('4242424242424242');
    const waiting = request('4000002760003184');
    assert.deepEqual(await raw.charge(paid), approved);
    const link = linkOf(await raw.charge(waiting));
    assert.deepEqual(await stage.stripe.charge(paid), approved);
    assert.equal((await stage.stripe.charge(waiting)).kind, 'waiting');
    await choose(link, 'approve');
    assert.deepEqual(await stage.stripe.charge(waiting), approved);
    // The intent was made, and nothing was confirmed.
    const begun = request('4242424242424242');
    stage.faults({ kind: 'lostRequest', endpoint: 'POST /v1/payment_intents/:id/confirm' });
    assert.notEqual((await raw.charge(begun)).kind, 'approved');
    stage.faults();
    assert.deepEqual(await stage.stripe.charge(begun), declined('instrument rejected'));
    assert.equal(intentOf(begun)?.status, 'canceled');
    stage.fake.provider.changeSettings({ rawCards: false });
  });
});
