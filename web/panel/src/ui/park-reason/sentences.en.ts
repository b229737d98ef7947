import type { Sentences } from '../../../../../contract/codes/message.ts';
import type { parkReasons } from '../../../../../contract/codes/parking.ts';

export default {
  other_amount: () => 'The bank reports a different amount.',
  ended_contradicted: () => 'The bank contradicts itself about an ended payment.',
  no_result: () => 'The bank gave no result for three days.',
  not_confirmed: () => 'The bank has not confirmed it for 30 days.',
  return_refused: () => 'The bank refused to give it back.',
  key_missing: () => 'The instrument cannot be decrypted: its vault key is missing.',
  paid_after_decline: () => 'The bank paid out a refund that it had declined.',
  not_written: () => 'The result could not be written.',
  taken_by_payment: () => 'A payment has taken it meanwhile.',
  capture_not_booked: ({ bank }) => `The bank captured ${bank}; no payment of ours has it.`,
  refund_not_booked: ({ bank }) => `The bank paid ${bank} to a payer; no refund of ours asked for it.`,
  not_at_bank: ({ kind, ours }) => `Our books have a ${kind} of ${ours}; the bank has not.`,
  amounts_differ: ({ kind, bank, ours }) => `The bank has a ${kind} of ${bank}; our books have ${ours}.`,
  other_charge: ({ bank }) => `The bank paid the refund of ${bank} on another charge than ours, to another payer.`,
  rows_missing: ({ kind, ours }) =>
    `The ${kind} of ${ours} is in the books and at the bank, but rows about it are missing.`,
} satisfies Sentences<typeof parkReasons>;
