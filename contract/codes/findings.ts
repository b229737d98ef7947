// What `verify` finds wrong, by room. Sums and positions are texts: exact, whatever somebody wrote into the row.

import type { Codes, Message } from './message.ts';

/** The chains of hashes, whose ends are signed. */
export const chainNames = ['ledger', 'audit', 'reconciliation', 'verification'] as const;
export type ChainName = (typeof chainNames)[number];

const chain = chainNames;

const chains = {
  head_missing: { chain, end: 'text' },
  head_key_missing: { chain },
  head_changed: { chain },
  chain_cut_off: { chain, head: 'text', end: 'text' },
  chain_ends_before_note: { chain, position: 'text' },
  chain_differs_from_note: { chain, position: 'text' },
  note_not_ours: { file: 'text' },
} as const satisfies Codes;

const ledger = {
  checkpoint_changed: {},
  chain_differs_from_checkpoint: { position: 'text' },
  journal_unbalanced: { journalId: 'text', off: 'text' },
  balance_wrong: { account: 'text', stored: 'text', computed: 'text' },
  account_wrong: { account: 'text' },
  account_missing: { account: 'text' },
  account_sum_wrong: { account: 'text', booked: 'text', expected: 'text' },
  journal_outside_chain: { journalId: 'text' },
  journal_not_sealed: { journalId: 'text', postedAt: 'text' },
  journal_of_unknown_kind: { journalId: 'text', kind: 'text' },
  journal_unfounded: { journalId: 'text', kind: 'text', source: 'text' },
  journal_id_differs: { journalId: 'text', postedAt: 'text' },
  journal_backdated: { journalId: 'text', postedAt: 'text' },
  journal_sealed_late: { journalId: 'text', postedAt: 'text' },
  journal_postdated: { journalId: 'text', postedAt: 'text' },
  journal_without_entries: { journalId: 'text' },
  entry_without_journal: { journalId: 'text', line: 'number' },
  seals_missing: { from: 'text', to: 'text' },
  seal_breaks_chain: { position: 'text', journalId: 'text' },
  journal_missing: { journalId: 'text', position: 'text' },
  journal_changed: { journalId: 'text' },
  entry_changed: { journalId: 'text', line: 'number' },
} as const satisfies Codes;

const accounts = {
  fees_changed: { id: 'text' },
  price_changed: { id: 'text' },
  price_list_changed: { accountId: 'text' },
  own_price_differs: { id: 'text' },
  fee_differs_from_price: { id: 'text' },
} as const satisfies Codes;

const identity = {
  audit_entry_missing: { position: 'text' },
  audit_entry_changed: { position: 'text' },
} as const satisfies Codes;

const miscounted = { merchantId: 'text', from: 'text', status: 'text', counted: 'number', there: 'number' } as const;

const transactions = {
  payment_missing: { id: 'text', status: 'text' },
  payment_not_shown: { id: 'text', status: 'text' },
  payment_misbooked: { id: 'text', paid: 'number', booked: 'number' },
  transaction_times_differ: { id: 'text', status: 'text' },
  attempts_miscounted: { id: 'text', counted: 'number', there: 'number' },
  payment_not_told: { id: 'text' },
  payment_told_falsely: { id: 'text', status: 'text' },
  transactions_miscounted: miscounted,
} as const satisfies Codes;

const banking = {
  charge_misbooked: { id: 'text', state: 'text', journals: 'text' },
  charge_differs: { id: 'text' },
  charge_unscheduled: { id: 'text', state: 'text' },
  outgoing_misbooked: { id: 'text', state: 'text', journals: 'number' },
  outgoing_alone: { id: 'text' },
  outgoing_unscheduled: { id: 'text', state: 'text' },
  surplus_not_returned: { id: 'text' },
  surplus_charge_differs: { id: 'text' },
} as const satisfies Codes;

const provider = {
  provider_charge_missing: { id: 'text' },
  provider_charge_differs: { id: 'text' },
  provider_refund_missing: { id: 'text' },
  provider_refund_differs: { id: 'text' },
} as const satisfies Codes;

