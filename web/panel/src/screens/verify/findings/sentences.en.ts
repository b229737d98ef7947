import type { findings } from '../../../../../../contract/codes/findings.ts';
import type { Sentences } from '../../../../../../contract/codes/message.ts';

const chains = { ledger: 'Ledger', audit: 'Audit log' } as const;

export default {
  head_missing: ({ chain, end }) => `${chains[chain]}: the head of the chain is missing; the chain ends with ${end}.`,
  head_key_missing: ({ chain }) => `${chains[chain]}: the head of the chain names a key that VAULT_KEYS does not have.`,
  head_changed: ({ chain }) => `${chains[chain]}: the head of the chain was changed.`,
  chain_cut_off: ({ chain, head, end }) =>
    `${chains[chain]}: the end of the chain was cut off or changed: its head is ${head}, it ends with ${end}.`,
  chain_ends_before_note: ({ chain, position }) =>
    `${chains[chain]}: the chain ends before ${position}, which was noted: its end was cut off.`,
  chain_differs_from_note: ({ chain, position }) =>
    `${chains[chain]}: the chain is not the one that was noted at ${position}: it was written anew.`,
  note_not_ours: ({ file }) => `${file} was not written by this installation, or its key is not in VAULT_KEYS.`,

  journal_unbalanced: ({ journalId, off }) => `Journal ${journalId} does not sum to zero: it is off by ${off}.`,
  balance_wrong: ({ account, stored, computed }) => `Balance of ${account} is ${stored}, its entries give ${computed}.`,
  journal_outside_chain: ({ journalId }) => `There is a journal outside the chain: ${journalId}.`,
  journal_without_entries: ({ journalId }) => `There is a journal without entries: ${journalId}.`,
  entry_without_journal: ({ journalId, line }) => `There is an entry without a journal: ${journalId} line ${line}.`,
  entry_of_unknown_account: ({ journalId, line }) =>
    `There is an entry of an unknown account: ${journalId} line ${line}.`,
  seals_missing: ({ from, to }) => `Seals ${from} to ${to} are missing.`,
  seal_breaks_chain: ({ position, journalId }) => `Seal ${position} (journal ${journalId}) breaks the chain.`,
  journal_missing: ({ journalId, position }) => `Journal ${journalId} is missing; it was sealed as ${position}.`,
  journal_changed: ({ journalId }) => `Journal ${journalId} was changed.`,
  entry_changed: ({ journalId, line }) => `Entry ${journalId} line ${line} was changed, removed or added.`,

  audit_entry_missing: ({ position }) => `Audit log: entry ${position} is missing.`,
  audit_entry_changed: ({ position }) => `Audit log: entry ${position} was changed after it was written.`,

  transactions_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Merchant ${merchantId}: ${counted} transactions from ${from} UTC are counted as ${status}, there are ${there}.`,

  outgoing_misbooked: ({ id, state, paid }) =>
    `Outgoing refund ${id}: state ${state}, but booked as paid: ${paid ?? 'never'}.`,

  recurring_mislisted: ({ id }) => `Recurring payment ${id}: lists show it otherwise than it is.`,
  recurring_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Merchant ${merchantId}: ${counted} recurring payments from ${from} UTC are counted as ${status}, there are ${there}.`,

  parts_differ_from_transaction: ({ id, amount, parts }) =>
    `Marketplace transaction ${id} of ${amount} has parts of ${parts}.`,
  parts_differ_from_refund: ({ id, amount, fee, parts, partFees }) =>
    `Refund ${id} of ${amount} and ${fee} has parts of ${parts} and ${partFees}.`,
  part_total_wrong: ({ partId, total, refunds }) =>
    `Part ${partId}: the total says ${total ?? 'nothing'}, the refunds ${refunds ?? 'nothing'}.`,
  product_total_wrong: ({ partId, line, total, refunds }) =>
    `Part ${partId}, product ${line}: the total says ${total ?? 'nothing'}, the refunds ${refunds ?? 'nothing'}.`,
  product_limit_wrong: ({ partId, line, quantity, unitPrice, sold, soldAt }) =>
    `Part ${partId}, product ${line}: the total allows ${quantity} at ${unitPrice}, sold were ${sold ?? 'none'} at ${soldAt ?? 0}.`,
  products_limit_wrong: ({ partId, worth, limit }) =>
    `Part ${partId}: its products are worth ${worth}, the total allows ${limit}.`,
  share_misbooked: ({ kind, source, account, booked, expected }) =>
    `${kind} ${source}: ${account} is booked with ${booked} and should be ${expected}.`,

  difference_not_booked: ({ id }) => `Difference ${id}: what it found is not in the books.`,

  sums_wrong: ({ accountId, byDay, byMove, entries }) =>
    `The panel's sums of ${accountId} are ${byDay} by day and ${byMove} by move, its entries give ${entries}.`,
  verification_failed: () => 'The verification failed; see the log.',
  unworded: ({ text }) => text,
} satisfies Sentences<typeof findings>;
