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

export interface NotificationReceived {
  readonly headers: NotificationHeaders;
  /** The body exactly as it came: parsing and writing it again would break the signatures. */
  readonly body: string | Uint8Array;
  /** The account's security code. Checks the md5sum of transactions. */
  readonly securityCode?: string;
  /** How far `webhook-timestamp` may be from now, in either direction; 300 when left out. */
  readonly toleranceSeconds?: number;
  /** The present, when left out. */
  readonly now?: Date;
}

/** The secret is the account's own, so a signature made with it is for this account. */
export interface BySecret {
  /** The account's `whsec_` secret, or several while one is being changed. Checks `webhook-signature`. */
  readonly webhookSecret: string | readonly string[];
  /** Checks `X-JWS-Signature` against the service's certificates, too. */
  readonly jws?: JwsTrust;
  readonly merchantId?: string;
}

/**
 * The service signs for all its merchants with one key: without the expected account, somebody else's notification,
 * sent to your address on purpose, would be believed.
 */
export interface ByCertificate {
  readonly jws: JwsTrust;
  /** Your account's id. */
  readonly merchantId: string;
  readonly webhookSecret?: undefined;
}

export type VerifyOptions = NotificationReceived & (BySecret | ByCertificate);

export interface VerifiedNotification {
  /** The same at every try and never that of another notification: handle each id once. */
  readonly id: string;
  /** The account that it is for. */
  readonly merchantId: string;
  readonly notification: Notification;
}

/**
 * Verifies a notification by every means given, and reads it: a signature by the account's secret, or one by the
 * service's certificate that names the expected account. Throws a NotificationFault when anything is wrong; nothing of
 * the body may be used then.
 */
export async function verifyNotification(options: VerifyOptions): Promise<VerifiedNotification> {
  const { headers, jws, merchantId: expected } = options;
  const keys = keysOf(options);
  const now = options.now ?? new Date();
  const body = typeof options.body === 'string' ? Buffer.from(options.body, 'utf8') : Buffer.from(options.body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = freshTimestamp(headers, options.toleranceSeconds ?? 300, now);
  if (keys) verifyWebhook(headerOf(headers, 'webhook-signature'), Buffer.from(`${id}.${timestamp}.`), body, keys);
  const named = jws && (await verifyJws(headerOf(headers, 'x-jws-signature'), body, jws, now));
  if (named && named.id !== id) throw new NotificationFault('webhook_id_wrong', 'webhook-id is not the signed one.');
  if (named && named.timestamp !== timestamp) {
    throw new NotificationFault('webhook_timestamp_wrong', 'webhook-timestamp is not the signed one.');
  }
  const read = readNotification(headerOf(headers, 'content-type'), body.toString('utf8'), options.securityCode);
  const isOther = (merchantId?: string) => merchantId !== undefined && merchantId !== read.merchantId;
  if (isOther(named?.merchantId) || isOther(expected)) {
    throw new NotificationFault('wrong_account', 'The notification is for another account.');
  }
  return { id, ...read };
}

/** Secrets of the service have 32 bytes; the text `undefined` would be one of six. */
const keyBytesAtLeast = 16;

/**
 * The keys of the given secrets, or undefined when the certificate and the account are given instead. An empty secret, or
 * one that everybody can guess, from a setting that was forgotten, would let anybody sign.
 */
function keysOf({ webhookSecret, jws, merchantId }: VerifyOptions): readonly Buffer[] | undefined {
  if (webhookSecret !== undefined) {
    const secrets = typeof webhookSecret === 'string' ? [webhookSecret] : webhookSecret;
    const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
    if (keys.length > 0 && keys.every((key) => key.length >= keyBytesAtLeast)) return keys;
  } else if (jws !== undefined) {
    if (merchantId) return undefined;
    throw new NotificationFault('account_not_given', 'Give merchantId with jws, or webhookSecret.');
  }
  throw new NotificationFault('nothing_to_verify_with', 'Give webhookSecret, or jws with merchantId.');
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

/** `webhook-timestamp`, once it is near enough to the present. */
function freshTimestamp(headers: NotificationHeaders, toleranceSeconds: number, now: Date): string {
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const apart = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  // Not `apart > toleranceSeconds`: a tolerance that is no number, from a setting that was forgotten, would allow any age.
  if (!/^\d{1,12}$/.test(timestamp) || !(apart <= toleranceSeconds)) {
    throw new NotificationFault('timestamp_out_of_range', 'The notification is too old, or from the future.');
  }
  return timestamp;
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body. The header may carry several signatures. */
function verifyWebhook(header: string, start: Buffer, body: Buffer, keys: readonly Buffer[]): void {
  const offered = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'));
  const fits = keys.some((key) => {
    const expected = createHmac('sha256', key).update(start).update(body).digest();
    return offered.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  });
  if (!fits) throw new NotificationFault('webhook_signature_wrong', 'webhook-signature does not fit the body.');
}
