// Two acquirers at once: what one has begun stays with it, and routes and faults decide only about new charges.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ChargeAnswer, ChargeRequest } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { Gate, gated } from '../support/gate.ts';
import { aPaidTransaction, aTransaction, checkInvariants, payBlik, payCard, show } from '../support/payments.ts';
import { aRefund } from '../support/refunds.ts';
import { handleCallback } from '../support/rooms.ts';
import { aMerchant, atEnd, type Service, serve, type TestMerchant } from '../support/service.ts';
import { aTwoBankWorld, attemptsAt, settleBoth, type TwoBankWorld, through, unreached } from '../support/two-banks.ts';

let world: TwoBankWorld;
/** The first bank takes what is new. */
let service: Service;
let merchant: TestMerchant;

before(async () => {
  world = await aTwoBankWorld();
  service = await serve(world);
  merchant = await aMerchant(service);
  atEnd(async () => {
    await settleBoth(world);
    await checkInvariants(world);
  });
});

const keyOf = (id: string) => world.db.sql.one((row) => readText(row, 'id'))`
  select id from charge where transaction_id = ${id} order by number desc limit 1`;

async function waitingAt(at: Service): Promise<{ id: string; key: string }> {
  const id = await aTransaction(at, merchant, { amount: 10.02 });
  const answer = await at.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: { channelId: 21 } });
  assert.equal(answer.status, 200, answer.text);
  return { id, key: await keyOf(id) };
}

suite('a row is the matter of the acquirer that it names', () => {
  // Guarantee: a request that is repeated after its process died, while the bank cannot be reached, ends nothing: the bank is
  // asked what became of the first one, and the payer pays once.
  test('captured, and the repeated request does not reach the bank', async () => {
    const dies = async (request: ChargeRequest): Promise<ChargeAnswer> => {
      await world.bank.charge(request);
      throw new Error('The process dies here.');
    };
    const dying = await serve(through(world, [{ ...gated(world.bank, {}), charge: dies }, world.second]));
    const id = await aTransaction(dying, merchant);
    const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
    const request = { token: merchant.token, body, headers: { 'idempotency-key': `captured-${id}` } };
    assert.equal((await dying.ask('POST', `/transactions/${id}/pay`, request)).status, 500);
    const away = await serve(through(world, [unreached(world.bank), world.second]));
    assert.equal((await away.ask('POST', `/transactions/${id}/pay`, request)).body.status, 'pending');
    assert.deepEqual(await attemptsAt(world, id), ['simulator unknown']);
    world.clock.advance({ minutes: 1 });
    await settleBoth(world);
    assert.deepEqual(await attemptsAt(world, id), ['simulator correct']);
    assert.equal((await show(service, merchant, id)).body.status, 'paid');
  });

  // Guarantee: with another acquirer in front, what the first captured is refunded by the first.
  test('a refund goes to the one that captured', async () => {
    const id = await aPaidTransaction(service, merchant);
    const turned = await serve(through(world, [world.second], [world.bank]));
    const other = await aPaidTransaction(turned, merchant);
    assert.deepEqual(await attemptsAt(world, id), ['simulator correct']);
    assert.deepEqual(await attemptsAt(world, other), ['second correct']);
    for (const one of [id, other]) await aRefund(turned, merchant, one);
    world.clock.advance({ seconds: 10 });
    await settleBoth(turned.world as TwoBankWorld);
    for (const one of [id, other]) assert.equal((await show(service, merchant, one)).body.status, 'refund');
    assert.equal(world.bank.record().netMinor.get(await keyOf(id)), 0n);
    assert.equal(world.second.record().netMinor.get(await keyOf(other)), 0n);
  });

  // Guarantee: switched off means no new charges, and nothing else.
  test('one that is switched off settles what it began', async () => {
    const { id, key } = await waitingAt(service);
    const off = await serve(through(world, [world.second], [world.bank]));
    const link = await world.db.sql.one((row) => readText(row, 'link'))`select link from charge where id = ${key}`;
    await world.bank.choose(link.split('/').at(-1) ?? '', 'confirm');
    const lost = await aTransaction(service, merchant);
    world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    await payBlik(service, merchant, lost);
    world.bank.setFaults({});
    world.clock.advance({ minutes: 1 });
    await settleBoth(off.world as TwoBankWorld);
    assert.deepEqual(await attemptsAt(world, lost), ['simulator correct']);
    assert.deepEqual(await attemptsAt(world, id), ['simulator correct']);
    const next = await aPaidTransaction(off, merchant);
    assert.deepEqual(await attemptsAt(world, next), ['second correct']);
  });

  // Guarantee: an unknown result is looked up where it was asked, not at the acquirer that is in front now.
  test('a cancel goes to the one that was asked', async () => {
    const { id, key } = await waitingAt(service);
    const turned = await serve(through(world, [world.second], [world.bank]));
    const answer = await turned.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    assert.equal(answer.status, 200, answer.text);
    await settleBoth(turned.world as TwoBankWorld);
    assert.deepEqual(await attemptsAt(world, id), ['simulator canceled']);
    assert.ok(world.bank.record().cancels.some((one) => one.key === key));
    assert.deepEqual(world.second.record().cancels, []);
  });

  // Guarantee: nothing is concluded about rows whose acquirer nobody configured any more.
  test('one that is not there any more is asked nothing and concluded nothing', async () => {
    const id = await aTransaction(service, merchant);
    world.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
    await payBlik(service, merchant, id);
    world.bank.setFaults({});
    const gone = await serve(through(world, [world.second]));
    world.clock.advance({ minutes: 1 });
    await settleBoth(gone.world as TwoBankWorld);
    assert.deepEqual(await attemptsAt(world, id), ['simulator unknown']);
    world.clock.advance({ hours: 1 });
    await settleBoth(world);
    assert.deepEqual(await attemptsAt(world, id), ['simulator correct']);
  });
});

