// Rows that nobody changes or deletes, whatever the code does: drawn from the triggers of the database.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { aWorld, type TestWorld } from '../support/service.ts';

const whole = 'update delete truncate';

/** What is refused of each table; columns where only theirs stay. Those of references are in references.test.ts. */
const kept: Record<string, readonly string[]> = {
  account: ['delete truncate', 'update of id', 'update of merchant_number'],
  account_price_list: [whole],
  acquirer_line: ['delete truncate', 'update of acquirer, kind, key, what, currency, at, booked_at'],
  acquirer_named: ['delete truncate', 'update of key, kind, acquirer'],
  acquirer_noted: ['delete truncate', 'update of acquirer'],
  acquirer_payout: ['delete truncate', 'update of acquirer, key, currency, at, booked_at'],
  audit_entry: [whole],
  bank_account: ['delete truncate', 'update of id, number, currency, opened_at'],
  bank_allocation: ['delete truncate', 'update of id, bank_line_id, kind, target, amount_minor, person, at'],
  bank_answer: ['update truncate'],
  bank_file: ['delete truncate', 'update of id, sha256, name, format, bytes, person, imported_at'],
  bank_line: ['truncate', 'update of id, statement_id, entry, part, amount_minor, booked_on'],
  bank_statement: ['truncate', 'update of id, file_id, bank_account_id, opening_minor'],
  bank_profile: [whole],
  charge: [
    'update of id, purpose, transaction_id, merchant_id, acquirer, amount_minor, currency, created_at, number, recurring_id, iteration, attempt',
  ],
  dispute: [
    'delete truncate',
    'update of id, acquirer, key, charge_id, transaction_id, merchant_id, currency, opened_at',
  ],
  dispute_loss: [whole],
  dispute_share: [whole],
  dispute_step: [whole],
  dispute_unclaimed: ['delete truncate', 'update of id, acquirer, key, charge_key, currency, heard_at'],
  entry: [whole],
  event: ['delete truncate', 'update of id'],
  event_position: [whole],
  event_unnumbered: ['update'],
  journal: [whole],
  journal_seal: [whole],
  journal_unsealed: ['update'],
  ledger_account: ['delete truncate', 'update of name'],
  outgoing_refund: [
    'update of id, acquirer, merchant_id, currency, amount_minor, charge_key, purpose, subject_id, created_at',
  ],
  payout: [
    'delete truncate',
    'update of id, currency, amount_minor, fee_minor, number_sealed, number_ending, holder, created_at',
  ],
  payout_account: [
    'delete truncate',
    'update of id, account_id, number_sealed, number_ending, holder, given_by, given_at, hold_until',
  ],
  payout_batch: [
    'delete truncate',
    'update of id, bank_account_id, payer_holder, profile, currency, created_by_id, created_by, created_at',
  ],
  payout_batch_item: ['truncate'],
  payout_file: [
    'delete truncate',
    'update of id, batch_id, payer_number, payer_holder, number, message_id, execute_on, created_at',
  ],
  payout_handover: ['delete truncate', 'update of id, file_id, way, is_copy, person, place, at'],
  payout_move: [whole],
  payout_run: ['delete truncate', 'update of id, day, started_at'],
  payout_block: ['delete truncate', 'update of id, account_id, blocked_at, blocked_by'],
  payout_signed: ['delete truncate', 'update of name'],
  payout_terms: ['delete truncate', 'update of account_id'],
  pos: ['delete truncate', 'update of id, account_id'],
  price: [whole],
  price_list: [whole],
  reconciliation_item: ['delete truncate', 'update of id, run_id, acquirer, kind, difference, key, currency, found_at'],
  reconciliation_record: [whole],
  reconciliation_run: ['delete truncate', 'update of id, acquirer, from_at, to_at, started_at, node_id'],
  reconciliation_total: [whole],
  recurring: ['truncate', 'update of id'],
  refund_part: [whole],
  settlement: [whole],
  transaction: ['truncate', 'update of id'],
  transaction_part: [whole],
  verify_run: ['delete truncate', 'update of id, started_by, started_at, since_at, node_id, reread'],
  wallet_token: ['update truncate'],
};

interface Guard {
  readonly table: string;
  readonly refused: string;
}

suite('rows that are kept', () => {
  let world: TestWorld;
  let guards: readonly Guard[];

  before(async () => {
    world = await aWorld();
    guards = await world.db.sql.many((row) => ({ table: readText(row, 'table'), refused: readText(row, 'refused') }))`
      select relname as table,
             concat_ws(' ', case when tgtype & 16 > 0 then
                              'update' || coalesce(' of ' || (select string_agg(attname, ', ' order by attnum) from pg_attribute
                                                               where attrelid = tgrelid and attnum = any (tgattr)), '') end,
                            case when tgtype & 8 > 0 then 'delete' end,
                            case when tgtype & 32 > 0 then 'truncate' end) as refused
        from pg_trigger
        join pg_class on pg_class.oid = tgrelid
        join pg_proc on pg_proc.oid = tgfoid
       where proname = 'refuse_change' and tgenabled = 'O'
         and not exists (select from pg_trigger as known
                          where known.tgrelid = pg_trigger.tgrelid and pg_trigger.tgname like '%\\_stays'
                            and known.tgname = regexp_replace(pg_trigger.tgname, '_stays$', '_known'))
       order by 1, 2`;
  });

  // Guarantee: the proof of what happened, and what money was asked for, cannot be changed or deleted by a bug.
  test('are those that the list says', () => {
    const found = Map.groupBy(guards, ({ table }) => table);
    assert.deepEqual(
      Object.fromEntries([...found].map(([table, own]) => [table, own.map(({ refused }) => refused)])),
      kept,
    );
  });

  // Guarantee: each of them is refused by the database itself, also where there is no row to change.
  test('refuse every statement', async () => {
    for (const { table, refused } of guards) {
      const [, columns = ''] = /update of ([^)]*?)(?: delete| truncate|$)/.exec(refused) ?? [];
      const update = columns === '' ? [await anyColumnOf(table)] : columns.split(', ');
      const statements = [
        ...(refused.startsWith('update') ? update.map((name) => `update ${table} set ${name} = ${name}`) : []),
        ...(refused.includes('delete') ? [`delete from ${table}`] : []),
        ...(refused.includes('truncate') ? [`truncate ${table} cascade`] : []),
      ];
      for (const statement of statements) {
        await assert.rejects(
          world.db.sql.run([statement] as unknown as TemplateStringsArray),
          /never changed/,
          statement,
        );
      }
    }
  });

  const anyColumnOf = (table: string) =>
    world.db.sql.one((row) => readText(row, 'name'))`
      select attname as name from pg_attribute
       where attrelid = ${table}::regclass and attnum > 0 and attidentity = '' order by attnum desc limit 1`;
});
