// The tables of reconciliation, column by column.

import { parkReasons, statementFaults } from '../../contract/codes/parking.ts';
import {
  bigint,
  boolean,
  bytes,
  instant,
  integer,
  message,
  nullable,
  table,
  text,
  textAs,
  textFrom,
  whole,
} from '../database/index.ts';
import { currencyFrom } from '../kernel/index.ts';

export type RunState = 'running' | 'agreed' | 'differs' | 'incomplete';
/** What moves money at the acquirer, by key. */
export type Moved = 'capture' | 'refund' | 'refund_returned' | 'payout' | LineKind;
/** Lines that nobody here asked for and that are booked as the acquirer names them, once: they have rows. */
export type LineKind = 'fee' | 'payout_returned' | 'dispute' | 'dispute_won' | 'other_taken' | 'other_given';
export type TotalKind = 'capture' | 'refund' | 'payout' | 'fee' | 'dispute' | 'other';
export type ItemKind = Moved | TotalKind;
export type Difference =
  | 'not_booked'
  | 'not_at_bank'
  | 'other_amount'
  | 'other_charge'
  | 'row_missing'
  | 'repeated'
  | 'total'
  | 'suspended';
export type ItemState = 'parked' | 'promised' | 'returning' | 'closed';
export type Outcome =
  | 'returned'
  | 'confirmed'
  | 'not_moved'
  | 'booked'
  | 'corrected_by_bank'
  | 'named_later'
  | 'settled_by_payment'
  | 'changed'
  /** The payer got it by a dispute. */
  | 'disputed';
export type RecordStep =
  | 'run_started'
  | 'run_ended'
  | 'payout_booked'
  | 'line_booked'
  | 'line_amended'
  | 'found'
  | 'changed'
  | 'followed'
  | 'reverted'
  | 'decided'
  | 'promised'
  | 'returning'
  | 'parked'
  | 'returned'
  | 'closed';

export const reconciliationRunTable = table('reconciliation_run', {
  id: text,
  acquirer: text,
  fromAt: instant,
  toAt: instant,
  startedAt: instant,
  leaseUntil: instant,
  nodeId: nullable(text),
  endedAt: nullable(instant),
  state: textAs<RunState>(),
  captures: bigint,
  capturedMinor: bigint,
  refunds: bigint,
  refundedMinor: bigint,
  payouts: bigint,
  paidOutMinor: bigint,
  feesMinor: bigint,
  applied: integer,
  found: integer,
  open: integer,
  carriedMinor: nullable(bigint),
  carriedUntil: nullable(text),
  why: nullable(message(statementFaults)),
});

export const reconciliationTotalTable = table('reconciliation_total', {
  runId: text,
  kind: textAs<TotalKind>(),
  bankMinor: bigint,
  ourMinor: bigint,
  elsewhereMinor: bigint,
  namedMinor: bigint,
  unexplainedMinor: bigint,
});

export const reconciliationLineTable = table('reconciliation_line', {
  runId: text,
  position: bigint,
  kind: textAs<Moved>(),
  key: text,
  chargeKey: nullable(text),
  amountMinor: bigint,
  feeMinor: bigint,
  what: nullable(text),
  at: instant,
  isRepeated: boolean,
});

export const acquirerPayoutTable = table('acquirer_payout', {
  acquirer: text,
  key: text,
  amountMinor: bigint,
  feeMinor: bigint,
  currency: textFrom(currencyFrom),
  at: instant,
  bookedAt: instant,
});

export const acquirerLineTable = table('acquirer_line', {
  acquirer: text,
  kind: textAs<LineKind>(),
  key: text,
  chargeKey: nullable(text),
  what: nullable(text),
  amountMinor: bigint,
  currency: textFrom(currencyFrom),
  at: instant,
  bookedAt: instant,
  toldAt: nullable(instant),
});

export const acquirerNotedTable = table('acquirer_noted', {
  acquirer: text,
  lines: bigint,
  digest: whole,
  mac: text,
});

export const reconciliationItemTable = table('reconciliation_item', {
  id: text,
  runId: text,
  seenRunId: text,
  acquirer: text,
  kind: textAs<ItemKind>(),
  difference: textAs<Difference>(),
  key: text,
  chargeKey: nullable(text),
  ourChargeKey: nullable(text),
  what: nullable(text),
  bankMinor: nullable(bigint),
  bankFeeMinor: bigint,
  bankAt: nullable(instant),
  ourMinor: nullable(bigint),
  ourFeeMinor: bigint,
  currency: textFrom(currencyFrom),
  state: textAs<ItemState>(),
  promisedAt: nullable(instant),
  why: message(parkReasons),
  foundAt: instant,
  closedAt: nullable(instant),
  outcome: nullable(textAs<Outcome>()),
});

export const reconciliationRecordTable = table('reconciliation_record', {
  position: bigint,
  id: text,
  at: instant,
  acquirer: text,
  runId: nullable(text),
  itemId: nullable(text),
  kind: nullable(textAs<ItemKind>()),
  key: nullable(text),
  step: textAs<RecordStep>(),
  movedMinor: nullable(bigint),
  unallocatedMinor: nullable(bigint),
  content: text,
  hash: bytes,
});
