// A business in which everything has happened once: every state of charges, refunds, recurring payments and marketplace
// payments, what the bank did not know and what nobody asked for. What is damaged in it must be noticed.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { addPrice, assignPriceList, createPriceList } from '../../src/accounts/index.ts';
import type { DisputeStage } from '../../src/acquirer/index.ts';
import { handOver, makeFile } from '../../src/batches/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { blockPayouts, releasePayouts, settleFailed } from '../../src/payouts/index.ts';
import { listAccountIdsAfter } from '../../src/settlements/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { camt053, mt940 } from '../bankfiles/files.ts';
import { importInto, openOurs } from '../statements/support.ts';
import { aDraft, anApproved, anOperator, aPayingAccount, waitingPayouts } from './batches.ts';
import { aChild, aPaidSplit, aPartner, aSplit, refundSplit } from './marketplace.ts';
import { aPerson } from './panel.ts';
import { aPaidTransaction, aTransaction, payBlik, payCard, settleAll } from './payments.ts';
import { aPayout, aPayoutAccount, aSent, bankMoves } from './payouts.ts';
import { aReceiver } from './receiver.ts';
import { aRecurring, askRecurring, chargeAll } from './recurring.ts';
import { aRefund, fund } from './refunds.ts';
import { decideParked, handleCallback, listParked } from './rooms.ts';
import { aMerchant, aService, type Service, type TestMerchant } from './service.ts';

const fees = { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n, refundFeeMinor: 30n };
const always = { probability: 1, seed: 1 } as const;

/** All of it, at rest: nothing is due now. */
export async function aWholeBusiness(): Promise<Service> {
  const service = await aService({ catchMail: true });
  const merchant = await aMerchant(service, fees);
  await fund(service, merchant, 1_000_000n);
  await aPerson(service, 'owner', merchant.id);
  await prices(service, merchant);
  await payments(service, merchant);
  await refunds(service, merchant);
  await disputes(service, merchant);
  await recurring(service, merchant);
  await marketplace(service);
  await statement(service, merchant);
  await bank(service);
  await payouts(service);
  await atTheEnd(service, merchant);
  return service;
}

async function withFaults(service: Service, faults: Faults, work: () => Promise<unknown>): Promise<void> {
  service.world.bank.setFaults(faults);
  try {
    await work();
  } finally {
    service.world.bank.setFaults({});
  }
}

async function pass(service: Service, duration: Temporal.DurationLike): Promise<void> {
  service.world.clock.advance(duration);
  await settleAll(service.world);
}

function cancel(service: Service, { token }: TestMerchant, id: string) {
  return service.ask('POST', `/transactions/${id}/cancel`, { token });
}

async function keyOf({ world }: Service, transactionId: string): Promise<string> {
  return world.db.sql.one((row) => readText(row, 'id'))`select id from charge where transaction_id = ${transactionId}`;
}

/** Captured, and no transaction takes it. */
async function aSurplus(service: Service, merchant: TestMerchant): Promise<string> {
  const id = await aTransaction(service, merchant);
  await withFaults(service, { lostAnswer: always }, () => payBlik(service, merchant, id));
  await cancel(service, merchant, id);
  const result = { kind: 'approved', amount: money(1_001n, 'PLN') } as const;
  await handleCallback(service.world, { kind: 'charge', key: await keyOf(service, id), result });
  return id;
}

/** The same fees as before, by a list. */
async function prices({ world }: Service, merchant: TestMerchant): Promise<void> {
  const list = await createPriceList(world, 'Shops');
  const price = { channelId: null, basisPoints: 100, fixedMinor: 25n, minimumMinor: 10n, maximumMinor: 90_000n };
  await addPrice(world, list.id, { ...price, kind: 'payment' });
  await addPrice(world, list.id, { ...price, kind: 'payout', maximumMinor: 500n });
  await assignPriceList(world, merchant.id, list.id);
}

async function payments(service: Service, merchant: TestMerchant): Promise<void> {
  const receiver = await aReceiver();
  const callbacks = { notification: { url: receiver.url } };
  await aPaidTransaction(service, merchant, { callbacks });
  await aPaidTransaction(service, merchant, { amount: 25 });
  const card = await aTransaction(service, merchant);
  await payCard(service, merchant, card, { save: true });
  await aTransaction(service, merchant);
  await cancel(service, merchant, await aTransaction(service, merchant));
  const declined = await aTransaction(service, merchant);
  await payBlik(service, merchant, declined, '111111');
  await aSurplus(service, merchant);
  await pass(service, { seconds: 10 });
}

