// Why something is parked, why a decision is not possible, and what is wrong with a statement, in English.

import type { Sentences } from '../message.ts';
import type { decisionFaults, HistoryStep, parkReasons, statementFaults } from '../parking.ts';

const movedWords = {
  capture: 'capture',
  refund: 'refund',
  refund_returned: 'refund that came back',
  payout: 'payout',
  payout_returned: 'payout that came back',
  fee: 'fee',
  dispute: 'disputed amount',
  dispute_won: 'disputed amount given back',
  other_taken: 'line that takes',
  other_given: 'line that adds',
} as const;

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
  came_back: () => 'The bank had paid it out, and the money came back.',
  refunded_too: () =>
    'The payer gets more than was paid: by refunds and by a dispute. Find out which the bank will take back.',
  dispute_unsettled: () =>
    'The acquirer has kept a different amount of this dispute than the accounts bear, and its statement has not settled the difference in time.',
  dispute_unclaimed: ({ acquirer, dispute, charge }) =>
    `A charge is disputed that no merchant was paid for: nobody here bears it. Ask ${acquirer} about its dispute ${dispute} of charge ${charge}.`,
  dispute_paid_back: ({ acquirer, dispute, charge }) =>
    `We have paid charge ${charge} back, and the payer disputes it too. Contest dispute ${dispute} at ${acquirer}: nobody here bears it.`,
  return_changed: () => 'What was to be sent is not what was decided: run grosz verify.',
  return_disputed: () =>
    "It was not sent, because the payer's bank takes the same money back by a dispute. Wait for the end of the dispute: if it is won, the money goes on by itself; if it is lost, decide that no money moved.",
  capture_not_booked: ({ bank }) => `The bank captured ${bank}; no payment of ours has it.`,
  refund_not_booked: ({ bank }) => `The bank paid ${bank} to a payer; no refund of ours asked for it.`,
  return_not_booked: ({ bank }) => `The bank has ${bank} of a refund again; no refund of ours is it.`,
  payout_return_not_booked: ({ bank }) => `The bank has ${bank} of a payout again; no payout of ours is that much.`,
  not_at_bank: ({ kind, ours }) => `Our books have a ${movedWords[kind]} of ${ours}; the bank has not.`,
  amounts_differ: ({ kind, bank, ours }) => `The bank has a ${movedWords[kind]} of ${bank}; our books have ${ours}.`,
  other_charge: ({ bank, charge }) =>
    `The bank paid the refund of ${bank} on another charge than ours (${charge}), to another payer.`,
  dispute_other_charge: ({ kind, bank, charge, ours }) =>
    `The statement names a ${movedWords[kind]} of ${bank} on charge ${charge}; our dispute is about charge ${ours}.`,
  rows_missing: ({ kind, ours }) =>
    `The ${movedWords[kind]} of ${ours} is in the books and at the bank, but rows about it are missing.`,
  line_suspended: ({ kind, bank, what }) =>
    `The acquirer ${kind === 'other_taken' ? 'took' : 'added'} ${bank} and calls it "${what}". It is in the suspense account until you say what it is.`,
  payout_exceeds: ({ bank, owed }) => `The bank has a payout of ${bank}; by our books it owes only ${owed}.`,
  line_repeated: ({ kind, bank, once }) =>
    `The statement names a ${movedWords[kind]} of ${once} more than once, ${bank} in all; it was compared once.`,
  totals_differ: ({ kind, off }) =>
    kind === 'other'
      ? `The acquirer's account has ${off} in the period that belongs to no payment, refund or payout.`
      : `The sums of ${kind} lines differ by ${off} that no difference explains.`,
  promised: ({ since }) => `The bank is to correct it, as decided on ${since}.`,
  promise_not_kept: ({ kind, bank, ours, since }) =>
    `The bank was to correct it, as decided on ${since}, and still has a ${movedWords[kind]} of ${bank}; our books have ${ours}.`,
  item_damaged: () => 'The row of this difference is damaged: run grosz verify.',
  bank_line_unknown: ({ account, statement, day, amount }) =>
    `Statement ${statement} of our account that ends with ${account} has ${amount} on ${day}, and nobody knows what for. See: grosz statements waiting.`,
  bank_balance_brought: ({ account, statement, amount }) =>
    `Statement ${statement} of our account that ends with ${account} begins with ${amount} that are in no statement before. See: grosz statements waiting.`,
};

const corrected = (ours: string) => `captured ${ours} once the bank has corrected it.`;

export const decisionSentences: Sentences<typeof decisionFaults> = {
  not_requested: ({ asked, named }) =>
    `${asked} was requested, not ${named}. Have the bank move the difference and decide captured ${asked}, or have it reverse everything and decide not-captured.`,
  not_about: ({ amount, named }) => `It is about ${amount}, not ${named}.`,
  moved_elsewhere: ({ bank }) => `The bank moved ${bank}. Decide captured once the bank has put it right.`,
  agreed_on: ({ amount }) => `The bank and the books agree on ${amount}. Restore the rows, then decide captured.`,
  payout_differs: ({ ours }) =>
    `Decide not-captured if it never arrived on the bank account, or captured ${ours} once the bank has named it again.`,
  amounts_differ: ({ bank, ours }) => `Decide captured ${bank} to book the difference, or ${corrected(ours)}`,
  settled_by_payment: () => 'A payment has taken it meanwhile: run grosz reconcile, which closes it.',
  line_repeated: ({ bank, once }) =>
    `Decide captured ${once} if the money moved once, or captured ${bank} if it moved as often as the statement says and the bank is to correct it.`,
  totals_differ: ({ off }) => `Find out where ${off} comes from, then decide captured ${off}.`,
  bank_line_elsewhere: () => 'It is a line of our own bank. Say what it is with: grosz statements decide LINE.',
};

/** What happened to a difference. */
export const historyWords = {
  found: 'found',
  changed: 'the amounts changed',
  followed: 'booked as the statement says',
  reverted: 'a correction was taken back',
  decided: 'decided',
  promised: 'the bank is to correct it',
  returning: 'goes back to the payer',
  parked: 'parked again',
  returned: 'returned to the payer',
  closed: 'closed',
  payout_booked: 'the payout was booked',
  line_booked: 'booked as the statement says',
  line_amended: 'the statement names another charge',
} as const satisfies Readonly<Record<HistoryStep, string>>;

export const statementSentences: Sentences<typeof statementFaults> = {
  other_period: ({ count, place }) =>
    `The statement has ${count === 1 ? 'a line' : `${count} lines`} of another period, the first is line ${place}.`,
  unreadable_lines: ({ count, place }) =>
    `The statement has ${count === 1 ? 'a line that' : `${count} lines that`} cannot be read, the first is line ${place}.`,
  not_written: ({ count, key }) =>
    `${count === 1 ? 'A difference' : `${count} differences`} could not be written, the first with key ${key}; see the log.`,
  not_continued: () => 'The statement does not go on.',
  lines_changed: () => 'The lines of this run were changed in the database after they were read.',
  taken_over: () => 'Another run took over.',
  no_statement: () => 'The bank gave no statement.',
  process_ended: () => 'The process ended.',
  failed: () => 'It failed; see the log.',
  repeated_lines: ({ count, key }) => `The statement names ${count} of its lines twice, the first with key ${key}.`,
  unanswered: ({ count }) => `The bank did not answer about ${count} payments or refunds.`,
  run_damaged: () => 'The row of this run is damaged: run grosz verify.',
};
