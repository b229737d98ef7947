// Parses notifications, in their three forms.

import { createHash, timingSafeEqual } from 'node:crypto';
import { NotificationFault } from './fault.ts';

/** Respond to a transaction with 200 and `TRUE`. */
export interface TransactionNotification {
  readonly kind: 'transaction';
  /** The fields as received: `id`, `tr_id`, `tr_amount`, `tr_status` and so on. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Respond to the JSON forms with 200 and `{"result": true}`. */
export interface RecurringNotification {
  readonly kind: 'recurring';
  readonly data: {
    readonly recurringId: string;
    readonly transactionId: string;
    readonly hiddenDescription: string | null;
    readonly iterationCount: number;
    readonly iterationAttemptCount: number;
    readonly status: 'pending' | 'correct' | 'failed' | 'canceled';
    readonly nextChargeDate: string | null;
    readonly reason: string | null;
    readonly merchantId: string;
  };
}

export interface MarketplaceNotification {
  readonly kind: 'marketplace';
  readonly data: {
    readonly transactionId: string;
    readonly transactionTitle: string;
    readonly transactionAmount: string;
    readonly transactionPaidAmount: string;
    readonly transactionStatus: string;
    readonly transactionHiddenDescription: string | null;
    readonly payerEmail: string;
    readonly transactionDate: string;
    readonly transactionDescription: string;
  };
}

export type Notification = TransactionNotification | RecurringNotification | MarketplaceNotification;

/** The account named in the body: by its number in a transaction, by its id in the JSON forms. */
export interface ReadNotification {
  readonly merchantId?: string;
  readonly merchantNumber?: string;
  readonly notification: Notification;
}

/** Parses a body. If a security code is given, also checks the md5sum of a transaction. */
export function readNotification(
  contentType: string,
  body: string,
  securityCode: string | undefined,
): ReadNotification {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return readTransaction(body, securityCode);
  if (type === 'application/json') return readJson(body);
  throw new NotificationFault('payload_malformed', `Content type ${contentType} is not one of a notification.`);
}

function readTransaction(body: string, securityCode: string | undefined): ReadNotification {
  const fields: Record<string, string> = Object.fromEntries(new URLSearchParams(body));
  const { id, tr_id: title, tr_amount: amount, tr_crc: hidden, md5sum } = fields;
  if (!id || !title || !amount || hidden === undefined || !md5sum) {
    throw new NotificationFault('payload_malformed', 'The form lacks fields of a transaction.');
  }
  if (securityCode !== undefined) checkMd5sum(`${id}${title}${amount}${hidden}${securityCode}`, md5sum);
  return { merchantNumber: id, notification: { kind: 'transaction', fields } };
}

function checkMd5sum(text: string, given: string): void {
  const expected = createHash('md5').update(text).digest();
  const bytes = Buffer.from(given, 'hex');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) {
    throw new NotificationFault('md5sum_wrong', 'The md5sum does not fit the fields and the security code.');
  }
}

function readJson(body: string): ReadNotification {
  const value = parsed(body);
  const notification = value && jsonNotification(value);
  if (!notification || typeof value.merchantId !== 'string') {
    throw new NotificationFault('payload_malformed', 'The JSON is none of the known notifications.');
  }
  return { merchantId: value.merchantId, notification };
}

function jsonNotification(value: Record<string, unknown>): RecurringNotification | MarketplaceNotification | undefined {
  if (value.type === 'marketplace_transaction' && typeof value.data === 'object' && value.data !== null) {
    return { kind: 'marketplace', data: value.data as MarketplaceNotification['data'] };
  }
  if (typeof value.recurringId === 'string') {
    return { kind: 'recurring', data: value as unknown as RecurringNotification['data'] };
  }
  return undefined;
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
