// The tables of this room, column by column. The types of the model come from here.

import { type AccountId, currencyFrom } from '../kernel/index.ts';
import { bigint, instant, integer, nullable, table, text, textAs, textFrom } from '../platform/index.ts';

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
  nextTryAt: nullable(instant),
  checks: integer,
  otherAmounts: integer,
  parkedAt: nullable(instant),
  parkedWhy: nullable(text),
});
