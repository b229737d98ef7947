// The Standard Webhooks signature: HMAC-SHA256 over id, time and body, with the account's own secret.

import { createHmac } from 'node:crypto';
import type { Secret } from '../../kernel/index.ts';

const prefix = 'whsec_';

/** The key inside a `whsec_` secret. */
export function webhookKey(secret: Secret): Buffer {
  const text = secret.reveal();
  if (!text.startsWith(prefix)) throw new Error('A webhook secret must begin with whsec_.');
  return Buffer.from(text.slice(prefix.length), 'base64');
}

/** In seconds, as in `webhook-timestamp` and the JWS. */
export function timestampOf(at: Temporal.Instant): number {
  return Math.floor(at.epochMilliseconds / 1_000);
}

/** The three headers; `id` is the same in every attempt, `at` is by the wall clock. */
export function webhookHeaders(
  key: Uint8Array,
  id: string,
  at: Temporal.Instant,
  body: Uint8Array,
): Record<string, string> {
  const seconds = timestampOf(at);
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
