// Wire to domain and back. The domain has explicit values; the wire has optional fields, nulls and empty strings.

import type { Static } from '../../contract/schema.ts';
import type { TransactionCreated, TransactionGiven } from '../../contract/transactions.ts';
import type { Merchant } from '../accounts/index.ts';
import { decimalFromMinor, localText, type Money, minorFromDecimal, money } from '../kernel/index.ts';
import type { MethodWish } from './rules.ts';
import type { Payer, PaymentMethod, Transaction } from './store.ts';

export interface TransactionCommand {
  readonly amount: Money;
  readonly description: string;
  readonly hiddenDescription: string;
  readonly lang: string;
  readonly payer: Omit<Payer, 'payerId'>;
  readonly pay: (MethodWish & { readonly method?: PaymentMethod }) | undefined;
  readonly successUrl: string | null;
  readonly errorUrl: string | null;
  readonly notificationUrl: string | null;
  readonly notificationEmail: string | null;
}

/** The body was validated: every default of decisions 4 is filled in here, and nowhere else. */
export function readCommand(given: Static<typeof TransactionGiven>, merchant: Merchant): TransactionCommand {
  const minor = minorFromDecimal(given.amount);
  if (minor === undefined) throw new Error('The validator let an amount through that has no minor units.');
  const { payer, callbacks } = given;
  return {
    amount: money(minor, given.currency ?? 'PLN'),
    description: given.description,
    hiddenDescription: given.hiddenDescription ?? '',
    lang: given.lang ?? 'pl',
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

/** Every field of interface 2.1, real nulls and empty strings included; `ip` only when it was sent. */
export function writeTransaction(transaction: Transaction, zone: string, baseUrl: string): Shown {
  const { payer } = transaction;
  const realization = transaction.realizedAt && localText(transaction.realizedAt, zone);
  return {
    transactionId: transaction.id,
    title: transaction.title,
    posId: transaction.posId,
    status: transaction.status,
    date: { creation: localText(transaction.createdAt, zone), realization },
    amount: decimalFromMinor(transaction.amount.minor),
    currency: transaction.amount.currency,
    description: transaction.description,
    hiddenDescription: transaction.hiddenDescription,
    payer: {
      payerId: payer.payerId,
      email: payer.email,
      name: payer.name,
      ...(payer.ip === null ? {} : { ip: payer.ip }),
      phone: payer.phone,
      address: payer.address,
      city: payer.city,
      country: payer.country,
      postalCode: payer.postalCode,
    },
    payments: {
      status: transaction.paymentStatus,
      method: transaction.paymentMethod,
      amountPaid: decimalFromMinor(transaction.amountPaidMinor),
      date: { realization: transaction.paidAt && localText(transaction.paidAt, zone) },
    },
    transactionPaymentUrl: `${baseUrl}/pay/${transaction.id}.${transaction.payKey}`,
  };
}
