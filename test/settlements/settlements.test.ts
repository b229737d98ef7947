// GET /settlements: every change of a balance once, in order, from cut to cut.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { AccountId } from '../../src/kernel/index.ts';
import { findBalance, ledgerAccounts, post } from '../../src/ledger/index.ts';
import { verifyCounts } from '../../src/panel/counts/count.ts';
import { askSettlements } from '../../src/settlements/index.ts';
import { verifySettlements } from '../../src/settlements/verify.ts';
import { mailsTo } from '../support/mail.ts';
import { aChild, aPaidSplit, aPartner } from '../support/marketplace.ts';
import { aPaidTransaction, settleAll } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { aRefund } from '../support/refunds.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

interface Shown {
  readonly settlementId: string;
  readonly number: number;
  readonly reason: string;
  readonly payoutId: string | null;
  readonly opening: number;
  readonly closing: number;
  readonly amount: number;
  readonly fee: number;
  readonly commission: number;
  readonly other: number;
  readonly lines: number;
}

let service: Service;
before(async () => {
  service = await aService({ catchMail: true });
  for (const clock of [service.world.clock, service.world.wall]) clock.set('2026-11-20T10:00:00Z');
  await settleAll(service.world);
});

const get = (path: string, { token }: Pick<TestMerchant, 'token'>, headers: Record<string, string> = {}) =>
  service.ask('GET', path, { token, headers });

async function listOf(merchant: Pick<TestMerchant, 'token'>, headers = {}): Promise<Shown[]> {
  const answer = await get('/settlements', merchant, headers);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.total, answer.body.settlements.length);
  return answer.body.settlements;
}

async function linesOf(merchant: Pick<TestMerchant, 'token'>, id: string, headers = {}) {
  const answer = await get(`/settlements/${id}/lines?limit=100`, merchant, headers);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.lines as { kind: string; net: number; reference: string | null; hiddenDescription: string }[];
}

/** Books a payout as the run does, and asks for its settlement. */
async function aPayout(accountId: AccountId, minor: bigint, kind = 'payout created'): Promise<string> {
  const { db, ids, clock } = service.world;
  const payoutId = ids.ulid();
  const { available, payoutTransit } = ledgerAccounts;
  // Journals of one instant are sealed in any order.
  clock.advance({ seconds: 1 });
  const entries = [
    { account: available(accountId), amountMinor: minor },
    { account: payoutTransit(accountId), amountMinor: -minor },
  ];
  await db.atomic(async (sql) => {
    await askSettlements(sql, [{ accountId, payoutId }], clock.now());
    await post(sql, ids, [{ source: payoutId, kind, currency: 'PLN', entries }], clock.now());
  });
  return payoutId;
}

async function cut(...accountIds: AccountId[]) {
  await settleAll(service.world);
  return service.rooms.settlements.cut(accountIds);
}

const cents = (amount: number) => Math.round(amount * 100);
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + cents(one), 0);

const fees = { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n, refundFeeMinor: 30n };

