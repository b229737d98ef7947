// Builders for payments, and the invariants of the project as one checker.

import assert from 'node:assert/strict';
import { constants, publicEncrypt } from 'node:crypto';
import { works } from '../../src/app.ts';
import { tick } from '../../src/engine/index.ts';
import { ledgerAccounts, listTotals, verifyLedger } from '../../src/ledger/index.ts';
import { readBigint, readText } from '../../src/platform/index.ts';
import type { Answer, Service, TestMerchant, TestWorld } from './service.ts';

/** A transaction through the API; 10.01 by default: cards pay it without 3-D Secure. */
export async function aTransaction(service: Service, merchant: TestMerchant, body: object = {}): Promise<string> {
  const answer = await service.ask('POST', '/transactions', {
    token: merchant.token,
    body: { amount: 10.01, description: 'Order', ...body },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.transactionId;
}

export function payBlik(service: Service, merchant: TestMerchant, id: string, code = '777123'): Promise<Answer> {
  const body = { groupId: 150, blikPaymentData: { blikToken: code } };
  return service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
}

export const testCard = { number: '4111111111111111', expiry: '12/39', code: '123' };

/** Card data as a browser would encrypt it. */
export function encryptCard(service: Service, card = testCard): string {
  const plain = Buffer.from(`${card.number}|${card.expiry}|${card.code}`);
  const key = { key: service.world.cards.publicPem, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  return publicEncrypt(key, plain).toString('base64');
}

export function payCard(service: Service, merchant: TestMerchant, id: string, data: object = {}): Promise<Answer> {
  const body = { channelId: 53, cardPaymentData: { card: encryptCard(service), ...data } };
  return service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
}

export async function aPaidTransaction(service: Service, merchant: TestMerchant, body: object = {}): Promise<string> {
  const id = await aTransaction(service, merchant, body);
  const answer = await payBlik(service, merchant, id);
  assert.equal(answer.body.status, 'paid', answer.text);
  return id;
}

export function show(service: Service, merchant: TestMerchant, id: string): Promise<Answer> {
  return service.ask('GET', `/transactions/${id}`, { token: merchant.token });
}

/** Lets everything that is due happen, as the engine would. */
export function settleAll(world: TestWorld): Promise<number> {
  return tick(world, works);
}

/** Lets time pass in steps, with the engine running, until nothing is open any more; bounded. */
export async function passTime(world: TestWorld, duration: Temporal.DurationLike, steps = 12): Promise<void> {
  const step = Temporal.Duration.from(duration).total('seconds') / steps;
  for (let index = 0; index < steps; index += 1) {
    world.clock.advance({ seconds: Math.round(step) });
    await settleAll(world);
  }
}

/**
 * The invariants of the project: the bank's own record, the ledger and the merchants' events tell the same story.
 * `open`: attempts that are allowed to be undecided still.
 */
export async function checkInvariants(world: TestWorld): Promise<void> {
  const { sql } = world.db;
  // 1: journals, balances, floors, the chain.
  while ((await tick(world, works)) > 0);
  assert.deepEqual(await verifyLedger(world.db), []);

  // 3: what the bank holds is what we call paid plus what is still on its way back to payers.
  const record = world.bank.record();
  const attempts = await sql.many((row) => ({
    id: readText(row, 'id'),
    state: readText(row, 'state'),
    transactionId: readText(row, 'transaction_id'),
    amountMinor: readBigint(row, 'amount_minor'),
    surplus: row.surplus as string | null,
  }))`
    select attempt.id, attempt.state, attempt.transaction_id, attempt.amount_minor, surplus_refund.state as surplus
      from payment_attempt as attempt left join surplus_refund on surplus_refund.attempt_id = attempt.id`;
  for (const attempt of attempts) {
    const held = record.netMinor.get(attempt.id) ?? 0n;
    if (attempt.state === 'correct') assert.equal(held, attempt.amountMinor, `attempt ${attempt.id} stands`);
    if (attempt.surplus === 'done') assert.equal(held, 0n, `surplus of ${attempt.id} went back`);
    if (attempt.surplus === 'new') assert.ok(held === 0n || held === attempt.amountMinor, `surplus of ${attempt.id}`);
    if ((attempt.state === 'failed' || attempt.state === 'canceled') && attempt.surplus === null) {
      assert.equal(held, 0n, `attempt ${attempt.id} is ${attempt.state}, but the bank holds its money`);
    }
  }
  const ours = new Set(attempts.map(({ id }) => id));
  for (const { key } of record.captures) assert.ok(ours.has(key), `the bank captured an unknown key ${key}`);
  const standing = attempts.filter(({ state }) => state === 'correct');
  assert.equal(new Set(standing.map(({ transactionId }) => transactionId)).size, standing.length, 'one payment stands');

  // The receivable is what the bank owes us: everything captured that we know of, less what went back.
  const totals = new Map((await listTotals(sql)).map(({ account, minor }) => [account, minor]));
  const booked = attempts
    .filter(({ state, surplus }) => state === 'correct' || surplus === 'new')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  assert.equal(totals.get(ledgerAccounts.receivable(world.acquirer.name)) ?? 0n, booked, 'receivable');

  // 4: attempt numbers are dense from 1.
  const gaps = await sql.many((row) => readText(row, 'transaction_id'))`
    select transaction_id from payment_attempt group by transaction_id having max(number) <> count(*) or min(number) <> 1`;
  assert.deepEqual(gaps, []);

  // 5: every paid transaction has exactly one event that says so.
  const untold = await sql.many((row) => readText(row, 'id'))`
    select transaction.id from transaction
     where (status in ('paid', 'refund')) <> (1 = (
       select count(*) from event where subject_id = transaction.id and body like '%tr_status=TRUE%'))
       and not exists (select from event where subject_id = transaction.id and sealed)`;
  assert.deepEqual(untold, [], 'paid and told');

  // 6: nothing that was due is left.
  assert.equal(await tick(world, works), 0, 'the engine is idle');
}
