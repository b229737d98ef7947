// Why a statement of our bank is not used, and what to do about it, in English.

import type { Sentences } from '../message.ts';
import type { allocationFaults, statementProblems } from '../statements.ts';
import { fileRemedies, fileSentences } from './bank-files.ts';

export const statementSentences: Sentences<typeof statementProblems> = {
  ...fileSentences,
  account_unknown: ({ account }) => `The account that ends with ${account} is not one of ours.`,
  account_in_other_currency: ({ account, currency }) => `The account that ends with ${account} is not in ${currency}.`,
  statement_gap: ({ account, statement, expected, opening }) =>
    `Statement ${statement} of the account that ends with ${account} opens with ${opening}, but the one before closed with ${expected}.`,
  statement_changed: ({ statement }) => `Statement ${statement} was imported before, with other lines.`,
  overtaken: () => 'Another file of the same account was imported while this one was read.',
  interrupted: () => 'The process that read the file has ended.',
};

export const statementRemedies: Sentences<typeof statementProblems> = {
  ...fileRemedies,
  account_unknown: () => 'If it is ours, open it: grosz statements open NUMBER --name NAME.',
  account_in_other_currency: () => 'Ask the bank for a statement in its currency.',
  statement_gap: () =>
    'Import the statements in between first. If the bank has none, import this one with --accept-gap: what is missing is parked.',
  statement_changed: () => 'Ask the bank which of them is right.',
  overtaken: () => 'Import it again.',
  interrupted: () => 'Import it again.',
};

export const allocationSentences: Sentences<typeof allocationFaults> = {
  line_not_waiting: () =>
    'No line with this id waits for a decision. One that was decided wrongly waits again after grosz statements undo.',
  payout_unknown: ({ payout }) => `There is no payout ${payout} that the line could be.`,
  payout_has_other_amount: ({ payout, amount, line }) =>
    `The payout ${payout} is ${amount}, but ${line} is left of the line.`,
  payout_arrived: ({ payout }) => `Another line is the payout ${payout} already.`,
  fee_came: () =>
    'Money that came to the account is no charge of the bank. If the bank gives a charge back, it is fee-returned.',
  fee_left: () => 'Money that left the account is no charge that the bank gives back.',
  fee_not_charged: ({ charged, line }) =>
    `The bank has charged ${charged} so far: it does not give ${line} of it back.`,
  fee_given_back: () => 'The bank has given this charge back by now. Undo that decision first.',
  decision_unknown: () => 'Nobody has decided that about this line.',
  payout_moved_since: ({ payout }) =>
    `The bank has moved the payout ${payout} again since. Undo the later decision about it first.`,
};
