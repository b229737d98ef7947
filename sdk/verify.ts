// For merchants: whether a notification really comes from the service, and what it says. Needs Node and nothing else.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { NotificationFault } from './fault.ts';
import { type JwsTrust, verifyJws } from './jws.ts';
import { type Notification, readNotification } from './notification.ts';

export { NotificationFault, type NotificationFaultCode } from './fault.ts';
export { cachePem, type FetchPem, type JwsTrust } from './jws.ts';
export type {
  MarketplaceNotification,
  Notification,
  RecurringNotification,
  TransactionNotification,
} from './notification.ts';

/** Headers as Node's http or as fetch gives them. */
export type NotificationHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface VerifyOptions {
  readonly headers: NotificationHeaders;
  /** The body exactly as it came: parsing and writing it again would break the signatures. */
  readonly body: string | Uint8Array;
  /** The account's `whsec_` secret, or several while one is being changed. Checks `webhook-signature`. */
  readonly webhookSecret?: string | readonly string[];
  /** Checks `X-JWS-Signature` against the service's certificates. */
  readonly jws?: JwsTrust;
  /** The account's security code. Checks the md5sum of transactions. */
  readonly securityCode?: string;
  /** How far `webhook-timestamp` may be from now, in either direction; 300 when left out. */
  readonly toleranceSeconds?: number;
  /** The present, when left out. */
  readonly now?: Date;
}

export interface VerifiedNotification {
  /** The same at every try: whoever has handled it before can answer at once. */
  readonly id: string;
  readonly notification: Notification;
}

/**
 * Verifies a notification by every means given, at least one signature among them, and reads it. Throws a
 * NotificationFault when anything is wrong; nothing of the body may be used then.
 */
export async function verifyNotification(options: VerifyOptions): Promise<VerifiedNotification> {
  const { webhookSecret, jws } = options;
  const now = options.now ?? new Date();
  const body = typeof options.body === 'string' ? Buffer.from(options.body, 'utf8') : Buffer.from(options.body);
  if (webhookSecret === undefined && jws === undefined) {
    throw new NotificationFault('nothing_to_verify_with', 'Give webhookSecret, jws, or both.');
  }
  const id = headerOf(options.headers, 'webhook-id');
  if (webhookSecret !== undefined) {
    const secrets = typeof webhookSecret === 'string' ? [webhookSecret] : webhookSecret;
    verifyWebhook(options.headers, id, body, secrets, options.toleranceSeconds ?? 300, now);
  }
  if (jws !== undefined) await verifyJws(headerOf(options.headers, 'x-jws-signature'), body, jws, now);
  const contentType = headerOf(options.headers, 'content-type');
  return { id, notification: readNotification(contentType, body.toString('utf8'), options.securityCode) };
}

function headerOf(headers: NotificationHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== 'string' || value === '') {
    throw new NotificationFault('header_missing', `The header ${name} is missing.`);
  }
  return value;
}

function isFetchHeaders(headers: NotificationHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function findHeader(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body. The header may carry several signatures. */
function verifyWebhook(
  headers: NotificationHeaders,
  id: string,
  body: Buffer,
  secrets: readonly string[],
  toleranceSeconds: number,
  now: Date,
): void {
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const offered = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'));
  const apart = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || apart > toleranceSeconds) {
    throw new NotificationFault('timestamp_out_of_range', 'The notification is too old, or from the future.');
  }
  const fits = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return offered.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  });
  if (!fits) throw new NotificationFault('webhook_signature_wrong', 'webhook-signature does not fit the body.');
}
