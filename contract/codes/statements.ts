// Why a statement of our bank is not used, and why a decision about one of its lines is not possible. Amounts are texts such
// as 49.90.

import { fileFaults } from './bank-files.ts';
import type { Codes, Message } from './message.ts';

/** Of a file that is right, but does not fit what is in the books. */
const unfit = {
  /** `account`: how its number ends. */
  account_unknown: { account: 'text' },
  account_in_other_currency: { account: 'text', currency: 'text' },
  /** The opening balance is not the last closing balance, and no earlier statement explains it. */
  statement_gap: { account: 'text', statement: 'text', expected: 'text', opening: 'text' },
  /** An earlier statement has the same name and other lines. */
  statement_changed: { statement: 'text' },
  /** Another file of the account was imported while this one was read. */
  overtaken: {},
  /** The process that read it has died. */
  interrupted: {},
} as const satisfies Codes;

export const statementProblems = { ...fileFaults, ...unfit } as const;
export type StatementProblem = Message<typeof statementProblems>;

export const allocationFaults = {
  line_not_waiting: {},
  payout_unknown: { payout: 'text' },
  payout_has_other_amount: { payout: 'text', amount: 'text', line: 'text' },
  payout_arrived: { payout: 'text' },
  fee_came: {},
  fee_left: {},
  fee_not_charged: { charged: 'text', line: 'text' },
  fee_given_back: {},
  decision_unknown: {},
  payout_moved_since: { payout: 'text' },
} as const satisfies Codes;
export type AllocationFaultReason = Message<typeof allocationFaults>;
