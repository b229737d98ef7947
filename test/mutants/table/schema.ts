// Mutants of schema: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const schemaMutants: readonly Mutant[] = [
  {
    file: 'sql/0003_ledger.sql',
    line: 'select journal_id into wrong from new_rows group by journal_id having sum(amount_minor) <> 0 limit 1;',
    instead: 'select journal_id into wrong from new_rows group by journal_id having sum(amount_minor) > 0 limit 1;',
    bug: 'a journal with a negative sum is stored',
    tests: {
      'test/ledger/ledger.test.ts': [
        'the schema refuses an entry that takes more than it gives',
        'the schema refuses an unknown account',
      ],
    },
  },
  {
    file: 'sql/0003_ledger.sql',
    line: 'constraint journal_posted_once unique (source, kind)',
    instead: 'constraint journal_posted_once unique (id, source, kind)',
    bug: 'the same thing is posted twice',
    tests: { 'test/ledger/ledger.test.ts': ['a journal is posted once'] },
  },
  {
    file: 'sql/0003_ledger.sql',
    line: 'balance_minor minor_units not null constraint ledger_balance_floor check (balance_minor >= 0)',
    instead: 'balance_minor minor_units not null',
    bug: 'the schema lets a balance go below zero',
    tests: { 'test/ledger/ledger.test.ts': ['the schema refuses a balance below zero'] },
  },
  {
    file: 'sql/0001_database.sql',
    line: 'where not (%5$s) and (select row(%7$s) = row(%8$s) from %6$I where %9$I = named.%10$I) is not true limit 1;',
    instead: 'where false and (select row(%7$s) = row(%8$s) from %6$I where %9$I = named.%10$I) is not true limit 1;',
    bug: 'rows refer to what does not exist',
    tests: {
      'test/transactions/schema.test.ts': [
        'refuses an attempt of an unknown transaction',
        'refuses an attempt of another merchant',
      ],
    },
  },
  {
    file: 'sql/0007_transactions.sql',
    line: "call add_reference('transaction', '{pos_id, merchant_id}', 'pos', '{id, account_id}', shared => true);",
    instead: "call add_reference('transaction', '{pos_id}', 'pos', '{id}', shared => true);",
    bug: "a transaction at another merchant's point of sale is stored",
    tests: { 'test/transactions/schema.test.ts': ['refuses a transaction at the point of sale of another merchant'] },
  },
  {
    file: 'sql/0007_transactions.sql',
    line: "create trigger transaction_version before update on transaction for each row when (old.origin <> 'recurring')",
    instead:
      "create trigger transaction_version before update on transaction for each row when (old.origin = 'marketplace')",
    bug: 'a changed transaction looks unchanged to the process that inserted it',
    tests: { 'test/transactions/schema.test.ts': ['counts every change of a transaction'] },
  },
  {
    file: 'sql/0008_refunds.sql',
    line: 'where new_rows.refunded_minor + new_rows.paid_late_minor < new_rows.paid_minor',
    instead: 'where false',
    bug: 'a transaction stays refunded with something left',
    tests: { 'test/refunds/way.test.ts': ['a total with room left'] },
  },
  {
    file: 'sql/0008_refunds.sql',
    line: 'and outgoing.amount_minor = new_rows.amount_minor and outgoing.currency = new_rows.currency',
    instead: 'and outgoing.currency = new_rows.currency',
    bug: 'a refund sends another amount than it says',
    tests: { 'test/refunds/schema.test.ts': ['refuses a refund of more than goes back'] },
  },
  {
    file: 'sql/0006_banking.sql',
    line: 'before update of id, purpose, transaction_id, merchant_id, acquirer, amount_minor, currency, recurring_id, iteration,',
    instead: 'before update of id, purpose, transaction_id, merchant_id, acquirer, currency, recurring_id, iteration,',
    bug: 'the amount of a charge changes after it was sent',
    tests: { 'test/banking/astray.test.ts': ['a charge does not change: amount_minor = amount_minor + 1'] },
  },
  {
    file: 'sql/0006_banking.sql',
    line: 'before update of id, acquirer, merchant_id, currency, amount_minor, charge_key, purpose, subject_id, created_at',
    instead: 'before update of id, acquirer, merchant_id, currency, charge_key, purpose, subject_id, created_at',
    bug: 'the amount of an outgoing refund changes after it was asked for',
    tests: { 'test/refunds/schema.test.ts': ['refuses another amount'] },
  },
  {
    file: 'sql/0006_banking.sql',
    line: "create unique index outgoing_refund_surplus on outgoing_refund (subject_id) where purpose = 'surplus';",
    instead: "create index outgoing_refund_surplus on outgoing_refund (subject_id) where purpose = 'surplus';",
    bug: 'a surplus goes back twice',
    tests: { 'test/refunds/schema.test.ts': ['refuses a surplus twice', 'refuses an unallocated capture twice'] },
  },
  {
    file: 'sql/0009_recurring.sql',
    line: 'when (old.status is distinct from new.status) execute function note_recurring_status();',
    instead: "when (old.status = 'failed' and new.status <> old.status) execute function note_recurring_status();",
    bug: 'lists show recurring payments with an old status',
    tests: { 'test/recurring/list-recurring.test.ts': ['200: ?status=active', '200: ?status=finished'] },
  },
  {
    file: 'sql/0005_notifications.sql',
    line: 'create trigger event_position_kept before update or delete or truncate on event_position',
    instead: 'create trigger event_position_kept before delete or truncate on event_position',
    bug: 'positions of events can be changed',
    tests: { 'test/notifications/events.test.ts': ['refuses a changed position'] },
  },
  {
    file: 'sql/0001_database.sql',
    line: "create domain instant as timestamptz check (value >= '0001-01-01Z' and value < '10000-01-01Z');",
    instead: "create domain instant as timestamptz check (value >= '0001-01-01Z');",
    bug: 'a time that nobody can read ends every list that has the row',
    tests: { 'test/platform/tables.test.ts': ['of every table are between the years 1 and 9999'] },
  },
  {
    file: 'sql/0012_identity.sql',
    line: 'create trigger audit_entry_unchanged before update or delete or truncate on audit_entry',
    instead: 'create trigger audit_entry_unchanged before truncate on audit_entry',
    bug: 'entries of the audit log can be changed and deleted',
    tests: { 'test/platform/kept-rows.test.ts': ['are those that the list says'] },
  },
  {
    file: 'sql/0001_database.sql',
    line: "raise exception '% is never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';",
    instead: 'return null;',
    bug: 'no row of all that are never changed is kept',
    tests: { 'test/platform/kept-rows.test.ts': ['refuse every statement'] },
  },
];