async function refunds(service: Service, merchant: TestMerchant): Promise<void> {
  const paid = () => aPaidTransaction(service, merchant);
  const changed = (id: string, verb: 'hold' | 'cancel') =>
    service.ask('POST', `/refunds/${id}/${verb}`, { token: merchant.token });
  await aRefund(service, merchant, await paid(), { amount: 5 });
  await aRefund(service, merchant, await paid());
  await pass(service, { seconds: 10 });
  const canceled = await aRefund(service, merchant, await aPaidCard(service, merchant), { amount: 4 });
  assert.equal((await changed(canceled, 'cancel')).status, 200);
  const refused = await aRefund(service, merchant, await paid(), { amount: 3 });
  const late = await aRefund(service, merchant, await paid(), { amount: 2 });
  await withFaults(service, { refusedRefund: always }, () => pass(service, { seconds: 10 }));
  assert.ok(refused);
  await handleCallback(service.world, { kind: 'refund', key: late, result: { kind: 'approved' } });
  await withFaults(service, { returnedRefund: always }, async () => {
    await aRefund(service, merchant, await paid(), { amount: 6 });
    await pass(service, { seconds: 10 });
  });
  service.world.bank.setFaults({});
}

/** Open, won, lost; of sellers; and more than the balance has, so that something is owed. */
async function disputes(service: Service, merchant: TestMerchant): Promise<void> {
  const say = async (key: string, id: string, stages: readonly DisputeStage[], minor: bigint) => {
    const chargeKey = await keyOf(service, id);
    const amount = money(minor, 'PLN');
    for (const kind of stages) {
      const result = { kind, chargeKey, amount, reason: 'fraudulent', respondUntil: null };
      await handleCallback(service.world, { kind: 'dispute', key, result });
    }
  };
  await unclaimed(service);
  // A surplus that its payer got by a dispute instead, in part.
  await say('dp_instead', await aSurplus(service, merchant), ['opened', 'lost'], 900n);
  await pass(service, { seconds: 10 });
  const [instead] = (await listParked(service.world)).filter(({ kind }) => kind === 'surplus');
  await decideParked(service.world, instead?.id ?? '', 'not-captured');
  await say('dp_open', await aPaidTransaction(service, merchant), ['opened'], 400n);
  await say('dp_won', await aPaidTransaction(service, merchant), ['opened', 'won'], 500n);
  await say('dp_lost', await aPaidTransaction(service, merchant), ['opened', 'lost'], 600n);
  const poor = await aMerchant(service, fees);
  const paid = await aPaidTransaction(service, poor);
  await aRefund(service, poor, paid, { amount: 5 });
  await pass(service, { seconds: 10 });
  await say('dp_owed', paid, ['opened'], 700n);
  const partner = await aPartner(service, [fees, {}, {}]);
  const children = [aChild(partner, 0, 1_000, { commission: 100 }), aChild(partner, 1, 500)];
  await say('dp_split', await aPaidSplit(service, partner, children), ['opened'], 900n);
}

/** Paid, refused, sent back and still open; one of them of a run. */
async function payouts(service: Service): Promise<void> {
  const { world } = service;
  const merchant = await aMerchant(service);
  await fund(service, merchant, 100_000n);
  await aPayoutAccount(service, merchant);
  const paid = await aSent(service, merchant, 300n, 3n);
  const back = await aSent(service, merchant, 100n, 1n);
  const { id } = await aSent(service, merchant, 2_000n, 20n);
  const reason = { code: 'refused_by_bank', parameters: { code: 'AC04', words: null } } as const;
  await world.db.atomic((sql) => settleFailed(world, sql, [{ id, reason }]));
  const after = await aSent(service, merchant, 150n);
  await bankMoves(service, [
    [paid.id, -300n],
    [back.id, -100n],
    [back.id, 100n],
    [after.id, -150n],
    [after.id, 140n, 'NRTI'],
    [after.id, -150n],
    [id, -2_000n],
  ]);
  await batches(service);
  await aPayout(service, merchant, 4_000n, 10n);
  const runId = world.ids.ulid();
  await world.db.sql.run`
    insert into payout_run (id, day, started_at, ended_at, reached, payouts, total_minor)
    values (${runId}, '2026-11-02', ${world.clock.now()}, ${world.clock.now()}, ${merchant.id}, 1, 700)`;
  await aPayout(service, merchant, 700n, 0n, runId);
  const blocked = await aMerchant(service);
  for (const change of [blockPayouts, releasePayouts]) await change(world, blocked.id, 'operator@grosz.example');
}

