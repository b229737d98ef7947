// Builders for payments.

import assert from 'node:assert/strict';
import { constants, publicEncrypt } from 'node:crypto';
import { readText } from '../../src/database/index.ts';
import { isAnythingDue, tickAll } from './rooms.ts';
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
  const key = {
    key: service.rooms.cards.keys.publicPem,
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: 'sha256',
  };
  return publicEncrypt(key, plain).toString('base64');
}

export function payCard(service: Service, merchant: TestMerchant, id: string, data: object = {}): Promise<Answer> {
  const body = { channelId: 53, cardPaymentData: { card: encryptCard(service), ...data } };
  return service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body });
}

/** The token of the card of a transaction's first attempt; only the vault knows it. */
export async function savedTokenOf(service: Service, transactionId: string): Promise<string> {
  const { db, vault } = service.world;
  const [kept] = await db.sql.many((row) => ({
    reference: readText(row, 'token'),
    sealed: readText(row, 'card_sealed'),
  }))`
    select card_token.token, card_sealed from card_token join charge on charge.card_token = token
     where transaction_id = ${transactionId} order by number`;
  assert.ok(kept, 'a card was saved');
  return JSON.parse(vault.open(kept.sealed, `card ${kept.reference}`).reveal()).token;
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
  return tickAll(world);
}

/** Lets time pass in steps, with the engine running; steps between the first and the last are skipped if nothing is due. */
export async function passTime(world: TestWorld, duration: Temporal.DurationLike, steps = 12): Promise<void> {
  const step = Temporal.Duration.from(duration).total('seconds') / steps;
  for (let index = 0; index < steps; index += 1) {
    world.clock.advance({ seconds: Math.round(step) });
    const isBetween = index > 0 && index < steps - 1;
    if (!isBetween || (await isAnythingDue(world))) await settleAll(world);
  }
}

export { checkInvariants } from './invariants.ts';
