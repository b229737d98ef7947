// The payloads of notifications (docs/api.md#notifications). Pure: from data to the bytes that are sent.

import { hash } from 'node:crypto';
import { decimalText, localText, type Money, type Secret } from '../kernel/index.ts';

export interface Payload {
  readonly contentType: string;
  /** The bytes that are signed and sent, as UTF-8. */
  readonly body: string;
  /** Whether it carries a card token: such a body is encrypted at rest, and responses to it are not stored. */
  readonly confidential: boolean;
}

export const formType = 'application/x-www-form-urlencoded';
export const jsonType = 'application/json';

export interface SavedCard {
  readonly token: Secret;
  /** MMYY. */
  readonly expiryDate: string;
  /** The last four digits. */
  readonly tail: string;
  readonly brand: string;
}

export interface TransactionNotificationData {
  /** The account, as clients of such services know it: an integer. */
  readonly merchantNumber: number;
  readonly title: string;
  /** When the transaction was created; sent as local time of the account. */
  readonly createdAt: Temporal.Instant;
  readonly zone: string;
  readonly hiddenDescription: string;
  readonly amount: Money;
  readonly paid: Money;
  readonly description: string;
  /** TRUE: paid; CHARGEBACK: refunded in full; FALSE: declined, for good or (if the account wants that) one attempt. */
  readonly status: 'TRUE' | 'FALSE' | 'CHARGEBACK';
  /** Why an attempt was declined; otherwise `none`. */
  readonly error: string;
  readonly payerEmail: string;
  readonly testMode: boolean;
  readonly channelId: number | null;
  readonly securityCode: Secret;
  readonly savedCard?: SavedCard;
}

/** The form of a standard transaction, with its fields in the order of docs/api.md. */
export function transactionNotification(data: TransactionNotificationData): Payload {
  const amount = decimalText(data.amount.minor);
  const id = String(data.merchantNumber);
  const fields = new URLSearchParams([
    ['id', id],
    ['tr_id', data.title],
    ['tr_date', localText(data.createdAt, data.zone)],
    ['tr_crc', data.hiddenDescription],
    ['tr_amount', amount],
    ['tr_paid', decimalText(data.paid.minor)],
    ['tr_desc', data.description],
    ['tr_status', data.status],
    ['tr_error', data.error],
    ['tr_email', data.payerEmail],
    ['test_mode', data.testMode ? '1' : '0'],
    ['tr_channel', data.channelId === null ? '' : String(data.channelId)],
    ['md5sum', md5sum(id, data.title, amount, data.hiddenDescription, data.securityCode)],
  ]);
  if (data.savedCard) appendCard(fields, data.savedCard);
  return { contentType: formType, body: fields.toString(), confidential: data.savedCard !== undefined };
}

function appendCard(fields: URLSearchParams, card: SavedCard): void {
  fields.append('card_token', card.token.reveal());
  fields.append('token_expiry_date', card.expiryDate);
  fields.append('card_tail', card.tail);
  fields.append('card_brand', card.brand);
}

/** MD5 because receivers expect it; the message is protected by the two signatures in its headers. */
function md5sum(id: string, title: string, amount: string, hiddenDescription: string, code: Secret): string {
  return hash('md5', `${id}${title}${amount}${hiddenDescription}${code.reveal()}`);
}

export interface RecurringNotificationData {
  readonly merchantId: string;
  readonly recurringId: string;
  readonly transactionId: string;
  readonly hiddenDescription: string | null;
  readonly iterationCount: number;
  readonly iterationAttemptCount: number;
  readonly status: 'pending' | 'correct' | 'failed' | 'canceled';
  /** Null if no more attempts are scheduled. */
  readonly nextChargeAt: Temporal.Instant | null;
  readonly zone: string;
  readonly reason: string | null;
}

/** The JSON of a recurring attempt: every key is always present, null where it does not apply. */
export function recurringNotification(data: RecurringNotificationData): Payload {
  return jsonPayload(data.merchantId, {
    recurringId: data.recurringId,
    transactionId: data.transactionId,
    hiddenDescription: data.hiddenDescription,
    iterationCount: data.iterationCount,
    iterationAttemptCount: data.iterationAttemptCount,
    status: data.status,
    nextChargeDate: data.nextChargeAt && withOffset(data.nextChargeAt, data.zone),
    reason: data.reason,
  });
}

