// What `verify` finds wrong, by room. Sums and positions are texts: exact, whatever somebody wrote into the row.

import type { Codes, Message } from './message.ts';

const chain = ['ledger', 'audit'] as const;

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
  journal_unbalanced: { journalId: 'text', off: 'text' },
  balance_wrong: { account: 'text', stored: 'text', computed: 'text' },
  journal_outside_chain: { journalId: 'text' },
  journal_without_entries: { journalId: 'text' },
  entry_without_journal: { journalId: 'text', line: 'number' },
  entry_of_unknown_account: { journalId: 'text', line: 'number' },
  seals_missing: { from: 'text', to: 'text' },
  seal_breaks_chain: { position: 'text', journalId: 'text' },
  journal_missing: { journalId: 'text', position: 'text' },
  journal_changed: { journalId: 'text' },
  entry_changed: { journalId: 'text', line: 'number' },
} as const satisfies Codes;

const identity = {
  audit_entry_missing: { position: 'text' },
  audit_entry_changed: { position: 'text' },
} as const satisfies Codes;

const miscounted = { merchantId: 'text', from: 'text', status: 'text', counted: 'number', there: 'number' } as const;

const transactions = {
  transactions_miscounted: miscounted,
} as const satisfies Codes;

const banking = {
  outgoing_misbooked: { id: 'text', state: 'text', paid: 'number?' },
} as const satisfies Codes;

const recurring = {
  recurring_mislisted: { id: 'text' },
  recurring_miscounted: miscounted,
} as const satisfies Codes;

const marketplace = {
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
  share_misbooked: {
    kind: ['payment', 'refund', 'refund returned'],
    source: 'text',
    account: 'text',
    booked: 'number',
    expected: 'number',
  },
} as const satisfies Codes;

const reconciliation = {
  difference_not_booked: { id: 'text' },
} as const satisfies Codes;

const panel = {
  sums_wrong: { accountId: 'text', byDay: 'text', byMove: 'text', entries: 'text' },
  verification_failed: {},
} as const satisfies Codes;

export const findings = {
  ...chains,
  ...ledger,
  ...identity,
  ...transactions,
  ...banking,
  ...recurring,
  ...marketplace,
  ...reconciliation,
  ...panel,
  /** Not a code yet. */
  unworded: { text: 'text' },
} as const satisfies Codes;

export type Finding = Message<typeof findings>;