suite('a callback of another acquirer', () => {
  // Guarantee: whoever may speak for one acquirer says nothing about the money of another.
  test('does not approve, decline or cancel a charge', async () => {
    const { id, key } = await waitingAt(service);
    const before = await rowOf(key);
    for (const result of [
      { kind: 'approved', amount: money(1_002n, 'PLN') },
      { kind: 'declined', reason: 'timed out' },
      { kind: 'canceled' },
    ] as const) {
      await handleCallback(world, { kind: 'charge', key, result, lookedUp: true }, 'second');
      await handleCallback(world, { kind: 'charge', key, result }, 'nobody');
    }
    assert.equal(await rowOf(key), before, 'nothing changed');
    await handleCallback(
      world,
      { kind: 'charge', key, result: { kind: 'declined', reason: 'timed out' } },
      'simulator',
    );
    assert.deepEqual(await attemptsAt(world, id), ['simulator failed timed out']);
  });

  test('does not end a refund', async () => {
    const id = await aPaidTransaction(service, merchant);
    await aRefund(service, merchant, id);
    const key = await world.db.sql.one((row) => readText(row, 'id'))`
      select outgoing_refund.id from outgoing_refund join charge on charge.id = charge_key where transaction_id = ${id}`;
    const rowNow = () => world.db.sql.one((row) => readText(row, 'row'))`
      select row_to_json(outgoing_refund)::text as row from outgoing_refund where id = ${key}`;
    const before = await rowNow();
    for (const kind of ['approved', 'declined'] as const)
      await handleCallback(world, { kind: 'refund', key, result: { kind } }, 'second');
    assert.equal(await rowNow(), before);
  });

  // Guarantee: in one batch with the right one, only the right one counts.
  test('at the same time as the right one', async () => {
    const { id, key } = await waitingAt(service);
    await Promise.all([
      handleCallback(world, { kind: 'charge', key, result: { kind: 'canceled' } }, 'second'),
      handleCallback(
        world,
        { kind: 'charge', key, result: { kind: 'declined', reason: 'payer rejected' } },
        'simulator',
      ),
      handleCallback(world, { kind: 'charge', key, result: { kind: 'canceled' } }, 'second'),
    ]);
    assert.deepEqual(await attemptsAt(world, id), ['simulator failed payer rejected']);
  });

  const rowOf = (key: string) => world.db.sql.one((row) => readText(row, 'row'))`
    select row_to_json(charge)::text as row from charge where id = ${key}`;
});