/** `2026-03-31T10:00:00+02:00`: local time of the account with its offset. */
function withOffset(at: Temporal.Instant, zone: string): string {
  return at.toZonedDateTimeISO(zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

export interface MarketplaceNotificationData {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly title: string;
  readonly amount: Money;
  readonly paid: Money;
  readonly status: string;
  readonly hiddenDescription: string | null;
  readonly payerEmail: string;
  readonly createdAt: Temporal.Instant;
  readonly zone: string;
  readonly description: string;
}

/** The JSON of a marketplace transaction (docs/marketplace.md#the-notification). */
export function marketplaceNotification(data: MarketplaceNotificationData): Payload {
  return jsonPayload(data.merchantId, {
    type: 'marketplace_transaction',
    data: {
      transactionId: data.transactionId,
      transactionTitle: data.title,
      transactionAmount: decimalText(data.amount.minor),
      transactionPaidAmount: decimalText(data.paid.minor),
      transactionStatus: data.status,
      transactionHiddenDescription: data.hiddenDescription,
      payerEmail: data.payerEmail,
      transactionDate: localText(data.createdAt, data.zone),
      transactionDescription: data.description,
    },
  });
}

export interface RefundNotificationData {
  readonly merchantId: string;
  readonly refundId: string;
  readonly transactionId: string;
  readonly title: string;
  /** The new status of the refund. */
  readonly status: string;
  readonly amount: Money;
  readonly at: Temporal.Instant;
  readonly zone: string;
}

/** One status change of a refund. Read at GET /events; never sent. */
export function refundNotification(data: RefundNotificationData): Payload {
  return jsonPayload(data.merchantId, {
    type: 'refund',
    data: {
      refundId: data.refundId,
      transactionId: data.transactionId,
      transactionTitle: data.title,
      refundStatus: data.status,
      refundAmount: decimalText(data.amount.minor),
      refundCurrency: data.amount.currency,
      refundDate: localText(data.at, data.zone),
    },
  });
}

export interface DisputeNotificationData {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly transactionId: string;
  readonly title: string;
  readonly status: 'opened' | 'won' | 'lost';
  readonly amount: Money;
  readonly returned: Money;
  /** In the acquirer's words. */
  readonly reason: string;
  readonly respondUntil: Temporal.Instant | null;
  readonly at: Temporal.Instant;
  readonly zone: string;
}

/** What happened to a dispute. Read at GET /events; never sent. */
export function disputeNotification(data: DisputeNotificationData): Payload {
  return jsonPayload(data.merchantId, {
    type: 'dispute',
    data: {
      disputeId: data.disputeId,
      transactionId: data.transactionId,
      transactionTitle: data.title,
      disputeStatus: data.status,
      disputeAmount: decimalText(data.amount.minor),
      disputeReturned: decimalText(data.returned.minor),
      disputeCurrency: data.amount.currency,
      disputeReason: data.reason,
      respondUntil: data.respondUntil && localText(data.respondUntil, data.zone),
      disputeDate: localText(data.at, data.zone),
    },
  });
}

export interface SettlementNotificationData {
  readonly merchantId: string;
  readonly settlementId: string;
  readonly number: number;
  readonly payoutId: string | null;
  readonly opening: Money;
  readonly closing: Money;
  readonly lines: number;
  readonly at: Temporal.Instant;
  readonly zone: string;
}

/** A settlement was made. */
export function settlementNotification(data: SettlementNotificationData): Payload {
  return jsonPayload(data.merchantId, {
    type: 'settlement',
    data: {
      settlementId: data.settlementId,
      settlementNumber: data.number,
      payoutId: data.payoutId,
      settlementOpening: decimalText(data.opening.minor),
      settlementClosing: decimalText(data.closing.minor),
      settlementCurrency: data.closing.currency,
      settlementLines: data.lines,
      settlementDate: localText(data.at, data.zone),
    },
  });
}

export interface PayoutNotificationData {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly status: string;
  readonly amount: Money;
  readonly feeMinor: bigint;
  /** How the number of the bank account ends. */
  readonly ending: string;
  readonly onDemand: boolean;
  /** A code of contract/codes/payouts.ts; null: it has not ended. */
  readonly reason: string | null;
  readonly bankCode: string | null;
  readonly at: Temporal.Instant;
  readonly zone: string;
}

/** A payout is in another state. */
export function payoutNotification(data: PayoutNotificationData): Payload {
  return jsonPayload(data.merchantId, {
    type: 'payout',
    data: {
      payoutId: data.payoutId,
      payoutStatus: data.status,
      payoutAmount: decimalText(data.amount.minor),
      payoutFee: decimalText(data.feeMinor),
      payoutCurrency: data.amount.currency,
      payoutOnDemand: data.onDemand,
      payoutBankAccount: data.ending,
      payoutReason: data.reason,
      payoutBankCode: data.bankCode,
      payoutDate: localText(data.at, data.zone),
    },
  });
}

/** `merchantId` tells the receiver which merchant the notification is for. */
function jsonPayload(merchantId: string, value: object): Payload {
  return { contentType: jsonType, body: JSON.stringify({ ...value, merchantId }), confidential: false };
}
