// For merchants: verifies that a notification comes from the service, and parses it. Needs only Node.

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

/** Headers as provided by Node's http or by fetch. */
export type NotificationHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface NotificationReceived {
  readonly headers: NotificationHeaders;
  /** The raw body: parsing and serializing it again would break the signatures. */
  readonly body: string | Uint8Array;
  /** The account's security code. Checks the md5sum of transactions. */
  readonly securityCode?: string;
  /** The account's merchant number. Checks `id` of transactions. */
  readonly merchantNumber?: number | string;
  /** Maximum difference between `webhook-timestamp` and now, in either direction; default 300. */
  readonly toleranceSeconds?: number;
  /** Default: the current time. */
  readonly now?: Date;
}

/** The secret belongs to the account, so a signature made with it is for this account. */
export interface BySecret {
  /** The account's `whsec_` secret, or several during a rotation. Checks `webhook-signature`. */
  readonly webhookSecret: string | readonly string[];
  /** Also checks `X-JWS-Signature` against the service's certificates. */
  readonly jws?: JwsTrust;
  readonly merchantId?: string;
}

/**
 * The service signs for all merchants with one key: without the expected account, another merchant's notification, sent
 * to your URL on purpose, would be accepted.
 */
export interface ByCertificate {
  readonly jws: JwsTrust;
  /** Your account's id. */
  readonly merchantId: string;
  readonly webhookSecret?: undefined;
}

export type VerifyOptions = NotificationReceived & (BySecret | ByCertificate);

export interface VerifiedNotification {
  /** The same in every attempt and never reused: handle each id once. */
  readonly id: string;
  /**
   * The id of the account that it is for, as signed; of a transaction verified by the secret alone it is the one that you
   * gave, because the form has only the merchant number.
   */
  readonly merchantId: string | undefined;
  readonly notification: Notification;
}

/**
 * Verifies a notification by every means given, and parses it: by a signature with the account's secret, or one with
 * the service's certificate that names the expected account. Throws a NotificationFault if anything is wrong; then
 * nothing in the body may be used.
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
  const accounts = [named?.merchantId, read.merchantId, expected].filter((account) => account !== undefined);
  if (new Set(accounts).size > 1 || isOtherNumber(options.merchantNumber, read.merchantNumber)) {
    throw new NotificationFault('wrong_account', 'The notification is for another account.');
  }
  return { id, merchantId: accounts[0], notification: read.notification };
}

/** Only transactions have a number. */
function isOtherNumber(expected: number | string | undefined, named: string | undefined): boolean {
  return expected !== undefined && named !== undefined && String(expected) !== named;
}

/** The service's secrets have 32 bytes; the text `undefined` would decode to six. */
const keyBytesAtLeast = 16;

/**
 * The keys of the given secrets; undefined if the certificate and the account are given instead. An empty or guessable
 * secret, from a setting that was forgotten, would let anybody sign.
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

/** `webhook-timestamp`, if it is recent enough. */
function freshTimestamp(headers: NotificationHeaders, toleranceSeconds: number, now: Date): string {
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const apart = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  // Not `apart > toleranceSeconds`: with a tolerance that is NaN, from a setting that was forgotten, any age would
  // pass.
  if (!/^\d{1,12}$/.test(timestamp) || !(apart <= toleranceSeconds)) {
    throw new NotificationFault('timestamp_out_of_range', 'The notification is too old, or from the future.');
  }
  return timestamp;
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body. The header may contain several signatures. */
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
