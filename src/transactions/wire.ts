// Wire to domain and back. The domain has explicit values; the wire has optional fields, nulls and empty strings.

import type { Static } from '../../contract/schema.ts';
import type { TransactionCreated, TransactionGiven } from '../../contract/transactions.ts';
import type { Merchant } from '../accounts/index.ts';
import { errorDocUrl } from '../http/index.ts';
import { decimalFromMinor, localText, minorFromDecimal, money } from '../kernel/index.ts';
import { paymentFailed, serializeChannel } from '../methods/index.ts';
import { declineOf } from './declines.ts';
import type { Attempt, ListedAttempt, Payer, Transaction, TransactionCommand } from './model.ts';
import { payPageUrl } from './rules.ts';

/** The body is already validated. All defaults are filled in here. */
export function readCommand(given: Static<typeof TransactionGiven>, merchant: Merchant): TransactionCommand {
  const minor = minorFromDecimal(given.amount);
  if (minor === undefined) throw new Error('The validator let an amount through that has no minor units.');
  const { payer, callbacks } = given;
  return {
    amount: money(minor, given.currency ?? 'PLN'),
    description: given.description,
    hiddenDescription: given.hiddenDescription ?? '',
    // Empty: the payer's browser decides.
    lang: given.lang ?? '',
    payer: {
      email: payer?.email ?? '',
      name: payer?.name ?? '',
      phone: payer?.phone ?? '',
      address: payer?.address ?? '',
      city: payer?.city ?? '',
      postalCode: payer?.code ?? '',
      country: payer?.country ?? merchant.country,
      taxId: payer?.taxId ?? '',
      ip: payer?.ip ?? null,
      userAgent: payer?.userAgent ?? '',
    },
    pay: given.pay,
    successUrl: callbacks?.payerUrls?.success ?? null,
    errorUrl: callbacks?.payerUrls?.error ?? null,
    notificationUrl: callbacks?.notification?.url ?? null,
    notificationEmail: callbacks?.notification?.email ?? null,
  };
}

type Shown = Omit<Static<typeof TransactionCreated>, 'result' | 'requestId'>;

/**
 * All documented fields, including nulls and empty strings; `ip` only if it was sent. Fields that precede them are
 * passed as `head`: V8 clones an object spread at the beginning in one step, but one after other fields property by
 * property.
 */
export function serializeTransaction<Head extends object>(
  head: Head,
  transaction: Transaction,
  zone: string,
  baseUrl: string,
): Head & Shown {
  const realization = transaction.realizedAt && localText(transaction.realizedAt, zone);
  return {
    ...head,
    transactionId: transaction.id,
    title: transaction.title,
    posId: transaction.posId,
    status: transaction.status,
    date: { creation: localText(transaction.createdAt, zone), realization },
    amount: decimalFromMinor(transaction.amount.minor),
    currency: transaction.amount.currency,
    description: transaction.description,
    hiddenDescription: transaction.hiddenDescription,
    payer: serializePayer(transaction.payer),
    payments: {
      status: transaction.paymentStatus,
      method: transaction.paymentMethod,
      ...serializeChannel(transaction.channelId),
      amountPaid: decimalFromMinor(transaction.amountPaidMinor),
      date: { realization: transaction.paidAt && localText(transaction.paidAt, zone) },
    },
    transactionPaymentUrl: payPageUrl(baseUrl, transaction),
  };
}

function serializePayer({
  payerId,
  email,
  name,
  phone,
  address,
  city,
  country,
  postalCode,
  ip,
}: Payer): Shown['payer'] {
  const shown = { payerId, email, name, phone, address, city, country, postalCode };
  return ip === null ? shown : { ...shown, ip };
}

/** What an attempt adds to the response: its errors, and the page where the payer confirms. */
export function serializePaid<Head extends object>(
  head: Head,
  transaction: Transaction,
  attempt: Attempt,
  zone: string,
  baseUrl: string,
) {
  const shown = serializeTransaction(head, transaction, zone, baseUrl);
  const declined = attempt.state === 'failed' && transaction.status === 'pending';
  return {
    ...shown,
    payments: declined ? { ...shown.payments, errors: paymentErrors(attempt.reason ?? '', baseUrl) } : shown.payments,
    transactionPaymentUrl: attempt.state === 'waiting' && attempt.link ? attempt.link : shown.transactionPaymentUrl,
  };
}

const resultOfState = {
  sent: 'pending',
  waiting: 'pending',
  unknown: 'pending',
  correct: 'success',
  surplus: 'failed',
  failed: 'failed',
  canceled: 'failed',
} as const;

/** `result` of E2: success if paid, pending while waiting for the payer or the bank, failed if declined. */
export function serializeResult(attempt: Attempt) {
  return resultOfState[attempt.state];
}

export function paymentErrors(reason: string, baseUrl: string) {
  return [
    {
      errorCode: paymentFailed.code,
      errorMessage: reason,
      fieldName: '',
      devMessage: paymentFailed.usual.fix,
      docUrl: errorDocUrl(`${baseUrl}/docs`, paymentFailed.code),
    },
  ];
}

const shownState = {
  sent: 'pending',
  waiting: 'pending',
  unknown: 'pending',
  correct: 'correct',
  surplus: 'refunded',
  failed: 'declined',
  canceled: 'canceled',
} as const;

/** One item of `payments.attempts`. Money that came after the attempt had ended was given back: also `refunded`. */
export function serializeAttempt(attempt: ListedAttempt, zone: string) {
  const status = attempt.givenBack ? 'refunded' : shownState[attempt.state];
  return {
    attemptId: attempt.id,
    status,
    channelId: String(attempt.channelId),
    amount: decimalFromMinor(attempt.amountMinor),
    reason: attempt.reason,
    paymentErrorCode: status === 'declined' ? declineOf(attempt.reason).code : null,
    date: {
      creation: localText(attempt.createdAt, zone),
      realization: attempt.settledAt && localText(attempt.settledAt, zone),
    },
  };
}

/** A transaction in full with its attempts; with errors if the last attempt was declined. */
export function serializeInFull<Head extends object>(
  head: Head,
  transaction: Transaction,
  attempts: readonly ListedAttempt[],
  zone: string,
  baseUrl: string,
) {
  const last = attempts.at(-1);
  const shown = last
    ? serializePaid(head, transaction, last, zone, baseUrl)
    : serializeTransaction(head, transaction, zone, baseUrl);
  const url = payPageUrl(baseUrl, transaction);
  return {
    ...shown,
    payments: { ...shown.payments, attempts: attempts.map((attempt) => serializeAttempt(attempt, zone)) },
    transactionPaymentUrl: url,
  };
}
