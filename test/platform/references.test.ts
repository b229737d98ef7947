// Every column that names a row of another table is checked by the database, or says why not.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { readText } from '../../src/database/index.ts';
import { aWorld, type TestWorld } from '../support/service.ts';

/** Columns without a check by the database, in any table, with the reason. */
const columnsUnchecked: Record<string, string> = {
  channel_id: 'a number of the interface',
  payer_id: 'chosen by the merchant',
  payer_tax_id: 'given by the state',
  request_id: 'of a request, which is not stored',
  subject_id: 'of one of several tables',
  tax_id: 'given by the state',
  wallet_transaction_id: 'given by the wallet',
};

const derived = 'derived from rows that are checked, by the database or by a work that reads them';

/** The same for one table each. */
const unchecked: Record<string, string> = {
  'audit_entry.account_id': 'the log outlives accounts of a restored database',
  'audit_entry.user_id': 'the log outlives users',
  'bank_file.node_id': 'a process, whose row goes when it ends',
  'card_token.attempt_id': 'a card is saved before its charge is written',
  'delivery.account_id': derived,
  'endpoint_queue.account_id': derived,
  'event_position.account_id': derived,
  'event_position.event_id': derived,
  'idempotency_key.account_id': 'the caller, known a moment before; the row is deleted after a day',
  'panel_day.account_id': derived,
  'panel_move.account_id': derived,
  'panel_move.journal_id': derived,
  'panel_move.transaction_id': derived,
  'passkey.credential_id': 'given by the authenticator',
  'panel_search.account_id': derived,
  'panel_search.transaction_id': derived,
  'panel_zone.account_id': derived,
  'reconciliation_record.item_id': 'the chain outlives what it tells about; verify compares them',
  'reconciliation_record.run_id': 'the chain outlives what it tells about; verify compares them',
  'reconciliation_run.node_id': 'a process, whose row goes when it ends',
  'verify_run.node_id': 'a process, whose row goes when it ends',
  'recurring.live_transaction_id': 'the charge in flight, which refers to the recurring payment',
  'recurring_count.merchant_id': derived,
  'recurring_count_change.merchant_id': derived,
  'recurring_listed.merchant_id': derived,
  'recurring_listed.recurring_id': derived,
  'request_log.account_id': 'the caller, known a moment before; the row is deleted after some days',
  'charge.price_id': 'read in the statement that locks the charge; verify compares them',
  'price.owner_id': 'a list or an account, looked up before',
  'refund.price_id': 'read in the statement that locks the transaction; verify compares them',
  'transaction_part.price_id': 'read with the terms of the seller; verify compares them',
  'settlement.payout_id': 'the source of a journal; verify compares them',
  'settlement_last.account_id': derived,
  'settlement_month.after_id': 'a place in the order of accounts',
  'settlement_wanted.account_id': 'written with the payout',
  'settlement_wanted.payout_id': 'written with the payout, whose journal is its source',
  'stripe_charge.provider_id': 'given by the provider',
  'stripe_refund.intent_id': 'given by the provider',
  'stripe_refund.provider_id': 'given by the provider',
  'payout_batch.approved_by_id': 'a person when it is signed; batches outlive users',
  'payout_batch.canceled_by_id': 'a person when it is signed; batches outlive users',
  'payout_batch.created_by_id': 'a person when it is signed; batches outlive users',
  'payout_batch.missed_by_id': 'a person when it is signed; batches outlive users',
  'payout_file.message_id': 'a name for the bank',
  'transaction_count.merchant_id': derived,
  'transaction_count_change.merchant_id': derived,
  'transaction_part.merchant_id': 'a seller of the partner: transaction_part_checked',
  'transaction_part.transaction_id': 'the parts sum up to it: transaction_part_checked',
  'wallet_token.attempt_id': 'written before its charge, in one database transaction',
  'wallet_token.transaction_id': 'written before its charge, in one database transaction',
};

suite('references', () => {
  let world: TestWorld;

  before(async () => {
    world = await aWorld();
  });

  const textsOf = (statement: TemplateStringsArray) => world.db.sql.many((row) => readText(row, 'text'))(statement);

  // Guarantee: a row names no row that is not there, except where the list says why that is so.
  test('every column *_id is a foreign key, checked per statement, or on the list', async () => {
    const columns = await textsOf`
      select relname || '.' || attname as text
        from pg_attribute join pg_class on pg_class.oid = attrelid
       where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
         and attname like '%\\_id' order by 1`;
    const checked = await textsOf`
      select relname || '.' || attname as text
        from pg_constraint join pg_class on pg_class.oid = conrelid
        join pg_attribute on attrelid = conrelid and attnum = any (conkey)
       where contype = 'f'
      union
      select relname || '.' || attname
        from pg_trigger as stays join pg_class on pg_class.oid = stays.tgrelid
        join pg_attribute on attrelid = stays.tgrelid and attnum = any (stays.tgattr)
        join pg_trigger as known on known.tgrelid = stays.tgrelid
             and known.tgname = regexp_replace(stays.tgname, '_stays$', '_known')
       where stays.tgname like '%\\_stays'`;
    const open = columns.filter(
      (column) => !checked.includes(column) && !(column.replace(/^\w+\./, '') in columnsUnchecked),
    );
    assert.deepEqual(open, Object.keys(unchecked).sort());
  });

  // Guarantee: what is referred to without a foreign key stays, under the same key.
  test('rows that are referred to per statement are kept', async () => {
    const loose = await textsOf`
      with parent as (
        select distinct substring(prosrc from 'unknown (\\w+) ')::regclass as oid
          from pg_trigger join pg_proc on pg_proc.oid = tgfoid where tgname like '%\\_known'
      ), guard as (
        select tgrelid, tgtype, tgattr, proname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      )
      select parent.oid::text as text from parent join pg_index on indrelid = parent.oid and indisprimary
       where not exists (select from guard where tgrelid = parent.oid and tgtype & 8 > 0
                            and (proname = 'refuse_change' or proname like 'check\\_%'))
          or not exists (select from guard where tgrelid = parent.oid and tgtype & 32 > 0 and proname = 'refuse_change')
          or not exists (select from guard where tgrelid = parent.oid and tgtype & 16 > 0 and proname = 'refuse_change'
                            and (tgattr = '' or indkey[0] = any (tgattr)))`;
    assert.deepEqual(loose, []);
  });
});
