// The tables of transactions, column by column. The types of the model come from here.

import {
  bigint,
  boolean,
  group,
  instant,
  integer,
  named,
  nullable,
  type RowOf,
  smallint,
  table,
  text,
  textAs,
  textFrom,
} from '../database/index.ts';
import { type AccountId, currencyFrom, type PosId, type TransactionId } from '../kernel/index.ts';

export type TransactionStatus = 'pending' | 'paid' | 'refund' | 'canceled';
export type TransactionOrigin = 'api' | 'recurring' | 'marketplace';
/** By a request or in the panel; not paid in time; a recurring charge was declined. */
export type CanceledBy = 'merchant' | 'expiry' | 'charge';
export type PaymentStatus = 'pending' | 'correct' | 'declined';
export type PaymentMethod = 'pay_by_link' | 'transfer' | 'sale';

export const transactionTable = table('transaction', {
  id: textAs<TransactionId>(),
  merchantId: textAs<AccountId>(),
  posId: textAs<PosId>(),
  title: text,
  status: textAs<TransactionStatus>(),
  createdAt: instant,
  realizedAt: nullable(instant),
  amount: group({ minor: named('amount_minor', bigint), currency: textFrom(currencyFrom) }),
  description: text,
  hiddenDescription: text,
  lang: text,
  payer: group({
    payerId: text,
    email: named('payer_email', text),
    name: named('payer_name', text),
    phone: named('payer_phone', text),
    address: named('payer_address', text),
    city: named('payer_city', text),
    postalCode: named('payer_postal_code', text),
    country: named('payer_country', text),
    taxId: named('payer_tax_id', text),
    ip: named('payer_ip', nullable(text)),
    userAgent: named('payer_user_agent', text),
  }),
  paymentStatus: textAs<PaymentStatus>(),
  paymentMethod: nullable(textAs<PaymentMethod>()),
  channelId: nullable(integer),
  amountPaidMinor: bigint,
  paidAt: nullable(instant),
  successUrl: nullable(text),
  errorUrl: nullable(text),
  notificationUrl: nullable(text),
  notificationEmail: nullable(text),
  /** The unguessable part of the pay page's URL. */
  payKey: text,
  attemptsStarted: integer,
  /** Who starts its attempts: the payer, or only the recurring engine. */
  origin: textAs<TransactionOrigin>(),
  /** Null also for transactions that were canceled before this was stored. */
  canceledAt: nullable(instant),
  canceledBy: nullable(textAs<CanceledBy>()),
  /** Whether its last decline was told by a notification of its own. */
  declineNotified: boolean,
});

/**
 * What a new transaction is where nothing else was asked for. Every origin starts from it, so that an optional column has
 * its default only here.
 */
export const blankTransaction = {
  status: 'pending',
  realizedAt: null,
  hiddenDescription: '',
  lang: '',
  paymentStatus: 'pending',
  paymentMethod: null,
  channelId: null,
  amountPaidMinor: 0n,
  paidAt: null,
  successUrl: null,
  errorUrl: null,
  notificationUrl: null,
  notificationEmail: null,
  attemptsStarted: 0,
  canceledAt: null,
  canceledBy: null,
  declineNotified: false,
} as const satisfies Partial<RowOf<typeof transactionTable>>;

/** The parts of a marketplace transaction, one for each child. */
export const transactionPartTable = table('transaction_part', {
  id: text,
  transactionId: textAs<TransactionId>(),
  number: smallint,
  /** The seller. */
  merchantId: textAs<AccountId>(),
  amountMinor: bigint,
  feeMinor: bigint,
  /** By which the fee was computed. */
  priceId: nullable(bigint),
  commissionMinor: bigint,
  description: text,
  hiddenDescription: text,
  /** JSON of the marketplace. */
  products: text,
  /** Of what each side gets, by the vault. */
  mac: text,
});
