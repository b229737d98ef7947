// Why something is parked, why a decision is not possible, and what is wrong with a statement, in English.

import type { Sentences } from '../message.ts';
import type { decisionFaults, parkReasons, statementFaults } from '../parking.ts';

export const parkSentences: Sentences<typeof parkReasons> = {
  other_amount: () => 'The bank reports a different amount.',
  ended_contradicted: () => 'The bank contradicts itself about an ended payment.',
  no_result: () => 'The bank gave no result for three days.',
  not_confirmed: () => 'The bank has not confirmed it for 30 days.',
  return_refused: () => 'The bank refused to give it back.',
  key_missing: () => 'The instrument cannot be decrypted: its vault key is missing.',
  paid_after_decline: () => 'The bank paid out a refund that it had declined.',
  not_written: () => 'The result could not be written.',
  settled_by_payment: () => 'A payment has taken it meanwhile.',
  capture_not_booked: ({ bank }) => `The bank captured ${bank}; no payment of ours has it.`,
  refund_not_booked: ({ bank }) => `The bank paid ${bank} to a payer; no refund of ours asked for it.`,
  not_at_bank: ({ kind, ours }) => `Our books have a ${kind} of ${ours}; the bank has not.`,
  amounts_differ: ({ kind, bank, ours }) => `The bank has a ${kind} of ${bank}; our books have ${ours}.`,
  other_charge: ({ bank }) => `The bank paid the refund of ${bank} on another charge than ours, to another payer.`,
  rows_missing: ({ kind, ours }) =>
    `The ${kind} of ${ours} is in the books and at the bank, but rows about it are missing.`,
};

const corrected = (ours: string) => `captured ${ours} once the bank has corrected it.`;

export const decisionSentences: Sentences<typeof decisionFaults> = {
  not_requested: ({ asked, named }) =>
    `${asked} was requested, not ${named}. Have the bank move the difference and decide captured ${asked}, or have it reverse everything and decide not-captured.`,
  not_about: ({ amount, named }) => `It is about ${amount}, not ${named}.`,
  moved_elsewhere: ({ bank }) => `The bank moved ${bank}. Decide captured once the bank has put it right.`,
  agreed_on: ({ amount }) => `The bank and the books agree on ${amount}. Restore the rows, then decide captured.`,
  payout_differs: ({ ours }) => `A payout is corrected by the bank. Decide ${corrected(ours)}`,
  amounts_differ: ({ bank, ours }) => `Decide captured ${bank} to book the difference, or ${corrected(ours)}`,
  settled_by_payment: () => 'A payment has taken it meanwhile: run grosz reconcile, which closes it.',
};

export const statementSentences: Sentences<typeof statementFaults> = {
  other_period: () => 'The statement has lines of another period.',
  not_continued: () => 'The statement does not go on.',
  taken_over: () => 'Another run took over.',
  no_statement: () => 'The bank gave no statement.',
  process_ended: () => 'The process ended.',
  failed: () => 'It failed; see the log.',
  repeated_lines: ({ count, key }) => `The statement names ${count} of its lines twice, the first with key ${key}.`,
  unanswered: ({ count }) => `The bank did not answer about ${count} payments or refunds.`,
};