const recurring = {
  recurring_iterations_gap: { id: 'text' },
  recurring_attempts_gap: { id: 'text', iteration: 'number' },
  recurring_iteration_twice: { id: 'text', iteration: 'number' },
  recurring_unpaid_passed: { id: 'text', iteration: 'number' },
  recurring_behind_attempts: { id: 'text', iteration: 'number', attempts: 'number' },
  recurring_earlier_unpaid: { id: 'text', iteration: 'number' },
  recurring_attempts_miscounted: { id: 'text', counted: 'number', iteration: 'number', there: 'number' },
  recurring_current_paid: { id: 'text' },
  recurring_retries_miscounted: { id: 'text', counted: 'number', iteration: 'number', there: 'number' },
  recurring_manual_retries: { id: 'text', iteration: 'number' },
  recurring_live_differs: { id: 'text', recorded: 'text?', found: 'text?' },
  recurring_last_differs: { id: 'text', recorded: 'text?', found: 'text?' },
  recurring_active_unscheduled: { id: 'text' },
  recurring_ended_due: { id: 'text', status: 'text' },
  recurring_finished_early: { id: 'text', charges: 'number', total: 'number?' },
  recurring_failed_otherwise: { id: 'text' },
  charge_attempt_missing: { id: 'text' },
  charge_transaction_missing: { id: 'text' },
  charge_transaction_differs: { id: 'text' },
  charge_status_differs: { id: 'text', state: 'text', status: 'text' },
  recurring_plan_changed: { id: 'text' },
  recurring_misscheduled: { id: 'text', due: 'text?' },
  recurring_mislisted: { id: 'text' },
  recurring_miscounted: miscounted,
} as const satisfies Codes;

const refunds = {
  refund_total_missing: { id: 'text' },
  refund_total_alone: { id: 'text' },
  refund_total_wrong: { id: 'text', total: 'number', refunds: 'number' },
  refund_late_total_wrong: { id: 'text', total: 'number', refunds: 'number' },
  refunded_too_much: { id: 'text', refunded: 'number', paid: 'number' },
  refunded_too_little: { id: 'text', refunded: 'number' },
  full_refunds_wrong: { id: 'text', status: 'text', full: 'number' },
  refund_differs: { id: 'text' },
  refund_misbooked: { id: 'text', status: 'text', journals: 'text' },
  refund_outgoing_missing: { id: 'text' },
  refund_outgoing_differs: { id: 'text', status: 'text', outgoing: 'text' },
  refund_sent_otherwise: { id: 'text' },
  refunds_miscounted: { merchantId: 'text', counted: 'number?', there: 'number?' },
} as const satisfies Codes;

const disputes = {
  dispute_differs: { id: 'text' },
  dispute_steps_differ: { id: 'text' },
  dispute_borne_otherwise: { id: 'text', borne: 'number', disputed: 'number' },
  dispute_misbooked: { id: 'text' },
  dispute_unclaimed_differs: { id: 'text' },
  dispute_line_unheard: { id: 'text' },
  dispute_of_other_charge: { id: 'text', charge: 'text', named: 'text' },
  dispute_borne_by_others: { id: 'text' },
  dispute_shared_otherwise: { id: 'text' },
  dispute_refunded_too: { id: 'text' },
  dispute_unsettled: { id: 'text', borne: 'number', moved: 'number' },
} as const satisfies Codes;

const payouts = {
  payout_account_changed: { id: 'text' },
  payout_terms_changed: { id: 'text' },
  payout_block_changed: { id: 'text' },
  payout_block_differs: { accountId: 'text' },
  payout_block_forgotten: { accountId: 'text', email: 'text' },
  payout_rows_differ: { table: ['payout_account', 'payout_terms', 'payout_block'] },
  payout_booked_otherwise: { id: 'text', state: 'text', journals: 'text' },
  payout_not_allowed: { id: 'text' },
  payout_to_other_account: { id: 'text' },
  payout_run_differs: { id: 'text', payouts: 'number', total: 'text' },
  payout_transit_differs: { account: 'text', held: 'text', open: 'text' },
} as const satisfies Codes;

