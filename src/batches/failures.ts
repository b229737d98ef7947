// Refusals of batches.

import { failureKind } from '../kernel/index.ts';

export const payingAccountMissing = failureKind(
  'paying_account_missing',
  409,
  'There is no such account of ours that pays.',
  'Give it with grosz payouts account IBAN.',
);

export const batchEmpty = failureKind(
  'batch_empty',
  409,
  'No payout waits for a batch.',
  'Payouts of blocked accounts and those of other batches do not count.',
);

export const payoutsNotPossible = failureKind(
  'payouts_not_possible',
  409,
  'No payout that waits fits into a file of the account that pays.',
  'Give the account another profile, or the recipients another bank account.',
);

export const fileNotInFolder = failureKind(
  'file_not_in_folder',
  409,
  'The file is not in the folder any more: it may be at the bank, or the folder is another one.',
  'Ask the bank. If it has none, put a copy there with grosz payouts file.',
);

export const batchInOtherState = failureKind(
  'batch_in_other_state',
  409,
  'The batch has another state by now.',
  'Look at it again.',
);

export const batchChanged = failureKind(
  'batch_changed',
  409,
  'Payouts of the batch have ended since you looked: their number or sum is another one.',
  'Look at it again, and sign what it is now.',
);

export const samePerson = failureKind(
  'signed_by_same_person',
  409,
  'Whoever gave the first signature cannot give the second one.',
  'Ask another operator.',
);

export const batchAltered = failureKind(
  'batch_altered',
  409,
  'The batch is not what was signed.',
  'Run grosz verify, and cancel the batch.',
);

export const fileNotPossible = failureKind(
  'file_not_possible',
  409,
  'The bank would not accept the file.',
  'Use another profile, or cancel the batch.',
);

export const batchAtBank = failureKind(
  'batch_at_bank',
  409,
  'The file was handed over, so the bank may have it.',
  'Two people can say that the bank never got it, once a later statement is there without it.',
);

export const statementNeeded = failureKind(
  'statement_needed',
  409,
  'No statement is there that is later and does not have the batch.',
  'Import the next statement of the account first.',
);

export const batchesFailures = [
  payingAccountMissing,
  batchEmpty,
  payoutsNotPossible,
  fileNotInFolder,
  batchInOtherState,
  batchChanged,
  samePerson,
  batchAltered,
  fileNotPossible,
  batchAtBank,
  statementNeeded,
];
