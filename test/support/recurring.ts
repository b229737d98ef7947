// Builders for recurring payments.

import assert from 'node:assert/strict';
import { idsFrom, systemRandom } from '../../src/platform/index.ts';
import type { Answer, Service, TestMerchant } from './service.ts';

/** A valid request of R1; `schedule` and `paymentInstrument` are merged one level deep. */
export function aRecurringRequest(
  service: Service,
  wish: Record<string, unknown> = {},
): Record<string, unknown> & { id: string } {
  const { schedule, paymentInstrument, ...rest } = wish as Record<string, object>;
  return {
    id: idsFrom(service.world.clock, systemRandom()).ulid(),
    description: 'Monthly box',
    payer: { email: 'jan@example.com', name: 'Jan Nowak' },
    schedule: {
      amount: 49.9,
      currency: 'PLN',
      firstChargeDate: '2026-03-10T10:00:00+01:00',
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

/** A created recurring payment; answers its id. */
export async function aRecurring(
  service: Service,
  merchant: TestMerchant,
  wish: Record<string, unknown> = {},
): Promise<string> {
  const request = aRecurringRequest(service, wish);
  const answer = await postRecurring(service, merchant, request);
  assert.equal(answer.status, 201, answer.text);
  return request.id;
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
