// The tables of payouts, column by column. The types of the model come from here.

import { type PayoutReason, payoutReasons } from '../../contract/codes/payouts.ts';
import {
  bigint,
  day,
  instant,
  integer,
  integers,
  message,
  nullable,
  table,
  text,
  textAs,
  textFrom,
  whole,
} from '../database/index.ts';
import { type AccountId, currencyFrom } from '../kernel/index.ts';

export type PayoutState = 'created' | 'approved' | 'sent' | 'paid' | 'returned' | 'failed' | 'canceled';
export type MoveKind = 'paid' | 'paid_after_all' | 'sent_back' | 'undone';
export type Schedule = 'manual' | 'daily' | 'weekdays' | 'month_days';
export type SignedTable = 'payout_account' | 'payout_terms' | 'payout_block';

export const payoutAccountTable = table('payout_account', {
  id: text,
  accountId: textAs<AccountId>(),
  /** An IBAN. */
  numberSealed: text,
  numberEnding: text,
  holder: text,
  givenBy: text,
  givenAt: instant,
  /** No payout before. */
  holdUntil: instant,
  verifiedBy: nullable(text),
  verifiedAt: nullable(instant),
  replacedAt: nullable(instant),
  mac: text,
});

export const payoutTermsTable = table('payout_terms', {
  accountId: textAs<AccountId>(),
  schedule: textAs<Schedule>(),
  /** Of the week, 1 is Monday; or of the month. */
  days: integers,
  /** In bank days. */
  delayDays: integer,
  minimumMinor: bigint,
  keepBackMinor: bigint,
  blockedAt: nullable(instant),
  blockedBy: nullable(text),
  modifiedAt: instant,
  mac: text,
});

export const payoutBlockTable = table('payout_block', {
  id: text,
  accountId: textAs<AccountId>(),
  blockedAt: instant,
  blockedBy: text,
  /** Null: it is blocked. */
  releasedAt: nullable(instant),
  releasedBy: nullable(text),
  mac: text,
});

export const payoutSignedTable = table('payout_signed', {
  name: textAs<SignedTable>(),
  rows: bigint,
  digest: whole,
  mac: text,
});

export const payoutRunTable = table('payout_run', {
  id: text,
  day,
  startedAt: instant,
  endedAt: nullable(instant),
  /** The last account that it has decided about. */
  reached: text,
  payouts: integer,
  totalMinor: bigint,
});

export const payoutTable = table('payout', {
  /** Also the source of its journals. */
  id: text,
  accountId: textAs<AccountId>(),
  /** Null: on demand. */
  runId: nullable(text),
  payoutAccountId: text,
  currency: textFrom(currencyFrom),
  /** What the bank transfers. */
  amountMinor: bigint,
  feeMinor: bigint,
  numberSealed: text,
  numberEnding: text,
  holder: text,
  state: textAs<PayoutState>(),
  reason: nullable(message(payoutReasons)),
  createdAt: instant,
  approvedAt: nullable(instant),
  sentAt: nullable(instant),
  paidAt: nullable(instant),
  endedAt: nullable(instant),
  /** When the balance got amount and fee again, as nothing had left. It keeps them whatever the bank does afterwards. */
  givenBackAt: nullable(instant),
  /** How many the bank has made, with those that were taken back. */
  moves: integer,
});

export const payoutMoveTable = table('payout_move', {
  /** Also the source of its journal. */
  id: text,
  payoutId: text,
  /** Counted from 1. */
  number: integer,
  kind: textAs<MoveKind>(),
  undoes: nullable(text),
  /** The line of the statement. */
  line: text,
  stateBefore: textAs<PayoutState>(),
  stateAfter: textAs<PayoutState>(),
  paidBefore: nullable(instant),
  endedBefore: nullable(instant),
  reasonBefore: nullable(message(payoutReasons)),
  /** As debits. */
  transitMinor: bigint,
  availableMinor: bigint,
  owedMinor: bigint,
  feeMinor: bigint,
  bankMinor: bigint,
  at: instant,
});

export type { PayoutReason };