suite('the next acquirer', () => {
  /** A service whose first bank answers charges so. */
  const answering = (answer: ChargeAnswer) =>
    serve(through(world, [{ ...gated(world.bank, {}), charge: async () => answer }, world.second]));

  // Guarantee: an acquirer that cannot be reached costs no payment: the next one is asked, under a key of its own.
  test('is asked when the first was not reached, and the merchant sees a paid transaction', async () => {
    const at = await serve(through(world, [unreached(world.bank), world.second]));
    const id = await aTransaction(at, merchant);
    const answer = await payBlik(at, merchant, id);
    assert.equal(answer.body.status, 'paid', answer.text);
    assert.deepEqual(await attemptsAt(world, id), ['simulator failed not reached', 'second correct']);
    const { attempts } = (await show(at, merchant, id)).body.payments;
    assert.deepEqual(
      attempts.map(({ status, paymentErrorCode }: Record<string, unknown>) => [status, paymentErrorCode]),
      [
        ['declined', '105'],
        ['correct', null],
      ],
    );
    assert.ok(world.second.record().netMinor.has(await keyOf(id)));
  });

  test('is asked for a new transaction too, with a card to be saved', async () => {
    const at = await serve(through(world, [unreached(world.bank), world.second]));
    const id = await aTransaction(at, merchant);
    const answer = await payCard(at, merchant, id, { save: true });
    assert.equal(answer.body.status, 'paid', answer.text);
    assert.deepEqual(await attemptsAt(world, id), ['simulator failed not reached', 'second correct']);
  });

  // Guarantee: a payment that may have been taken is never asked for a second time elsewhere.
  for (const [answer, expected] of [
    [{ kind: 'unknown' }, 'simulator unknown'],
    [{ kind: 'waiting', link: null }, 'simulator waiting'],
    [{ kind: 'declined', reason: 'payer rejected' }, 'simulator failed payer rejected'],
  ] as const) {
    test(`is not asked after ${answer.kind}`, async () => {
      const at = await answering(answer);
      const id = await aTransaction(at, merchant);
      await payBlik(at, merchant, id);
      assert.deepEqual(await attemptsAt(world, id), [expected]);
      world.clock.advance({ minutes: 10 });
      await settleBoth(world);
      assert.equal((await attemptsAt(world, id)).length, 1);
    });
  }

  test('is the last: then it is declined, as ever', async () => {
    const at = await serve(through(world, [unreached(world.bank), unreached(world.second)]));
    const id = await aTransaction(at, merchant);
    const { body } = await payBlik(at, merchant, id);
    assert.equal(body.status, 'pending');
    assert.deepEqual(await attemptsAt(world, id), ['simulator failed not reached', 'second failed internal error']);
  });

  // Guarantee: an account that is told of declined attempts is not told of one that went on with another acquirer.
  test('nobody is told of a declined attempt', async () => {
    const told = await aMerchant(service, { declineNotifications: true });
    const at = await serve(through(world, [unreached(world.bank), world.second]));
    const id = await aTransaction(at, told, { callbacks: { notification: { url: 'http://127.0.0.1:9/n' } } });
    await payBlik(at, told, id);
    const events = await world.db.sql.many((row) => readText(row, 'body'))`
      select body from event where account_id = ${told.id}`;
    assert.equal(events.length, 1);
    assert.match(events[0] ?? '', /tr_status=TRUE/);
  });

  // Guarantee: while the first is asked, somebody cancels: the next one is not asked.
  test('is not asked for a transaction that was canceled meanwhile', async () => {
    const gate = new Gate();
    const at = await serve(through(world, [gated(unreached(world.bank), { after: gate }), world.second]));
    const id = await aTransaction(at, merchant);
    const paying = payBlik(at, merchant, id);
    await gate.reachedBy(paying);
    const canceled = await service.ask('POST', `/transactions/${id}/cancel`, { token: merchant.token });
    assert.equal(canceled.status, 200, canceled.text);
    gate.open();
    await paying;
    assert.equal((await attemptsAt(world, id)).length, 1);
  });

  // Guarantee: one idempotency key is one payment, through however many acquirers it went.
  test('one key sent again leads to the same attempts', async () => {
    const at = await serve(through(world, [unreached(world.bank), world.second]));
    const id = await aTransaction(at, merchant);
    const body = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
    const headers = { 'idempotency-key': `next-${id}` };
    const ask = () => at.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body, headers });
    const [first, ...others] = [await ask(), await ask(), await ask()];
    for (const other of others) assert.deepEqual(other.body, first?.body);
    assert.deepEqual(await attemptsAt(world, id), ['simulator failed not reached', 'second correct']);
  });
});
