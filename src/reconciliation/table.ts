// The tables of reconciliation, column by column.

import { parkReasons, statementFaults } from '../../contract/codes/parking.ts';
import { bigint, instant, integer, message, nullable, table, text, textAs, textFrom } from '../database/index.ts';
import { currencyFrom } from '../kernel/index.ts';

export type RunState = 'running' | 'agreed' | 'differs' | 'incomplete';
export type Moved = 'capture' | 'refund' | 'payout';
export type Difference = 'not_booked' | 'not_at_bank' | 'other_amount' | 'other_charge' | 'row_missing';
export type ItemState = 'parked' | 'returning' | 'closed';

export const reconciliationRunTable = table('reconciliation_run', {
  id: text,
  acquirer: text,
  fromAt: instant,
  toAt: instant,
  startedAt: instant,
  leaseUntil: instant,
  endedAt: nullable(instant),
  state: textAs<RunState>(),
  captures: bigint,
  capturedMinor: bigint,
  refunds: bigint,
  refundedMinor: bigint,
  payouts: bigint,
  paidOutMinor: bigint,
  applied: integer,
  found: integer,
  why: nullable(message(statementFaults)),
});

export const reconciliationLineTable = table('reconciliation_line', {
  runId: text,
  position: bigint,
  kind: textAs<Moved>(),
  key: text,
  chargeKey: nullable(text),
  amountMinor: bigint,
  feeMinor: bigint,
  at: instant,
});

export const reconciliationItemTable = table('reconciliation_item', {
  id: text,
  runId: text,
  acquirer: text,
  kind: textAs<Moved>(),
  difference: textAs<Difference>(),
  key: text,
  bankMinor: nullable(bigint),
  ourMinor: nullable(bigint),
  currency: textFrom(currencyFrom),
  state: textAs<ItemState>(),
  why: message(parkReasons),
  foundAt: instant,
  closedAt: nullable(instant),
  outcome: nullable(text),
});
