// What accounts are told of payouts and bank accounts: notifications and mails.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Secret } from '../../src/kernel/index.ts';
import { markApproved, settleFailed } from '../../src/payouts/index.ts';
import { mailsTo } from '../support/mail.ts';
import { checkInvariants, settleAll } from '../support/payments.ts';
import { aPayoutAccount, aSent, bankMoves, giveAccount, someIbans } from '../support/payouts.ts';
import { aReceiver } from '../support/receiver.ts';
import { fund } from '../support/refunds.ts';
import { aMerchant, aService, atEnd, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await aService({ catchMail: true });
  for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-19T10:00:00Z');
  await settleAll(service.world);
  atEnd(() => checkInvariants(service.world));
});

interface Told {
  readonly payoutId: string;
  readonly payoutStatus: string;
  readonly payoutReason: string | null;
}

async function eventsOf({ token }: Pick<TestMerchant, 'token'>): Promise<Told[]> {
  const { events } = (await service.ask('GET', '/events?type=payout', { token })).body;
  return events.map(({ payload }: { payload: string }) => JSON.parse(payload).data);
}

const statesOf = async (merchant: TestMerchant) =>
  (await eventsOf(merchant)).map(({ payoutStatus, payoutReason }) => [payoutStatus, payoutReason]);

async function aPayee(details: Parameters<typeof aMerchant>[1]): Promise<TestMerchant> {
  service.world.clock.set('2026-11-19T10:00:00Z');
  const merchant = await aMerchant(service, details);
  await fund(service, merchant, 10_000n);
  await aPayoutAccount(service, merchant);
  service.world.clock.set('2026-11-20T10:00:00Z');
  return merchant;
}

const ask = async ({ token }: TestMerchant, body: object = {}): Promise<string> => {
  const answer = await service.ask('POST', '/payouts', { token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.payout.payoutId;
};

const subjects = async (email: string) =>
  (await mailsTo(service.world, email)).map(({ subject }) => subject).filter((one) => !one.startsWith('Settlement'));

suite('notifications of payouts', () => {
  // Guarantee: each state is told once, with its reason, signed, to whoever gave an address.
  test('every state', async () => {
    const receiver = await aReceiver();
    const told = await aPayee({ moneyUrl: `${receiver.url}/money` });
    const payoutId = await ask(told);
    await service.ask('POST', `/payouts/${payoutId}/cancel`, { token: told.token });
    const { id } = await aSent(service, told, 5_000n);
    await bankMoves(service, [[id, -5_000n]]);
    await bankMoves(service, [[id, 5_000n]]);
    // The clock of this test stands still, so that their order is that of random ids.
    assert.deepEqual((await statesOf(told)).map(String).toSorted(), [
      'approved,',
      'canceled,canceled_by_account',
      'created,',
      'created,',
      'paid,',
      'returned,returned_by_bank',
      'sent,',
    ]);
    await settleAll(service.world);
    await receiver.got(7);
    const first = receiver.received.find(
      ({ body }) => body?.includes(payoutId) && body.includes('"payoutStatus":"created"'),
    );
    assert.ok(first?.headers['webhook-signature'] && first.headers['x-jws-signature']);
    assert.deepEqual(JSON.parse(first.body ?? ''), {
      type: 'payout',
      data: {
        payoutId,
        payoutStatus: 'created',
        payoutAmount: '100.00',
        payoutFee: '0.00',
        payoutCurrency: 'PLN',
        payoutOnDemand: true,
        payoutBankAccount: '2874',
        payoutReason: null,
        payoutBankCode: null,
        payoutDate: '2026-11-20 11:00:00',
      },
      merchantId: told.id,
    });
  });

  // Guarantee: without an address there is no event: it could be read by a program that does not know it.
  test('nobody who did not ask for it', async () => {
    const mute = await aPayee({});
    await ask(mute);
    assert.deepEqual(await eventsOf(mute), []);
  });

  // Guarantee: what the database takes back is not told.
  test('a step that fails', async () => {
    const told = await aPayee({ moneyUrl: 'http://127.0.0.1:9/money' });
    const payoutId = await ask(told);
    const { db } = service.world;
    await assert.rejects(
      db.atomic(async (sql) => {
        await markApproved(service.world, sql, [payoutId]);
        throw new Error('it dies');
      }),
      /it dies/,
    );
    assert.deepEqual(await statesOf(told), [['created', null]]);
  });
});

suite('mails', () => {
  // Guarantee: that money arrived or did not is told by mail, once, in words that say what became of the balance.
  test('paid, returned and failed', async () => {
    const email = 'payee@example.com';
    const merchant = await aPayee({ email });
    const { id } = await aSent(service, merchant, 5_000n);
    await bankMoves(service, [[id, -5_000n]]);
    await bankMoves(service, [[id, 5_000n]]);
    const { id: failed } = await aSent(service, merchant, 1_234n);
    const { world } = service;
    const reason = { code: 'refused_by_bank', parameters: { code: 'AC04', words: null } } as const;
    const mailing = { ...world, sendsMail: true };
    await world.db.atomic((sql) => settleFailed(mailing, sql, [{ id: failed, reason }]));
    assert.deepEqual((await subjects(email)).toSorted(), [
      'The payout of PLN 12.34 failed',
      'The payout of PLN 50.00 came back',
      'The payout of PLN 50.00 was made',
    ]);
    const [paid] = (await mailsTo(world, email)).filter(({ subject }) => subject.includes('was made'));
    assert.match(paid?.text ?? '', /… 2874, Sklep Jana/);
    assert.match(paid?.text ?? '', new RegExp(`/panel/money/payouts/${id}`));
    assert.equal(
      (await mailsTo(world, email)).some(({ text }) => text.includes('109010140000071219812874')),
      false,
    );
  });

  // Guarantee: who wants no mails about settlements gets none about payouts that arrive, and one about those that do not.
  test('switched off', async () => {
    const email = 'quiet@example.com';
    const merchant = await aPayee({ email, settlementMails: false });
    const { id } = await aSent(service, merchant, 5_000n);
    await bankMoves(service, [[id, -5_000n]]);
    assert.deepEqual(await subjects(email), []);
    await bankMoves(service, [[id, 5_000n]]);
    assert.deepEqual(await subjects(email), ['The payout of PLN 50.00 came back']);
  });

  // Guarantee: a changed number is told to the account and to whoever gave the old and the new one, without the number.
  test('a changed number', async () => {
    const merchant = await aMerchant(service, { email: 'old@example.com' });
    await giveAccount(service, merchant);
    assert.deepEqual(await mailsTo(service.world, 'old@example.com'), [], 'tools without mail send none');
    await service.rooms.payouts.givePlace({
      accountId: merchant.id,
      number: new Secret(someIbans[1]),
      holder: 'Jan',
      givenBy: 'eve@example.com',
    });
    for (const address of ['old@example.com', 'owner@merchant.example', 'eve@example.com']) {
      const [mail, ...others] = await mailsTo(service.world, address);
      assert.equal(mail?.subject, 'The bank account of your payouts was changed', address);
      assert.equal(others.length, 0);
      assert.match(mail.text, /… 5387, Jan/);
      assert.match(mail.text, /… 2874, Sklep Jana/);
      assert.match(mail.text, /eve@example\.com/);
      assert.match(mail.text, /panel\/money\/bank-account/);
      assert.doesNotMatch(mail.text, /1140200400003002/);
    }
  });
});