async function aPaidCard(service: Service, merchant: TestMerchant): Promise<string> {
  const id = await aTransaction(service, merchant);
  await payCard(service, merchant, id);
  return id;
}

async function recurring(service: Service, merchant: TestMerchant): Promise<void> {
  const daily = { interval: 1, intervalType: 'days' };
  await aRecurring(service, merchant, {
    schedule: { ...daily, retryIntervals: [{ value: 10, unit: 'minutes' }] },
    paymentInstrument: { value: 'fail-1-payer-rejected' },
  });
  await aRecurring(service, merchant, { schedule: { ...daily, chargeCount: 2 } });
  const rejected = { paymentInstrument: { value: 'payer-rejected' } };
  await aRecurring(service, merchant, { ...rejected, schedule: { retryIntervals: [] } });
  await aRecurring(service, merchant, { ...rejected, schedule: { retryIntervals: [{ value: 30, unit: 'days' }] } });
  const canceled = await aRecurring(service, merchant, {});
  for (const minutes of [0, 10, 24 * 60, 10]) {
    service.world.clock.advance({ minutes });
    await chargeAll(service.world);
  }
  await askRecurring(service, merchant, canceled, 'cancel');
  await settleAll(service.world);
}

async function marketplace(service: Service): Promise<void> {
  const partner = await aPartner(service, [fees, {}, {}]);
  const tea = { externalId: 'tea', name: 'Tea', quantity: 4, unitPrice: 100 };
  const children = [
    aChild(partner, 0, 1_000, { commission: 100, products: [tea] }),
    aChild(partner, 1, 500, { products: [tea] }),
  ];
  const id = await aPaidSplit(service, partner, children);
  await aSplit(service, partner, children);
  const seller = partner.sellers[0]?.id;
  const products = [{ externalId: 'tea', quantity: 1, unitPrice: 100 }];
  for (const part of [{ products }, { amount: 250 }]) {
    const answer = await refundSplit(service, partner, id, { childTransactions: [{ merchantId: seller, ...part }] });
    assert.equal(answer.status, 200, answer.text);
    await pass(service, { seconds: 10 });
  }
}

/** Of charges that nobody has: we bear one, one waits for an operator. */
async function unclaimed(service: Service): Promise<void> {
  for (const [key, minor] of [
    ['dp_ours', 300n],
    ['dp_nobodys', 200n],
  ] as const) {
    const amount = money(minor, 'PLN');
    const result = { kind: 'opened', chargeKey: 'nobody', amount, reason: 'fraudulent', respondUntil: null } as const;
    await handleCallback(service.world, { kind: 'dispute', key, result });
  }
  await pass(service, { hours: 73 });
  const [ours] = (await listParked(service.world)).filter(({ amountMinor }) => amountMinor === 300n);
  await decideParked(service.world, ours?.id ?? '', { capturedMinor: 300n });
}

/**
 * The bank knows captures that we do not: one is decided and goes back, one waits. It also pays out, and has lines that
 * nobody knows.
 */
async function statement(service: Service, merchant: TestMerchant): Promise<void> {
  const { world, rooms } = service;
  await pass(service, { hours: 30 });
  world.bank.setFaults({ chargeFee: always, otherLine: { ...always, seconds: 0 } });
  const keys = [await aPaidTransaction(service, merchant), await aPaidTransaction(service, merchant)];
  const file = new DatabaseSync(world.bankFile, { timeout: 10_000 });
  try {
    for (const id of keys) {
      const key = await keyOf(service, id);
      file.prepare('update charge set amount_minor = amount_minor + 100 where key = ?').run(key);
      file
        .prepare(
          `insert into charge select replace(key, substr(key, 20, 5), 'ZZZZZ'), ${columnsOf(file)} from charge where key = ?`,
        )
        .run(key);
    }
    file
      .prepare(
        `insert into move (kind, key, charge_key, owed_minor, currency, at)
         select 'dispute', 'dp_nobodys', 'nobody', -200, currency, captured_at from charge
          where captured_at is not null order by captured_at desc limit 1`,
      )
      .run();
  } finally {
    file.close();
  }
  world.bank.setFaults({});
  await pass(service, { seconds: 1 });
  const run = await rooms.reconciliation.reconcile({});
  assert.equal(run?.state, 'differs');
  const [first] = (await listParked(world)).filter(({ why }) => why.code === 'capture_not_booked');
  assert.ok(first);
  await decideParked(world, first.id, { capturedMinor: first.amountMinor });
  const [line] = (await listParked(world)).filter(({ why }) => why.code === 'line_suspended');
  assert.ok(line);
  await decideParked(world, line.id, { capturedMinor: line.amountMinor });
  await pass(service, { seconds: 10 });
}

