// Webhooks: signed, sent again while they are not accepted, in any order and twice if so set.

import { createHmac } from 'node:crypto';
import { endpointsOf, type WebhookEndpoint } from './events.ts';
import { scopeName } from './model.ts';
import type { Store, WebhookTry } from './store.ts';

/** Seconds until the next try: live for about three days, in test mode three times within hours. */
const liveSeconds = [60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 72_000];
const testSeconds = [600, 3_600];

const answerMilliseconds = 20_000;

/** `t=…,v1=…`, with one `v1` for each secret. */
export function signatureHeader(body: string, secrets: readonly string[], seconds: number): string {
  const sign = (secret: string) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
}

export interface Delivered {
  readonly event: string;
  readonly status: number | null;
}

/** Says the time in milliseconds. */
export interface Milliseconds {
  now(): number;
}

/** Sends what is due, one after the other. */
export async function deliverDue(store: Store, clock: Milliseconds, limit = 100): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  const endpoints = new Map(endpointsOf(store).flatMap((one) => (one.stopped ? [] : [[one.id, one]])));
  for (const one of store.listTries(clock.now(), [...endpoints.keys()], limit)) {
    const endpoint = endpoints.get(one.endpoint);
    if (!endpoint) continue;
    const status = await send(store, endpoint, one.event, clock.now());
    settle(store, endpoint, one, status, clock.now());
    delivered.push({ event: one.event, status });
  }
  return delivered;
}

function settle(store: Store, endpoint: WebhookEndpoint, one: WebhookTry, status: number | null, now: number): void {
  const seconds = (endpoint.live ? liveSeconds : testSeconds)[one.tries];
  const isAccepted = status !== null && status >= 200 && status < 300;
  if (isAccepted || seconds === undefined) store.endTry(one.id, now);
  else store.putOffTry(one.id, now + seconds * 1_000);
}

/** The status; null if there was no response. */
async function send(store: Store, endpoint: WebhookEndpoint, event: string, now: number): Promise<number | null> {
  const found = store.findAny(event, scopeName(endpoint));
  if (!found) return null;
  const body = JSON.stringify(found, null, 2);
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureHeader(body, endpoint.secrets, Math.floor(now / 1_000)),
        'user-agent': 'Fake of Stripe (webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMilliseconds),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