const batches = {
  batch_missing: { id: 'text' },
  batch_sums_differ: { id: 'text', payouts: 'number', total: 'text' },
  batch_payouts_differ: { id: 'text', state: 'text' },
  batch_signed_by_one: { id: 'text' },
  batch_not_signed: { id: 'text' },
  batch_altered: { id: 'text' },
  batch_file_missing: { id: 'text' },
  payout_file_changed: { id: 'text' },
  payout_file_differs: { id: 'text', payout: 'text?' },
  payout_file_number_missing: { account: 'text', files: 'number', last: 'number' },
} as const satisfies Codes;

const notifications = {
  event_not_numbered: { id: 'text' },
  event_numbered_for_another: { id: 'text' },
  event_not_delivered: { id: 'text' },
  event_positions_gap: { last: 'text', count: 'text' },
  delivery_alone: { id: 'text' },
  delivery_differs: { id: 'text' },
  delivery_forgotten: { id: 'text' },
} as const satisfies Codes;

const marketplace = {
  part_changed: { partId: 'text' },
  part_alone: { partId: 'text' },
  parts_differ_from_transaction: { id: 'text', amount: 'number', parts: 'number' },
  parts_differ_from_refund: { id: 'text', amount: 'number', fee: 'number', parts: 'number', partFees: 'number' },
  part_total_wrong: { partId: 'text', total: 'number?', refunds: 'number?' },
  product_total_wrong: { partId: 'text', line: 'number', total: 'number?', refunds: 'number?' },
  product_limit_wrong: {
    partId: 'text',
    line: 'number',
    quantity: 'number',
    unitPrice: 'number',
    sold: 'number?',
    soldAt: 'number?',
  },
  products_limit_wrong: { partId: 'text', worth: 'number', limit: 'number' },
} as const satisfies Codes;

const reconciled = ['run', 'difference', 'payout', 'line'] as const;

const reconciliation = {
  reconciliation_record_missing: { position: 'text' },
  reconciliation_record_changed: { position: 'text' },
  reconciliation_row_changed: { kind: reconciled, id: 'text' },
  reconciliation_row_missing: { kind: reconciled, id: 'text' },
  acquirer_never_compared: { acquirer: 'text' },
  acquirer_not_compared: { acquirer: 'text' },
  reconciliation_stuck: { id: 'text', since: 'text' },
  return_not_decided: { id: 'text', amount: 'number', decided: 'number?' },
  difference_misbooked: { id: 'text', expected: 'number', booked: 'number?' },
  payout_misbooked: { id: 'text', paid: 'number', booked: 'number?' },
  suspense_differs: { id: 'text', held: 'number', waiting: 'number' },
  statement_notes_differ: { acquirer: 'text' },
  line_misbooked: { id: 'text', taken: 'number', booked: 'number' },
  difference_not_returning: { id: 'text' },
  return_without_difference: { id: 'text' },
} as const satisfies Codes;

const settlements = {
  settlement_gap: { id: 'text' },
  settlement_differs: { id: 'text' },
  settlement_without_payout: { id: 'text' },
  settlement_end_differs: { accountId: 'text' },
  settlement_overdue: { payoutId: 'text' },
  settlement_missing: { payoutId: 'text' },
  settlement_month_missing: { accountId: 'text', month: 'text' },
  settlement_month_ahead: { month: 'text' },
} as const satisfies Codes;

const statements = {
  bank_statement_differs: { id: 'text' },
  bank_line_misbooked: { id: 'text' },
  bank_payout_differs: { payout: 'text', bank: 'text', booked: 'text' },
} as const satisfies Codes;

const panel = {
  sums_wrong: { accountId: 'text', byDay: 'text', byMove: 'text', entries: 'text' },
  days_wrong: { accountId: 'text' },
  move_wrong: { accountId: 'text', journalId: 'text' },
  search_differs: { id: 'text' },
  verification_failed: {},
  verify_run_changed: { id: 'text' },
  verify_run_missing: { position: 'text' },
  part_not_verified: { part: 'text' },
} as const satisfies Codes;

export const findings = {
  ...chains,
  ...ledger,
  ...accounts,
  ...identity,
  ...transactions,
  ...banking,
  ...provider,
  ...recurring,
  ...refunds,
  ...disputes,
  ...payouts,
  ...batches,
  ...notifications,
  ...marketplace,
  ...reconciliation,
  ...settlements,
  ...statements,
  ...panel,
} as const satisfies Codes;

export type Finding = Message<typeof findings>;
