import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { decisionFaults } from '../../../../../../contract/codes/parking.ts';

const corrected = (ours: string) => `captured ${ours} once the bank has corrected it.`;

export default {
  not_requested: ({ asked, named }) =>
    `${asked} was requested, not ${named}. Have the bank move the difference and decide captured ${asked}, or have it reverse everything and decide not-captured.`,
  not_about: ({ amount, named }) => `It is about ${amount}, not ${named}.`,
  moved_elsewhere: ({ bank }) => `The bank moved ${bank}. Decide captured once the bank has put it right.`,
  agreed_on: ({ amount }) => `The bank and the books agree on ${amount}. Restore the rows, then decide captured.`,
  payout_differs: ({ ours }) => `A payout is corrected by the bank. Decide ${corrected(ours)}`,
  amounts_differ: ({ bank, ours }) => `Decide captured ${bank} to book the difference, or ${corrected(ours)}`,
  taken_by_payment: () => 'A payment has taken it meanwhile: run grosz reconcile, which closes it.',
} satisfies Sentences<typeof decisionFaults>;
