// P31: what needs attention, of this account only.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { unresolvedReason } from '../../contract/codes/parking.ts';
import { readInstant } from '../../src/database/index.ts';
import { acquirersOf } from '../support/acquirers.ts';
import { sayDispute } from '../support/disputes.ts';
import { gated } from '../support/gate.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, aTransaction, passTime, payBlik, settleAll } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { fund, refund } from '../support/refunds.ts';
import { aMerchant, aService, type Service, type TestMerchant, type TestWorld } from '../support/service.ts';
import { aCertificate, walletConfig } from '../support/wallet.ts';

let service: Service;
let merchant: TestMerchant;
let person: TestPerson;
let stranger: TestPerson;

const path = '/panel/api/attention';

async function itemsOf(who: TestPerson, kind: string) {
  const { status, body, text } = await who.ask('GET', path);
  assert.equal(status, 200, text);
  return body.items.filter((item: { kind: string }) => item.kind === kind);
}

before(async () => {
  service = await aService({ config: walletConfig() });
  merchant = await aMerchant(service);
  person = await aPerson(service, 'staff', merchant.id);
  stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
});

suite('GET /panel/api/attention', () => {
  test('nothing, at first; 401 without a session', async () => {
    assert.deepEqual((await person.ask('GET', path)).body.items, []);
    assert.equal((await service.ask('GET', path)).status, 401);
  });

  test('a failing endpoint, until it responds again', async () => {
    const receiver = await aReceiver();
    receiver.answer = { status: 500, body: '' };
    const callbacks = { notification: { url: `${receiver.url}/hook` } };
    await aPaidTransaction(service, merchant, { callbacks });
    await settleAll(service.world);
    const [failing] = await itemsOf(person, 'failing_endpoint');
    assert.deepEqual([failing.subject, failing.severity], [new URL(receiver.url).origin, 'warning']);
    assert.equal(failing.error, 'wrong_status');
    assert.deepEqual(await itemsOf(stranger, 'failing_endpoint'), []);
    receiver.answer = { status: 200, body: 'TRUE' };
    await passTime(service.world, { hours: 2 }, 8);
    assert.deepEqual(await itemsOf(person, 'failing_endpoint'), []);
  });

  test('a balance that does not cover the refunds of another week', async () => {
    const id = await aPaidTransaction(service, merchant, { amount: 70 });
    assert.deepEqual(await itemsOf(person, 'low_balance'), []);
    await refund(service, merchant, id, { amount: 60 });
    await settleAll(service.world);
    const [low] = await itemsOf(person, 'low_balance');
    assert.deepEqual([low.amount, low.severity], [60, 'critical']);
  });

  test('a payment whose result the bank does not tell, after three days', async () => {
    service.world.bank.setFaults({ lostAnswer: { probability: 1, seed: 0 } });
    const id = await aTransaction(service, merchant);
    await payBlik(service, merchant, id);
    service.world.bank.setFaults({});
    const away = { kind: 'notReached' } as const;
    const bankAway: TestWorld = {
      ...service.world,
      acquirers: acquirersOf(service.world, {
        ...gated(service.world.bank, {}),
        findCharge: async () => away,
        cancel: async () => away,
      }),
    };
    await passTime(bankAway, { hours: 80 }, 40);
    const [parked] = await itemsOf(person, 'parked_payment');
    assert.deepEqual([parked.subject, parked.amount, parked.severity], [id, 10.01, 'critical']);
    assert.deepEqual(parked.why, unresolvedReason('no_result'));
    assert.deepEqual(await itemsOf(stranger, 'parked_payment'), []);
  });

  // Guarantee: owners learn who signs in with a password only; nobody else does, and blocked people do not count.
  test('people without a second factor', async () => {
    const account = (await aMerchant(service)).id;
    const owner = await aPerson(service, 'owner', account);
    const staff = await aPerson(service, 'staff', account);
    const [people] = await itemsOf(owner, 'no_second_factor');
    assert.deepEqual([people.count, people.severity], [2, 'warning']);
    assert.deepEqual(await itemsOf(staff, 'no_second_factor'), []);
    await owner.ask('POST', `/panel/api/users/${staff.id}`, { body: { blocked: true } });
    assert.equal((await itemsOf(owner, 'no_second_factor'))[0].count, 1);
    const operator = await aPerson(service, 'operator', null);
    assert.deepEqual(await itemsOf(operator.as(account), 'no_second_factor'), []);
  });

  test('a wallet certificate that ends within 30 days', async () => {
    await aCertificate(service, merchant);
    assert.deepEqual(await itemsOf(person, 'expiring_certificate'), []);
    const ends = await service.world.db.sql.one((row) => readInstant(row, 'expires_at'))`
      select expires_at from wallet_certificate where merchant_id = ${merchant.id}`;
    service.world.wall.set(ends.subtract({ hours: 24 * 20 }).toString());
    const again = await aPerson(service, 'owner', merchant.id);
    const [ending] = await itemsOf(again, 'expiring_certificate');
    assert.deepEqual([ending.until, ending.severity], [ends.toString(), 'warning']);
  });

  // Guarantee: nobody misses the day until when a dispute can be answered; then there is nothing left to do.
  test('disputes to answer, the first deadline first', async () => {
    const { id: account, ...shop } = await aMerchant(service);
    const mine = { ...shop, id: account };
    const who = await aPerson(service, 'read_only', account);
    const [one, other] = [await aPaidTransaction(service, mine), await aPaidTransaction(service, mine)];
    const inDays = (days: number) => service.world.clock.now().add({ hours: 24 * days });
    await sayDispute(service.world, one, 'opened', 400n, { respondUntil: inDays(9), reason: 'duplicate' });
    await sayDispute(service.world, other, 'opened', 300n, { respondUntil: inDays(2) });
    const items = await itemsOf(who, 'dispute_to_answer');
    assert.deepEqual(
      items.map(({ subject, amount, reason, severity }: Record<string, unknown>) => [
        subject,
        amount,
        reason,
        severity,
      ]),
      [
        [other, 3, 'fraudulent', 'critical'],
        [one, 4, 'duplicate', 'critical'],
      ],
    );
    assert.equal(items[1].until, inDays(9).toString());
    const nobody = await aPerson(service, 'owner', (await aMerchant(service)).id);
    assert.deepEqual(await itemsOf(nobody, 'dispute_to_answer'), []);
    await sayDispute(service.world, one, 'lost', 400n);
    assert.equal((await itemsOf(who, 'dispute_to_answer')).length, 1);
    service.world.clock.advance({ hours: 48 });
    assert.deepEqual(await itemsOf(who, 'dispute_to_answer'), []);
  });

  // Guarantee: it is no doubt about a result, and no unnamed move: the merchant reads that it has the money again.
  test('a refund that came back, in the overview and in the ledger', async () => {
    const poor = await aMerchant(service, { refundFeeMinor: 100n });
    await fund(service, poor, 10_000n);
    const who = await aPerson(service, 'staff', poor.id);
    service.world.bank.setFaults({ returnedRefund: { probability: 1, seed: 1, seconds: 60 } });
    const id = await aPaidTransaction(service, poor, { amount: 10 });
    await passTime(service.world, { minutes: 1 }, 1);
    await refund(service, poor, id, { amount: 4 });
    await passTime(service.world, { minutes: 3 }, 3);
    service.world.bank.setFaults({});
    const [item] = await itemsOf(who, 'refund_came_back');
    assert.deepEqual([item?.subject, item?.amount, item?.severity], [id, 4, 'warning']);
    assert.deepEqual(await itemsOf(who, 'parked_refund'), []);
    const { body } = await who.ask('GET', '/panel/api/ledger');
    const moves = body.moves.map(({ kind, amount, fee }: { kind: string; amount: number; fee: number }) =>
      [kind, amount, fee].join(' '),
    );
    assert.deepEqual(moves.slice(0, 2), ['refund_returned 4 1', 'refund -4 -1']);
  });
});
