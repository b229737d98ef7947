// Builders for recurring payments.

import assert from 'node:assert/strict';
import { readText } from '../../src/database/index.ts';
import { tick } from '../../src/engine/index.ts';
import { serializeInstant } from '../../src/recurring/wire.ts';
import { idsFrom, systemRandom } from '../../src/runtime/index.ts';
import { acquirersOf } from './acquirers.ts';
import { Gate, gated } from './gate.ts';
import { chargeDue } from './rooms.ts';
import type { Answer, Service, TestMerchant, TestWorld } from './service.ts';
import { roomsOf } from './service.ts';

/** A valid request of R1; `schedule` and `paymentInstrument` are merged one level deep. */
export function aRecurringRequest(
  service: Service,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> & { id: string } {
  const { schedule, paymentInstrument, ...rest } = overrides as Record<string, object>;
  return {
    id: idsFrom(service.world.clock, systemRandom()).ulid(),
    description: 'Monthly box',
    payer: { email: 'jan@example.com', name: 'Jan Nowak' },
    schedule: {
      amount: 49.9,
      currency: 'PLN',
      firstChargeDate: serializeInstant(service.world.clock.now(), 'Europe/Warsaw'),
      interval: 1,
      intervalType: 'months',
      ...schedule,
    },
    paymentInstrument: { paymentType: 'card_token', value: 'tok', ...paymentInstrument },
    callbackUrl: 'http://127.0.0.1:9/none',
    ...rest,
  };
}

export function postRecurring(service: Service, merchant: TestMerchant, body: unknown): Promise<Answer> {
  return service.ask('POST', '/recurring', { token: merchant.token, body });
}

/** Creates a recurring payment; returns its id. */
export async function aRecurring(
  service: Service,
  merchant: TestMerchant,
  overrides: Record<string, unknown> = {},
): Promise<string> {
  const request = aRecurringRequest(service, overrides);
  const answer = await postRecurring(service, merchant, request);
  assert.equal(answer.status, 201, answer.text);
  return request.id;
}

/** One that was created when its first charge was due, long ago; the engine has stood still since. */
export async function anOverdueRecurring(
  service: Service,
  merchant: TestMerchant,
  firstChargeDate: string,
  schedule: Record<string, unknown>,
  paymentInstrument: Record<string, unknown> = {},
): Promise<string> {
  const { clock } = service.world;
  const now = clock.now();
  clock.set(firstChargeDate);
  try {
    return await aRecurring(service, merchant, { schedule: { ...schedule, firstChargeDate }, paymentInstrument });
  } finally {
    clock.set(now.toString());
  }
}

export async function attemptsOf(service: Service, merchant: TestMerchant, id: string) {
  const answer = await service.ask('GET', `/recurring/${id}/transactions`, { token: merchant.token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items as {
    transactionId: string;
    createdAt: string;
    status: string;
    iterationCount: number;
    iterationAttemptCount: number;
    reason: string | null;
  }[];
}

export async function recurringOf(
  service: Service,
  merchant: TestMerchant,
  id: string,
): Promise<Record<string, unknown>> {
  const answer = await service.ask('GET', `/recurring/${id}`, { token: merchant.token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** The notifications about one recurring payment, in order. */
export function notificationsOf(service: Service, id: string): Promise<Record<string, unknown>[]> {
  return service.world.db.sql.many((row) => JSON.parse(readText(row, 'body')))`
    select body from event where type = 'recurring' and body like ${`%"recurringId":"${id}"%`}
     order by (body::json ->> 'iterationCount')::integer, (body::json ->> 'iterationAttemptCount')::integer`;
}

/** Lets all due charges and lookups happen, and nothing else: days pass faster. */
export async function chargeAll(world: TestWorld): Promise<number> {
  const { works } = await roomsOf(world);
  return tick(
    world,
    works.filter(({ name }) => /charge|bank/.test(name)),
  );
}

export function askRecurring(
  service: Service,
  merchant: TestMerchant,
  id: string,
  verb: 'retry' | 'cancel' | 'payment_instrument',
  body?: unknown,
): Promise<Answer> {
  return service.ask('POST', `/recurring/${id}/${verb}`, { token: merchant.token, ...(body ? { body } : {}) });
}

/** `iteration.attempt status reason` of each attempt. */
export async function storyOf(service: Service, merchant: TestMerchant, id: string): Promise<string[]> {
  return (await attemptsOf(service, merchant, id)).map(({ iterationCount, iterationAttemptCount, status, reason }) =>
    `${iterationCount}.${iterationAttemptCount} ${status} ${reason ?? ''}`.trim(),
  );
}

/** One round of charges, at most this many: what an acquirer's rate limit allows in a second. */
export function chargeAtMost(world: TestWorld, charges: number): Promise<number> {
  return chargeDue({ ...world, config: { ...world.config, chargesPerSecond: charges } });
}

/** A node whose charges wait at the gate: before they reach the bank, or before the responses reach us. */
export function pauseCharges(world: TestWorld, where: 'before' | 'after'): { world: TestWorld; gate: Gate } {
  const gate = new Gate();
  return { gate, world: { ...world, acquirers: acquirersOf(world, gated(world.bank, { [where]: gate })) } };
}