function columnsOf(file: DatabaseSync): string {
  const columns = file.prepare("select name from pragma_table_info('charge') where name <> 'key'").all();
  return columns.map(({ name }) => String(name)).join(', ');
}

/** Statements of our bank: what nobody knows, what was decided, a gap, and lines that are there twice. */
async function bank(service: Service): Promise<void> {
  const { world, rooms } = service;
  await openOurs(world);
  const days = { opening: '9.00', closing: '22.00' };
  const entries = [
    { amount: '20.00', reference: 'B1' },
    { amount: '4.00', indicator: 'DBIT' },
  ] as const;
  await importInto(
    world,
    camt053({ ...days, entries: [...entries, { amount: '3.00', indicator: 'DBIT', reference: 'B3' }] }),
  );
  const lines = [
    ':61:2611181118D3,00NTRFX//B3',
    ':61:2611181118D2,00NCHGX//B4',
    ':61:2611191119D1,00NCHGX//B5',
    ':61:2611191119C8,00NTRFX//B6',
  ];
  await importInto(world, mt940({ opening: 'C261117PLN25,00', closing: 'C261119PLN27,00', lines }));
  const more = [':61:2611201120C5,00NTRFX//B7', ':61:2611201120D6,00NTRFX//B8'];
  const gap = mt940({ opening: 'C261119PLN30,00', closing: 'C261120PLN29,00', lines: more });
  await importInto(world, gap, { acceptsGap: true });
  const debits = (await rooms.statements.waiting(20)).filter(({ line }) => line.leftMinor < 0n);
  for (const { line } of debits) await rooms.statements.decide(line.id, { kind: 'fee' }, 'anna@example.com');
  assert.equal(debits.length, 3);
}

/** What is still open when the damage is done. */
async function atTheEnd(service: Service, merchant: TestMerchant): Promise<void> {
  const paymentInstrument = { paymentType: 'blik_payid', value: 'alias', blik: { model: 'M' } };
  await aRecurring(service, merchant, { schedule: { chargeCount: 1 }, paymentInstrument });
  await chargeAll(service.world);
  await withFaults(service, { lostAnswer: always }, async () => {
    await payBlik(service, merchant, await aTransaction(service, merchant));
  });
  await aRefund(service, merchant, await aPaidTransaction(service, merchant), { amount: 5 });
  const held = await aRefund(service, merchant, await aPaidCard(service, merchant), { amount: 6 });
  assert.equal((await service.ask('POST', `/refunds/${held}/hold`, { token: merchant.token })).status, 200);
  await settleAll(service.world);
  await service.rooms.settlements.cut(await listAccountIdsAfter(service.world.db.sql, '', 100));
  await aPaidTransaction(service, merchant, { amount: 3 });
  await settleAll(service.world);
  await service.rooms.settlements.cut([merchant.id]);
  await aSurplus(service, merchant);
  const startedAt = service.world.wall.now();
  const found = { startedAt, sinceAt: null, problems: [], journals: 0n, entries: 0n, reread: [] };
  await service.rooms.verification.keep(found);
}

/** One that was handed over, and one that is a draft. */
async function batches(service: Service): Promise<void> {
  const { world } = service;
  const signatures = { first: await anOperator(service), second: await anOperator(service) };
  await aPayingAccount(service);
  await waitingPayouts(service, [900n, 800n]);
  const { id } = await anApproved(service, signatures);
  await makeFile(world, id);
  await handOver(world, id, { way: 'panel', person: signatures.first.email });
  await waitingPayouts(service, [600n]);
  await aDraft(service, signatures);
}
