// What verify finds, in English.

import type { findings } from '../findings.ts';
import type { Sentences } from '../message.ts';

const chains = {
  ledger: 'Ledger',
  audit: 'Audit log',
  reconciliation: 'Reconciliation',
  verification: 'Verification',
} as const;
const reconciled = { run: 'Reconciliation', difference: 'Difference', payout: 'Payout', line: 'Line' } as const;

export const findingSentences: Sentences<typeof findings> = {
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

  checkpoint_changed: () =>
    'Ledger: what was noted when it was last found right was changed, or its key is not in VAULT_KEYS.',
  chain_differs_from_checkpoint: ({ position }) =>
    `Ledger: the chain is not the one that was found right at ${position}: it was written anew or cut off.`,
  journal_unbalanced: ({ journalId, off }) => `Journal ${journalId} does not sum to zero: it is off by ${off}.`,
  balance_wrong: ({ account, stored, computed }) => `Balance of ${account} is ${stored}, its entries give ${computed}.`,
  account_wrong: ({ account }) => `The ledger has an account that is not as the chart says: ${account}.`,
  account_missing: ({ account }) => `The ledger lacks the account ${account}.`,
  account_sum_wrong: ({ account, booked, expected }) =>
    `The journals of payments and refunds come to ${booked} on ${account}; charges and refunds say ${expected}.`,
  journal_outside_chain: ({ journalId }) => `There is a journal outside the chain: ${journalId}.`,
  journal_not_sealed: ({ journalId, postedAt }) => `Journal ${journalId} of ${postedAt} still waits to be sealed.`,
  journal_of_unknown_kind: ({ journalId, kind }) => `Journal ${journalId} is of a kind that nobody posts: ${kind}.`,
  journal_unfounded: ({ journalId, kind, source }) =>
    `Journal ${journalId} (${kind} of ${source}) is not what its row says, or there is no such row.`,
  journal_id_differs: ({ journalId, postedAt }) => `Journal ${journalId} has the id of another time than ${postedAt}.`,
  journal_backdated: ({ journalId, postedAt }) =>
    `Journal ${journalId} is dated ${postedAt}, but was sealed after later ones.`,
  journal_sealed_late: ({ journalId, postedAt }) =>
    `Journal ${journalId} is dated ${postedAt}, but was written after a verification of the books at a later time.`,
  journal_postdated: ({ journalId, postedAt }) => `Journal ${journalId} is dated ${postedAt}, which has not come yet.`,
  journal_without_entries: ({ journalId }) => `There is a journal without entries: ${journalId}.`,
  entry_without_journal: ({ journalId, line }) => `There is an entry without a journal: ${journalId} line ${line}.`,
  seals_missing: ({ from, to }) => `Seals ${from} to ${to} are missing.`,
  seal_breaks_chain: ({ position, journalId }) => `Seal ${position} (journal ${journalId}) breaks the chain.`,
  journal_missing: ({ journalId, position }) => `Journal ${journalId} is missing; it was sealed as ${position}.`,
  journal_changed: ({ journalId }) => `Journal ${journalId} was changed.`,
  entry_changed: ({ journalId, line }) => `Entry ${journalId} line ${line} was changed, removed or added.`,

  audit_entry_missing: ({ position }) => `Audit log: entry ${position} is missing.`,
  audit_entry_changed: ({ position }) => `Audit log: entry ${position} was changed after it was written.`,

  fees_changed: ({ id }) => `Account ${id}: its fees were changed behind the service, or its key is not in VAULT_KEYS.`,

  payment_missing: ({ id, status }) => `Transaction ${id}: status ${status}, but no successful payment.`,
  payment_not_shown: ({ id, status }) => `Transaction ${id}: a payment succeeded, but the status is ${status}.`,
  payment_misbooked: ({ id, paid, booked }) => `Transaction ${id}: paid ${paid}, but booked as ${booked}.`,
  transaction_times_differ: ({ id, status }) =>
    `Transaction ${id}: status ${status}, but its times are not those of its payment or cancellation.`,
  attempts_miscounted: ({ id, counted, there }) =>
    `Transaction ${id}: it counts ${counted} attempts, but there are ${there}.`,
  payment_not_told: ({ id }) => `Transaction ${id}: it was paid, but no event tells it.`,
  payment_told_falsely: ({ id, status }) =>
    `Transaction ${id}: an event says that it is paid, but its status is ${status}.`,
  transactions_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Merchant ${merchantId}: ${counted} transactions from ${from} UTC are counted as ${status}, there are ${there}.`,

  outgoing_misbooked: ({ id, state, journals }) =>
    `Outgoing refund ${id}: state ${state}, but ${journals} journals say that it was paid.`,
  outgoing_alone: ({ id }) => `Outgoing refund ${id}: there is no refund that it is for.`,
  outgoing_unscheduled: ({ id, state }) => `Outgoing refund ${id}: it is ${state}, but nobody would send it.`,

  recurring_iterations_gap: ({ id }) => `Recurring payment ${id}: its iterations have a gap.`,
  recurring_attempts_gap: ({ id, iteration }) =>
    `Recurring payment ${id}: the attempts of iteration ${iteration} have a gap.`,
  recurring_iteration_twice: ({ id, iteration }) =>
    `Recurring payment ${id}: iteration ${iteration} has two attempts that are open or correct.`,
  recurring_unpaid_passed: ({ id, iteration }) =>
    `Recurring payment ${id}: iteration ${iteration} was not paid, but a later one started.`,
  recurring_behind_attempts: ({ id, iteration, attempts }) =>
    `Recurring payment ${id}: it is at iteration ${iteration}, but has attempts of ${attempts}.`,
  recurring_earlier_unpaid: ({ id, iteration }) =>
    `Recurring payment ${id}: it is at iteration ${iteration}, but an earlier one is not paid.`,
  recurring_attempts_miscounted: ({ id, counted, iteration, there }) =>
    `Recurring payment ${id}: it counts ${counted} attempts of iteration ${iteration}, but there are ${there}.`,
  recurring_current_paid: ({ id }) => `Recurring payment ${id}: its current iteration is already paid.`,
  recurring_retries_miscounted: ({ id, counted, iteration, there }) =>
    `Recurring payment ${id}: it counts ${counted} scheduled retries of iteration ${iteration}, but there are ${there}.`,
  recurring_manual_retries: ({ id, iteration }) =>
    `Recurring payment ${id}: iteration ${iteration} has too many manual retries.`,
  recurring_live_differs: ({ id, recorded, found }) =>
    `Recurring payment ${id}: its attempt in flight is recorded as ${recorded ?? 'none'} but is ${found ?? 'none'}.`,
  recurring_last_differs: ({ id, recorded, found }) =>
    `Recurring payment ${id}: its last attempt is recorded as ${recorded ?? 'none'} but is ${found ?? 'none'}.`,
  recurring_active_unscheduled: ({ id }) =>
    `Recurring payment ${id}: it is active, but either nothing is scheduled, or a charge is both scheduled and in flight.`,
  recurring_ended_due: ({ id, status }) => `Recurring payment ${id}: it is ${status}, but a charge is due.`,
  recurring_finished_early: ({ id, charges, total }) =>
    `Recurring payment ${id}: it is finished after ${charges} of ${total ?? 'unlimited'} charges.`,
  recurring_failed_otherwise: ({ id }) => `Recurring payment ${id}: it is failed, but its last attempt is not.`,
  charge_attempt_missing: ({ id }) => `Charge ${id}: a transaction of the engine without an attempt.`,
  charge_transaction_missing: ({ id }) => `Charge ${id}: an attempt without a transaction.`,
  charge_transaction_differs: ({ id }) =>
    `Charge ${id}: its transaction has another amount or merchant than its recurring payment.`,
  charge_status_differs: ({ id, state, status }) =>
    `Charge ${id}: the attempt is ${state}, but its transaction is ${status}.`,
  charge_differs: ({ id }) => `Charge ${id}: its transaction has another amount, currency or merchant, or is missing.`,
  charge_unscheduled: ({ id, state }) => `Charge ${id}: it is ${state}, but nobody would look it up.`,
  surplus_not_returned: ({ id }) => `Charge ${id}: it is booked as surplus, but nothing goes back to the payer.`,
  surplus_charge_differs: ({ id }) => `Outgoing refund ${id}: it is not what its charge took.`,
  provider_charge_missing: ({ id }) => `Charge ${id}: what was asked of the provider for it is not recorded.`,
  provider_charge_differs: ({ id }) =>
    `Charge ${id}: what was asked of the provider for it has another amount, currency or merchant.`,
  provider_refund_missing: ({ id }) => `Outgoing refund ${id}: what was asked of the provider for it is not recorded.`,
  provider_refund_differs: ({ id }) =>
    `Outgoing refund ${id}: what was asked of the provider for it has another charge, amount or currency.`,
  charge_misbooked: ({ id, state, journals }) =>
    `Charge ${id}: it is ${state}, but its journals are: ${journals || 'none'}.`,
  recurring_plan_changed: ({ id }) =>
    `Recurring payment ${id}: its amount or schedule was changed behind the service, or its key is not in VAULT_KEYS.`,
  recurring_misscheduled: ({ id, due }) =>
    `Recurring payment ${id}: its next charge is due at ${due ?? 'no time'}, which does not follow from its schedule.`,
  recurring_mislisted: ({ id }) => `Recurring payment ${id}: lists show it otherwise than it is.`,
  recurring_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Merchant ${merchantId}: ${counted} recurring payments from ${from} UTC are counted as ${status}, there are ${there}.`,

  refund_total_missing: ({ id }) => `Refunds of transaction ${id}: there is no total.`,
  refund_total_alone: ({ id }) => `Refunds of transaction ${id}: a total without refunds.`,
  refund_total_wrong: ({ id, total, refunds }) =>
    `Refunds of transaction ${id}: the total says ${total}, the refunds ${refunds}.`,
  refund_late_total_wrong: ({ id, total, refunds }) =>
    `Refunds of transaction ${id}: the total says ${total} was paid late, the refunds ${refunds}.`,
  refunded_too_much: ({ id, refunded, paid }) => `Refunds of transaction ${id}: refunded ${refunded} of ${paid} paid.`,
  refunded_too_little: ({ id, refunded }) =>
    `Refunds of transaction ${id}: status refund, but only ${refunded} is refunded.`,
  full_refunds_wrong: ({ id, status, full }) =>
    `Refunds of transaction ${id}: status ${status} with ${full} full refunds.`,
  refund_differs: ({ id }) =>
    `Refund ${id}: its transaction has another merchant or currency, is not paid or is missing.`,
  refund_misbooked: ({ id, status, journals }) =>
    `Refund ${id}: status ${status}, but its journals are: ${journals || 'none'}.`,
  refunds_miscounted: ({ merchantId, counted, there }) =>
    `Merchant ${merchantId}: ${counted ?? 'no'} refunds are counted, there are ${there ?? 'none'}, or their numbers have gaps.`,
  dispute_differs: ({ id }) => `Dispute ${id}: its charge is missing, not paid, or of another payment or acquirer.`,
  dispute_steps_differ: ({ id }) => `Dispute ${id}: it is not as its last step left it, or steps are missing.`,
  dispute_borne_otherwise: ({ id, borne, disputed }) =>
    `Dispute ${id}: accounts bear ${borne} of it, and ${disputed} are disputed.`,
  dispute_unclaimed_differs: ({ id }) =>
    `Dispute ${id} of a charge that nobody has: what we bear of it is not what was decided, or it ended without a dispute.`,
  dispute_line_unheard: ({ id }) => `Line ${id} of the statement is about a dispute that is missing.`,
  dispute_of_other_charge: ({ id, charge, named }) =>
    `Line ${id} of the statement is about charge ${named}, but its dispute about charge ${charge}, and no operator was asked.`,
  dispute_borne_by_others: ({ id }) =>
    `Dispute ${id}: part of it is borne by an account that got nothing from this payment.`,
  dispute_shared_otherwise: ({ id }) =>
    `Dispute ${id}: an account bears a different share of it than it has in the payment, or a step moved money between accounts.`,
  dispute_refunded_too: ({ id }) =>
    `Dispute ${id}: refunds and disputes together give the payer more than was paid, and no operator was told.`,
  dispute_unsettled: ({ id, borne, moved }) =>
    `Dispute ${id}: accounts bear ${borne} of it, but the acquirer has kept ${moved}; its statement should have settled the difference by now.`,
  dispute_misbooked: ({ id }) => `Dispute ${id}: a step has no journal, or one that it must not have.`,

  payout_account_changed: ({ id }) =>
    `Bank account ${id} of payouts was changed behind the service, or its key is not in VAULT_KEYS.`,
  payout_terms_changed: ({ id }) =>
    `Account ${id}: the terms of its payouts were changed behind the service, or their key is not in VAULT_KEYS.`,
  payout_block_changed: ({ id }) =>
    `Block of payouts ${id} was changed behind the service, or its key is not in VAULT_KEYS.`,
  payout_block_differs: ({ accountId }) =>
    `Account ${accountId}: its terms and its history do not agree about whether its payouts are blocked.`,
  payout_block_forgotten: ({ accountId, email }) =>
    `Account ${accountId}: the audit log has a block or a release of its payouts by ${email} that its history does not have.`,
  payout_rows_differ: ({ table }) =>
    `Payouts: rows of ${table} were removed, added or put back as they once were behind the service.`,
  payout_booked_otherwise: ({ id, state, journals }) => `Payout ${id} is ${state}; its journals are ${journals}.`,
  payout_not_allowed: ({ id }) =>
    `Payout ${id} was made or approved although its bank account was not verified, on hold or replaced, or payouts were blocked.`,
  payout_to_other_account: ({ id }) => `Payout ${id} goes to another number or holder than its bank account has.`,
  payout_run_differs: ({ id, payouts, total }) =>
    `Run ${id} of payouts: there are ${payouts} payouts of ${total} in it.`,
  payout_transit_differs: ({ account, held, open }) =>
    `Account ${account}: ${held} is in payouts by the books, its open payouts come to ${open}.`,
  batch_missing: ({ id }) => `Batch ${id} is gone, although it has payouts or a file.`,
  batch_sums_differ: ({ id, payouts, total }) =>
    `Batch ${id}: there are ${payouts} payouts of ${total} in it, which is not what was signed.`,
  batch_payouts_differ: ({ id, state }) => `Batch ${id} is ${state}; its payouts have other states.`,
  batch_signed_by_one: ({ id }) => `Batch ${id}: one person has given both signatures.`,
  batch_not_signed: ({ id }) =>
    `Batch ${id}: its signature is not ours, or its key is not in VAULT_KEYS. Do not send its file.`,
  batch_altered: ({ id }) => `Batch ${id}: its payouts are not those that were signed. Do not send its file.`,
  batch_file_missing: ({ id }) => `Batch ${id}: its file, or who got it first, is missing or should not be there.`,
  payout_file_changed: ({ id }) => `Payment file ${id}: its bytes are not those that were made.`,
  payout_file_differs: ({ id, payout }) =>
    payout === null
      ? `Payment file ${id} has payments that are not in its batch.`
      : `Payment file ${id}: payout ${payout} is not in it, or with another amount or number.`,
  payout_file_number_missing: ({ account, files, last }) =>
    `Payment files of our account ending ${account}: there are ${files}, and the last one has the number ${last}.`,
  refund_outgoing_missing: ({ id }) => `Refund ${id}: it has no outgoing refund.`,
  refund_outgoing_differs: ({ id, status, outgoing }) =>
    `Refund ${id}: status ${status}, but its outgoing refund is ${outgoing}.`,
  refund_sent_otherwise: ({ id }) =>
    `Refund ${id}: its outgoing refund is of another amount, currency, merchant or charge.`,

  event_not_numbered: ({ id }) => `Event ${id}: it has no position and does not wait for one.`,
  event_numbered_for_another: ({ id }) => `Event ${id}: its position belongs to another account.`,
  event_not_delivered: ({ id }) => `Event ${id}: it has an address and no delivery, or the reverse.`,
  event_positions_gap: ({ last, count }) => `The positions of events go to ${last}, but there are ${count}.`,
  delivery_alone: ({ id }) => `There is a delivery without an event: ${id}.`,
  delivery_differs: ({ id }) => `Delivery ${id}: it belongs to another account than its event.`,
  delivery_forgotten: ({ id }) => `Delivery ${id}: it is pending, but nobody would make it.`,

  part_changed: ({ partId }) =>
    `Part ${partId}: its amounts or products were changed behind the service, or its key is not in VAULT_KEYS.`,
  part_alone: ({ partId }) => `Part ${partId}: there is no transaction that it belongs to.`,
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

  reconciliation_record_missing: ({ position }) => `Reconciliation: record ${position} of the chain is missing.`,
  reconciliation_record_changed: ({ position }) =>
    `Reconciliation: record ${position} was changed after it was written.`,
  reconciliation_row_changed: ({ kind, id }) => `${reconciled[kind]} ${id} is not as its last record says.`,
  reconciliation_row_missing: ({ kind, id }) => `${reconciled[kind]} ${id} is recorded, but its row is missing.`,
  acquirer_never_compared: ({ acquirer }) =>
    `The books have an acquirer ${acquirer} that is not configured, and whose statement was never compared.`,
  acquirer_not_compared: ({ acquirer }) =>
    `Acquirer ${acquirer} is no longer configured, and the books contain payments that are newer than its last compared statement.`,
  reconciliation_stuck: ({ id, since }) =>
    `Reconciliation ${id} began on ${since} and never ended, or its lease is longer than any process takes: run grosz reconcile.`,
  return_not_decided: ({ id, amount, decided }) =>
    `Outgoing refund ${id} gives back ${amount}, but ${decided ?? 'nothing'} was decided.`,
  difference_misbooked: ({ id, expected, booked }) =>
    `Record ${id} of a difference moved ${expected}, but ${booked ?? 'nothing'} is booked for it.`,
  suspense_differs: ({ id, held, waiting }) =>
    `Line ${id} of the statement has ${held} in suspense, but ${waiting} of it waits for a decision.`,
  statement_notes_differ: ({ acquirer }) =>
    `Which lines of ${acquirer}'s statements were read is not as it was noted: a note was changed, removed or made up, or VAULT_KEYS lacks a key.`,
  line_misbooked: ({ id, taken, booked }) => `Line ${id} of the statement is ${taken}, but ${booked} is booked for it.`,
  payout_misbooked: ({ id, paid, booked }) => `Payout ${id} is ${paid}, but ${booked ?? 'nothing'} is booked for it.`,
  difference_not_returning: ({ id }) => `Difference ${id} goes back to its payer, but nothing is sent.`,
  return_without_difference: ({ id }) => `Outgoing refund ${id} does not belong to the difference that it is for.`,

  price_changed: ({ id }) => `Price ${id} is not what was set, or VAULT_KEYS lacks a key.`,
  price_list_changed: ({ accountId }) => `Account ${accountId} was not given the price list that it has.`,
  own_price_differs: ({ id }) => `The fees in the settings of account ${id} are not its latest prices.`,
  fee_differs_from_price: ({ id }) => `The fee of ${id} is not that of the price that it names.`,
  settlement_gap: ({ id }) => `Settlement ${id} does not begin where the one before it ended.`,
  settlement_differs: ({ id }) => `Settlement ${id} is not what its lines come to.`,
  settlement_without_payout: ({ id }) => `The last line of settlement ${id} is not the payout that it explains.`,
  settlement_end_differs: ({ accountId }) =>
    `The last settlement of account ${accountId} is missing, or not where the next one would begin.`,
  settlement_overdue: ({ payoutId }) => `Payout ${payoutId} has had no settlement for more than an hour.`,
  settlement_missing: ({ payoutId }) => `Payout ${payoutId} has no settlement, and does not wait for one.`,
  settlement_month_missing: ({ accountId, month }) =>
    `Account ${accountId} has no settlement of what was posted before ${month}.`,
  settlement_month_ahead: ({ month }) => `Monthly settlements are said to be done until ${month}, which has not begun.`,
  bank_statement_differs: ({ id }) =>
    `Statement ${id} of our bank: it does not continue the one before, or its lines are not what it says.`,
  bank_line_misbooked: ({ id }) =>
    `Line ${id} of our bank: it has no journal or another one, or something else is left of it than was decided.`,
  bank_payout_differs: ({ payout, bank, booked }) =>
    `Payout ${payout}: our bank has ${bank} of it, and the books have ${booked}.`,
  sums_wrong: ({ accountId, byDay, byMove, entries }) =>
    `The panel's sums of ${accountId} are ${byDay} by day and ${byMove} by move, its entries give ${entries}.`,
  days_wrong: ({ accountId }) => `The panel's days of ${accountId} are not the sums of its moves.`,
  move_wrong: ({ accountId, journalId }) =>
    `The panel's move of ${accountId} by journal ${journalId} has another volume or time, or there is no such journal.`,
  search_differs: ({ id }) =>
    `Transaction ${id} asks for another amount, or of another account, than when the panel first read it.`,
  verification_failed: () => 'The verification failed; see the log.',
  verify_run_changed: ({ id }) =>
    `Verification ${id} was changed or made up, or is dated in the future, or VAULT_KEYS lacks its key.`,
  verify_run_missing: ({ position }) => `Verification number ${position} was removed.`,
  part_not_verified: ({ part }) => `A row of ${part} cannot be read, so this part was not verified; see the log.`,
};
