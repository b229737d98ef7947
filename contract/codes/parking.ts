// Why something waits for an operator, why a decision about it is not possible, and what a comparison with the bank's
// statement says. Amounts are texts such as 49.90.

import type { Codes, Message } from './message.ts';

/** What an operator decides about. */
export const parkedKinds = [
  'attempt',
  'charge',
  'refund',
  'surplus',
  'refund_returned',
  'capture',
  'payout',
  'payout_returned',
  'fee',
  'dispute',
  'dispute_won',
  'other_taken',
  'other_given',
  'other',
  'bank_line',
] as const;
export type ParkedKind = (typeof parkedKinds)[number];

/** Of charges and of money that goes back. */
const unresolved = {
  other_amount: {},
  ended_contradicted: {},
  no_result: {},
  not_confirmed: {},
  return_refused: {},
  key_missing: {},
  paid_after_decline: {},
  not_written: {},
  settled_by_payment: {},
  return_changed: {},
  return_disputed: {},
  came_back: {},
  refunded_too: {},
  dispute_unsettled: {},
} as const satisfies Codes;
export type UnresolvedCode = keyof typeof unresolved;

const kind = [
  'capture',
  'refund',
  'refund_returned',
  'payout',
  'payout_returned',
  'fee',
  'dispute',
  'dispute_won',
  'other_taken',
  'other_given',
] as const;

/** What the acquirer is to be asked about: its dispute, and the charge that it names. `paid_back`: we gave it back already. */
const unclaimed = {
  dispute_unclaimed: { acquirer: 'text', dispute: 'text', charge: 'text' },
  dispute_paid_back: { acquirer: 'text', dispute: 'text', charge: 'text' },
} as const satisfies Codes;

/** Of differences from the bank's statement. */
const differences = {
  capture_not_booked: { bank: 'text' },
  refund_not_booked: { bank: 'text' },
  return_not_booked: { bank: 'text' },
  payout_return_not_booked: { bank: 'text' },
  not_at_bank: { kind, ours: 'text' },
  amounts_differ: { kind, bank: 'text', ours: 'text' },
  other_charge: { bank: 'text', charge: 'text' },
  /** `charge` is the statement's, `ours` that of the dispute in our books. */
  dispute_other_charge: { kind: ['dispute', 'dispute_won'], bank: 'text', charge: 'text', ours: 'text' },
  rows_missing: { kind, ours: 'text' },
  /** In the acquirer's word. */
  line_suspended: { kind: ['other_taken', 'other_given'], bank: 'text', what: 'text' },
  payout_exceeds: { bank: 'text', owed: 'text' },
  line_repeated: { kind, bank: 'text', once: 'text' },
  totals_differ: { kind: ['capture', 'refund', 'payout', 'fee', 'dispute', 'other'], off: 'text' },
  /** The acquirer was to correct it; times are in ISO 8601. */
  promised: { since: 'text' },
  promise_not_kept: { kind, bank: 'text', ours: 'text', since: 'text' },
  item_damaged: {},
} as const satisfies Codes;

/** Of lines of our own bank's statements. */
const bankLines = {
  bank_line_unknown: { account: 'text', statement: 'text', day: 'text', amount: 'text' },
  /** An opening balance that no earlier statement explains. */
  bank_balance_brought: { account: 'text', statement: 'text', day: 'text', amount: 'text' },
} as const satisfies Codes;

export const parkReasons = { ...unresolved, ...unclaimed, ...differences, ...bankLines } as const;
export type ParkReason = Message<typeof parkReasons>;

/** Nothing is left to decide: the books are as they must be, and somebody has to know. */
export function isOnlySeen({ code }: Pick<ParkReason, 'code'>): boolean {
  return code === 'came_back' || code === 'refunded_too';
}

export const unresolvedReason = (code: UnresolvedCode): ParkReason => ({ code, parameters: {} });

export const decisionFaults = {
  not_requested: { asked: 'text', named: 'text' },
  not_about: { amount: 'text', named: 'text' },
  moved_elsewhere: { bank: 'text' },
  agreed_on: { amount: 'text' },
  payout_differs: { bank: 'text', ours: 'text' },
  amounts_differ: { bank: 'text', ours: 'text' },
  settled_by_payment: {},
  line_repeated: { bank: 'text', once: 'text' },
  totals_differ: { off: 'text' },
  bank_line_elsewhere: {},
} as const satisfies Codes;
export type DecisionFaultReason = Message<typeof decisionFaults>;

/** What is wrong with a statement, or with the comparison. */
export const statementFaults = {
  other_period: { count: 'number', place: 'number' },
  unreadable_lines: { count: 'number', place: 'number' },
  not_written: { count: 'number', key: 'text' },
  not_continued: {},
  lines_changed: {},
  taken_over: {},
  no_statement: {},
  process_ended: {},
  failed: {},
  repeated_lines: { count: 'number', key: 'text' },
  unanswered: { count: 'number' },
  run_damaged: {},
} as const satisfies Codes;
export type StatementFaultReason = Message<typeof statementFaults>;

/** What happened to a difference. */
export const historySteps = [
  'found',
  'changed',
  'followed',
  'reverted',
  'decided',
  'promised',
  'returning',
  'parked',
  'returned',
  'closed',
  'payout_booked',
  'line_booked',
  'line_amended',
] as const;
export type HistoryStep = (typeof historySteps)[number];
