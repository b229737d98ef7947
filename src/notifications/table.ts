// The tables of notifications, column by column.

import { boolean, instant, integer, nullable, table, text, textAs } from '../database/index.ts';
import type { EventType } from './model.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'exhausted';
export type KeyPurpose = 'root' | 'notifications';
export type MailStatus = 'pending' | 'sent' | 'failed';

export const eventTable = table('event', {
  id: text,
  accountId: text,
  type: textAs<EventType>(),
  subjectId: text,
  url: nullable(text),
  contentType: text,
  body: text,
  sealed: boolean,
  createdAt: instant,
});

export const deliveryTable = table('delivery', {
  eventId: text,
  accountId: text,
  endpoint: text,
  status: textAs<DeliveryStatus>(),
  tries: integer,
  roundTries: integer,
  nextTryAt: nullable(instant),
  deliveredAt: nullable(instant),
  queue: nullable(text),
  leaseFence: integer,
  leaseUntil: nullable(instant),
});

export const deliveryTryTable = table('delivery_try', {
  eventId: text,
  number: integer,
  at: instant,
  /** The HTTP status; null if there was no response. */
  status: nullable(integer),
  /** Why it does not count as delivered; null if it does. */
  error: nullable(text),
  milliseconds: integer,
  answer: text,
});

export const signingKeyTable = table('signing_key', {
  id: text,
  purpose: textAs<KeyPurpose>(),
  privateKeySealed: text,
  certificatePem: text,
  createdAt: instant,
  retiredAt: nullable(instant),
});

export const mailTable = table('mail', {
  id: text,
  recipient: text,
  subject: text,
  /** Sealed; null once it has ended. */
  content: nullable(text),
  /** The title of the transaction that it is about. */
  subjectId: nullable(text),
  language: text,
  status: textAs<MailStatus>(),
  createdAt: instant,
  tries: integer,
  nextTryAt: nullable(instant),
  endedAt: nullable(instant),
  lastError: nullable(text),
});
