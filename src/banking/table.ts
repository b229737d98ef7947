// The tables of this room, column by column. The types of the model come from here.

import type { UnresolvedCode } from '../../contract/codes/parking.ts';
import type { RefundDeclineReason } from '../../contract/codes/refund-declines.ts';
import { bigint, boolean, instant, integer, nullable, table, text, textAs, textFrom } from '../database/index.ts';
import { type AccountId, currencyFrom, type RecurringId, type TransactionId } from '../kernel/index.ts';

/** What is paid: a transaction by its payer, or an iteration of a recurring payment. */
export type ChargePurpose = 'payment' | 'recurring';
export type OpenState = 'sent' | 'waiting' | 'unknown';
export type FinalState = 'correct' | 'surplus' | 'failed' | 'canceled';
export type ChargeState = OpenState | FinalState;

export const chargeTable = table('charge', {
  /** Also its key at the acquirer. That of a recurring charge is the id of its transaction. */
  id: text,
  purpose: textAs<ChargePurpose>(),
  transactionId: textAs<TransactionId>(),
  merchantId: textAs<AccountId>(),
  acquirer: text,
  amountMinor: bigint,
  currency: textFrom(currencyFrom),
  channelId: integer,
  /** As refunds name the token that was charged; null without one. */
  cardToken: nullable(text),
  /** By which the fee of a payment was computed. */
  priceId: nullable(bigint),
  /** `merchant`: the payer is not present to confirm. */
  initiator: textAs<'payer' | 'merchant'>(),
  state: textAs<ChargeState>(),
  reason: nullable(text),
  /** Where the payer confirms. */
  link: nullable(text),
  createdAt: instant,
  settledAt: nullable(instant),
  nextCheckAt: nullable(instant),
  checks: integer,
  timesNotFound: integer,
  otherAmounts: integer,
  /** Whether no byte of it has been sent so far. */
  neverSent: boolean,
  parkedAt: nullable(instant),
  parkedWhy: nullable(textAs<UnresolvedCode>()),
  /** Of a payment: its place among the attempts of the transaction. */
  number: nullable(integer),
  /** Of the card that a payment was made with; null for other methods. */
  cardBrand: nullable(text),
  cardTail: nullable(text),
  /** Of a recurring charge: what it pays, and the instrument that it was claimed with. */
  recurringId: nullable(textAs<RecurringId>()),
  iteration: nullable(integer),
  attempt: nullable(integer),
  manual: nullable(boolean),
  instrumentType: nullable(textAs<'card_token' | 'blik_payid'>()),
  instrumentSealed: nullable(text),
  blikModel: nullable(textAs<'A' | 'M' | 'O'>()),
  blikNoDelay: nullable(boolean),
});

/** What money goes back for. */
export type Purpose = 'refund' | 'surplus' | 'unallocated';

/**
 * `held`: not to be sent until its room says so. `new`: not sent yet. `sent`: it may have reached the bank. `refused`:
 * declined by the bank. `canceled`: withdrawn before it was sent.
 */
export type OutgoingState = 'held' | 'new' | 'sent' | 'done' | 'refused' | 'canceled';

export const outgoingRefundTable = table('outgoing_refund', {
  /** Also its key at the acquirer. */
  id: text,
  acquirer: text,
  /** Null for a capture that belongs to nobody. */
  merchantId: nullable(textAs<AccountId>()),
  currency: textFrom(currencyFrom),
  amountMinor: bigint,
  /** The key of the charge that it gives back. */
  chargeKey: text,
  purpose: textAs<Purpose>(),
  /** The refund, the charge or the difference that it is for. */
  subjectId: text,
  state: textAs<OutgoingState>(),
  createdAt: instant,
  /** When it was sent, for the last time after a decision to try again. */
  sentAt: nullable(instant),
  doneAt: nullable(instant),
  cameBackAt: nullable(instant),
  /** Of a surplus: since when it is not to be sent, because its payer got the money by a dispute. */
  withdrawnAt: nullable(instant),
  nextTryAt: nullable(instant),
  checks: integer,
  otherAmounts: integer,
  parkedAt: nullable(instant),
  parkedWhy: nullable(textAs<UnresolvedCode>()),
  /** Why the acquirer declined it, if it said so; cleared when it is sent again or paid after all. */
  refusedWhy: nullable(textAs<RefundDeclineReason>()),
});