suite('settlements', () => {
  // Guarantee: a payout is explained to the grosz: its settlement ends with it, and has everything since the one before it.
  test('two payouts, and what happened between them', async () => {
    const merchant = await aMerchant(service, fees);
    assert.deepEqual(await listOf(merchant), []);
    const paid = await aPaidTransaction(service, merchant, { amount: 100, hiddenDescription: 'one' });
    service.world.clock.advance({ seconds: 1 });
    await aPaidTransaction(service, merchant, { amount: 50 });
    const first = await aPayout(merchant.id, 9_000n);
    service.world.clock.advance({ seconds: 1 });
    const refundId = await aRefund(service, merchant, paid, { amount: 20 });
    const second = await aPayout(merchant.id, 1_000n);
    service.world.clock.advance({ seconds: 1 });
    await aPaidTransaction(service, merchant, { amount: 7 });
    await settleAll(service.world);
    const [latest, oldest, ...others] = await listOf(merchant);
    assert.ok(latest && oldest && others.length === 0);
    assert.deepEqual([oldest.number, oldest.payoutId, oldest.opening, oldest.lines], [1, first, 0, 3]);
    assert.deepEqual([oldest.amount, oldest.fee, oldest.other, oldest.closing], [150, -2, -90, 58]);
    assert.deepEqual([latest.number, latest.payoutId, latest.opening, latest.lines], [2, second, 58, 2]);
    assert.deepEqual([latest.amount, latest.fee, latest.other, latest.closing], [-20, -0.3, -10, 27.7]);
    assert.equal(latest.reason, 'payout');
    const lines = await linesOf(merchant, oldest.settlementId);
    assert.deepEqual(
      lines.map(({ kind, net, reference }) => [kind, net, reference]),
      [
        ['payment', 98.75, null],
        ['payment', 49.25, null],
        ['payout_created', -90, first],
      ],
    );
    assert.equal(lines[0]?.hiddenDescription, 'one');
    const of = async (payoutId: string) => (await get(`/settlements?payoutId=${payoutId}`, merchant)).body;
    const { settlements: found, total } = await of(first);
    assert.deepEqual([found, total], [[oldest], 1]);
    assert.deepEqual((await of(refundId)).settlements, []);
    const next = await linesOf(merchant, latest.settlementId);
    assert.deepEqual(
      next.map(({ kind, net, reference }) => [kind, net, reference]),
      [
        ['refund', -20.3, refundId],
        ['payout_created', -10, second],
      ],
    );
  });

  // Guarantee: settlements have no gap and no overlap, and what they come to is the balance.
  test('every change of the balance is in exactly one', async () => {
    const merchant = await aMerchant(service, fees);
    const seen: string[] = [];
    for (const amount of [10, 20, 30]) {
      await aPaidTransaction(service, merchant, { amount });
      await cut(merchant.id);
      // Without anything new there is none.
      assert.deepEqual(await cut(merchant.id), []);
    }
    const list = (await listOf(merchant)).toReversed();
    assert.deepEqual(
      list.map(({ number, reason }) => [number, reason]),
      [1, 2, 3].map((number) => [number, 'command']),
    );
    let closing = 0;
    for (const one of list) {
      assert.equal(one.opening, closing);
      const lines = (await get(`/settlements/${one.settlementId}/lines`, merchant)).body.lines;
      assert.equal(lines.length, one.lines);
      assert.equal(sumOf([one.opening, ...lines.map(({ net }: { net: number }) => net)]), cents(one.closing));
      seen.push(...lines.map(({ journalId }: { journalId: string }) => journalId));
      closing = one.closing;
    }
    assert.equal(new Set(seen).size, seen.length);
    const balance = await findBalance(service.world.db.sql, ledgerAccounts.available(merchant.id));
    assert.equal(BigInt(cents(closing)), balance);
  });

  // Guarantee: a kind of journal that this version does not know is printed.
  test('an unknown kind', async () => {
    const merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant, { amount: 10 });
    const { db, ids, clock } = service.world;
    clock.advance({ seconds: 1 });
    const entries = [
      { account: ledgerAccounts.available(merchant.id), amountMinor: 100n },
      { account: ledgerAccounts.bankOwn, amountMinor: -100n },
    ];
    await db.atomic((sql) =>
      post(sql, ids, [{ source: ids.ulid(), kind: 'tax of the moon', currency: 'PLN', entries }], clock.now()),
    );
    const [made] = (await cut(merchant.id)) ?? [];
    assert.ok(made);
    const lines = await linesOf(merchant, made.id);
    assert.deepEqual(
      lines.map(({ kind, net }) => [kind, net]),
      [
        ['payment', 10],
        ['tax_of_the_moon', -1],
      ],
    );
  });

  // Guarantee: a payout's settlement is never lost to another cut: until it is there, no other one is made.
  test('a cut by command while a payout waits', async () => {
    const merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant, { amount: 10 });
    const payoutId = await aPayout(merchant.id, 300n);
    await service.rooms.ledger.seal();
    await service.rooms.panel.sumUp();
    assert.deepEqual(await service.rooms.settlements.cut([merchant.id]), []);
    await settleAll(service.world);
    const [only, ...others] = await listOf(merchant);
    assert.deepEqual([only?.payoutId, others.length], [payoutId, 0]);
  });

  // Guarantee: asking again for a payout makes no second settlement.
  test('asked twice', async () => {
    const merchant = await aMerchant(service);
    await aPaidTransaction(service, merchant, { amount: 10 });
    const payoutId = await aPayout(merchant.id, 300n);
    const { db, clock } = service.world;
    await askSettlements(db.sql, [{ accountId: merchant.id, payoutId }], clock.now());
    await settleAll(service.world);
    assert.equal((await listOf(merchant)).length, 1);
  });

  // Guarantee: an account without a payout gets a settlement when its month has ended, in its own time zone.
  test('months', async () => {
    const merchant = await aMerchant(service, { zone: 'Europe/Warsaw' });
    const paidOut = await aMerchant(service);
    const { clock } = service.world;
    await aPaidTransaction(service, merchant, { amount: 10 });
    // 23:59 there, and a minute later the next month.
    clock.set('2026-11-30T22:59:00Z');
    await aPaidTransaction(service, merchant, { amount: 20 });
    await aPaidTransaction(service, paidOut, { amount: 20 });
    await aPayout(paidOut.id, 500n);
    clock.set('2026-11-30T23:01:00Z');
    await aPaidTransaction(service, merchant, { amount: 40 });
    await settleAll(service.world);
    assert.deepEqual(await listOf(merchant), []);
    // It has begun everywhere at noon UTC.
    clock.set('2026-12-01T12:01:00Z');
    await settleAll(service.world);
    const [month, ...others] = await listOf(merchant);
    assert.deepEqual([month?.reason, month?.closing, others.length], ['month', 30, 0]);
    assert.equal((await listOf(paidOut)).length, 1);
    await settleAll(service.world);
    assert.equal((await listOf(merchant)).length, 1);
    clock.set('2027-01-01T12:01:00Z');
    await settleAll(service.world);
    assert.deepEqual(
      (await listOf(merchant)).map(({ opening, closing }) => [opening, closing]),
      [
        [30, 70],
        [0, 30],
      ],
    );
  });

  // Guarantee: a partner sees those of its seller, who sees what was written for it and not what its partner wrote for itself.
  test('of a seller', async () => {
    const partner = await aPartner(service, [{ paymentFeeBasisPoints: 1_000 }]);
    const [seller] = partner.sellers;
    assert.ok(seller);
    await aPaidSplit(service, partner, [aChild(partner, 0, 1_000)]);
    await cut(seller.id);
    const asSeller = { 'x-merchant-id': seller.id };
    const [made] = await listOf(partner, asSeller);
    assert.deepEqual([made?.amount, made?.fee, made?.closing], [10, -1, 9]);
    const [line] = (await get(`/settlements/${made?.settlementId}/lines`, partner, asSeller)).body.lines;
    assert.equal(line.isOwn, false);
    assert.deepEqual(await listOf(partner), []);
  });

  // Guarantee: the file has every line, whatever the page, and adds up.
  test('as CSV', async () => {
    const merchant = await aMerchant(service, fees);
    for (let amount = 1; amount <= 3; amount += 1) {
      service.world.clock.advance({ seconds: 1 });
      await aPaidTransaction(service, merchant, { amount, hiddenDescription: '=1+1' });
    }
    const [made] = (await cut(merchant.id)) ?? [];
    const path = `/settlements/${made?.id}/lines`;
    const { status, headers, text } = await get(`${path}?limit=1`, merchant, { accept: 'text/csv' });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('x-total-rows'), '3');
    const [heading, ...rows] = text.trim().split('\r\n');
    assert.equal(
      heading,
      'date,kind,amount,fee,commission,other,net,transactionId,transactionTitle,hiddenDescription,reference,journalId',
    );
    assert.equal(rows.length, 3);
    assert.ok(rows[0]?.startsWith('2027-01-01 '), `${rows[0]}`);
    assert.match(rows[2] ?? '', /,payment,3\.00,-0\.28,0\.00,0\.00,2\.72,\w{26},TR-[\w-]+,"'=1\+1",,\w{26}$/);
    const { body } = await get(`${path}?page=2&limit=2`, merchant, { accept: 'text/csv;q=0.5, application/json' });
    assert.deepEqual([body.lines.length, body.page, body.limit, body.total], [1, 2, 2, 3]);
    assert.deepEqual((await get(`${path}?page=9`, merchant)).body.lines, []);
  });

  // Guarantee: who asked for it is told by a signed notification, others by mail only, and nobody who switched that off.
  test('is told', async () => {
    const receiver = await aReceiver();
    const told = await aMerchant(service, { email: 'told@example.com', moneyUrl: `${receiver.url}/money` });
    const mute = await aMerchant(service, { email: 'mute@example.com', settlementMails: false });
    for (const merchant of [told, mute]) await aPaidTransaction(service, merchant, { amount: 12.5 });
    await cut(told.id, mute.id);
    await settleAll(service.world);
    await receiver.got(1);
    const [received] = receiver.received;
    assert.ok(received?.headers['webhook-signature'] && received.headers['x-jws-signature']);
    const [made] = await listOf(told);
    assert.deepEqual(JSON.parse(received.body ?? ''), {
      type: 'settlement',
      data: {
        settlementId: made?.settlementId,
        settlementNumber: 1,
        payoutId: null,
        settlementOpening: '0.00',
        settlementClosing: '12.50',
        settlementCurrency: 'PLN',
        settlementLines: 1,
        settlementDate: '2027-01-01 13:01:03',
      },
      merchantId: told.id,
    });
    const [mail, ...others] = await mailsTo(service.world, 'told@example.com');
    assert.equal(others.length, 0);
    assert.equal(mail?.subject, 'Settlement no. 1');
    assert.match(mail?.text ?? '', new RegExp(`/panel/money/settlements/${made?.settlementId}`));
    assert.deepEqual(await mailsTo(service.world, 'mute@example.com'), []);
    const events = (await get('/events?type=settlement', mute)).body.events;
    assert.deepEqual(events, []);
  });

  // Guarantee: nothing of another account, and no error that reveals it.
  test('of somebody else, or malformed', async () => {
    const [merchant, other] = [await aMerchant(service), await aMerchant(service)];
    await aPaidTransaction(service, merchant, { amount: 10 });
    const [made] = (await cut(merchant.id)) ?? [];
    assert.ok(made);
    for (const path of [`/settlements/${made.id}`, `/settlements/${made.id}/lines`]) {
      assert.equal((await get(path, merchant)).status, 200);
      assert.equal((await get(path, other)).status, 404);
      assert.equal((await service.ask('GET', path)).status, 401);
    }
    for (const id of ['x', '%00', made.id.toLowerCase(), 'a'.repeat(500)])
      assert.equal((await get(`/settlements/${id}`, merchant)).status, 404, id);
    const refused = async (query: string): Promise<string[]> => {
      const answer: Answer = await get(`/settlements/${made.id}/lines?${query}`, merchant);
      assert.equal(answer.status, 400, query);
      return faultsOf(answer);
    };
    assert.deepEqual(await refused('page=0&limit=101'), ['too_high limit', 'too_low page']);
    assert.deepEqual(await refused('page=-1&limit=0'), ['too_low limit', 'too_low page']);
    assert.deepEqual(await refused('page=x'), ['not_integer page']);
    assert.deepEqual(await refused('page=1000001'), ['too_high page']);
    assert.equal((await service.ask('GET', '/settlements')).status, 401);
  });

  // Guarantee: `verify` finds nothing wrong in what is right.
  test('are verified', async () => {
    const { world } = service;
    await settleAll(world);
    assert.deepEqual(await verifySettlements(whole(world)), []);
    assert.deepEqual(await verifyCounts(whole(world)), []);
  });
});
