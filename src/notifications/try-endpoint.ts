// A test notification: signed and judged like a real one, sent once, stored nowhere.

import { methods } from '../../contract/methods.ts';
import { money, type Secret } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { faultOf, keptAnswer } from './delivery/rules.ts';
import { usualSenderLimits } from './delivery/sender.ts';
import { transactionNotification } from './payload.ts';
import type { Signing } from './signing/index.ts';
import { webhookHeaders, webhookKey } from './signing/webhook.ts';

export interface TestedEndpoint {
  readonly status: number | null;
  /** Why it does not count as delivered; null if it does. */
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request: string;
  readonly answer: string;
}

export interface TestAccount {
  readonly id: string;
  readonly merchantNumber: number;
  readonly zone: string;
  readonly securityCode: Secret;
  readonly webhookSecret: Secret;
}

/** Sends the example of a paid transaction; its title is of no transaction, and `test_mode` is set. */
export async function sendTestNotification(
  tools: Pick<Tools, 'clock' | 'wall' | 'ids' | 'outbound'>,
  signing: Signing,
  account: TestAccount,
  url: string,
): Promise<TestedEndpoint> {
  const payload = transactionNotification({
    merchantNumber: account.merchantNumber,
    title: 'TR-TEST-NOTIFICATION',
    createdAt: tools.clock.now(),
    zone: account.zone,
    hiddenDescription: 'test',
    amount: money(100n, 'PLN'),
    paid: money(100n, 'PLN'),
    description: 'Test notification',
    status: 'TRUE',
    error: 'none',
    payerEmail: 'payer@example.com',
    testMode: true,
    channelId: methods.blik.id,
    securityCode: account.securityCode,
  });
  const [eventId, at, body] = [tools.ids.ulid(), tools.wall.now(), Buffer.from(payload.body)];
  const headers = {
    'content-type': payload.contentType,
    'user-agent': 'Grosz-Notifications/1',
    ...webhookHeaders(webhookKey(account.webhookSecret), eventId, at, body),
    'x-jws-signature': await signing.signDetached(body, { merchantId: account.id, eventId, at }),
  };
  const posted = await tools.outbound.post(url, headers, body, usualSenderLimits);
  const [status, error, answer] = [
    posted.status ?? null,
    faultOf(payload.contentType, posted),
    keptAnswer(posted.answer),
  ];
  return {
    status,
    error,
    milliseconds: Math.round(tools.wall.now().since(at).total('milliseconds')),
    request: payload.body,
    answer,
  };
}
