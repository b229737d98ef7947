// Writes the same rows as the engine with bare SQL: two statements per batch of charges, whatever its size. Nothing
// leaves the server, nothing is decided, no bank is called. Only the ids are transferred.

import type pg from 'pg';
import { methods } from '../../contract/methods.ts';

/** 26 characters of ULID shape, derived from a text. */
const ulidOf = (text: string) => `'0' || upper(substr(md5(${text}) || md5('x' || ${text}), 1, 25))`;

const columns = `id, merchant_id, amount_minor, currency, description, hidden_description, payer, callback_url,
  instrument_type, instrument_sealed, iteration, attempts`;

/**
 * Selects due rows by time, or the given rows, and inserts the intents of their charges. Parameters: now, limit or ids.
 */
const start = (which: string) => `
  with due as materialized (
    select ${columns}, ${ulidOf('id || iteration')} as transaction_id from recurring
     where ${which} for update skip locked
  ), tied as (
    update recurring set due_at = null, live_transaction_id = due.transaction_id, attempts = 1, retries_used = 0
      from due where recurring.id = due.id
  ), paid_by as (
    insert into transaction (id, origin, merchant_id, pos_id, title, status, created_at, amount_minor, currency, description,
           hidden_description, lang, payer_id, payer_email, payer_name, payer_phone, payer_address, payer_city,
           payer_postal_code, payer_country, payer_tax_id, payer_user_agent, payment_status, payment_method, channel_id,
           pay_key)
    select transaction_id, 'recurring', merchant_id, pos.id,
           'TR-' || substr(transaction_id, 2, 4) || '-' || substr(transaction_id, 6, 9), 'pending', $1, amount_minor,
           currency, description, hidden_description, 'pl', due.id, payer ->> 'email', payer ->> 'name', '', '', '', '', 'PL',
           '', '', 'pending', 'sale', ${methods.card.id}, substr(md5(transaction_id), 1, 22)
      from due join pos on pos.account_id = due.merchant_id and pos.main
  )
  insert into charge (id, purpose, transaction_id, merchant_id, acquirer, amount_minor, currency, channel_id, initiator,
         state, created_at, next_check_at, recurring_id, iteration, attempt, manual, instrument_type, instrument_sealed)
  select transaction_id, 'recurring', transaction_id, merchant_id, 'simulator', amount_minor, currency, ${methods.card.id}, 'merchant',
         'sent', $1::timestamptz, $1::timestamptz + interval '12 seconds', id, iteration, 1, false, instrument_type,
         instrument_sealed from due
  returning transaction_id`;

/**
 * All of them correct: attempts, recurring payments, transactions, journals, events. Parameters: now, transaction ids,
 * next.
 */
const end = `
  with settled as (
    update charge set state = 'correct', settled_at = $1, next_check_at = null
     where id = any($2::text[])
    returning transaction_id, recurring_id, iteration, created_at
  ), charged as materialized (
    select settled.*, recurring.merchant_id, recurring.amount_minor, recurring.currency, recurring.callback_url,
           recurring.hidden_description, ${ulidOf("settled.transaction_id || 'e'")} as event_id,
           ${ulidOf("settled.transaction_id || 'j'")} as journal_id
      from settled join recurring on recurring.id = settled.recurring_id
  ), moved as (
    update recurring set iteration = recurring.iteration + 1, attempts = 0, scheduled_at = $3, due_at = $3, manual = false,
           live_transaction_id = null, last_state = 'correct', last_reason = null
      from charged where recurring.id = charged.recurring_id
  ), paid as (
    update transaction set status = 'paid', payment_status = 'correct', realized_at = $1, paid_at = $1,
           amount_paid_minor = transaction.amount_minor
      from charged where transaction.id = charged.transaction_id
  ), told as (
    insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
    select event_id, merchant_id, 'recurring', transaction_id, callback_url, 'application/json',
           json_build_object('recurringId', recurring_id, 'transactionId', transaction_id, 'hiddenDescription',
             hidden_description, 'iterationCount', iteration, 'iterationAttemptCount', 1, 'status', 'correct',
             'nextChargeDate', $3::text, 'reason', null)::text, false, $1 from charged
  ), sent as (
    insert into delivery (event_id, account_id, endpoint, status, next_try_at)
    select event_id, merchant_id, merchant_id || ' https://shop.example.com', 'pending', $1::timestamptz from charged
  ), booked as (
    insert into journal (id, source, kind, currency, posted_at)
    select journal_id, transaction_id, 'payment', currency, $1 from charged
  ), entered as (
    insert into entry (journal_id, line, account, amount_minor)
    select journal_id, line, account, minor from charged cross join lateral (values
      (1, 'acquirer:simulator:receivable', amount_minor), (2, 'merchant:' || merchant_id || ':available', 75 - amount_minor),
      (3, 'income:processing_fee', -75)) as lines (line, account, minor)
  )
  update ledger_balance set balance_minor = balance_minor + credit.minor
    from (select 'merchant:' || merchant_id || ':available' as account, sum(amount_minor - 75)::bigint as minor
            from charged group by 1 order by 1) as credit
   where ledger_balance.account = credit.account`;

const startDue = { name: 'start due', text: start('due_at <= $1 order by due_at limit $2') };
const startOne = { name: 'start one', text: start('id = $2 and due_at <= $1') };

async function startedBy(client: pg.Client | pg.PoolClient, query: pg.QueryConfig): Promise<string[]> {
  const { rows } = await client.query<{ transaction_id: string }>(query);
  return rows.map((row) => row.transaction_id);
}

/** Inserts the intents of the oldest due charges, at most `limit`; returns their transactions. */
export function startDueCharges(client: pg.Client, now: string, limit: number): Promise<string[]> {
  return startedBy(client, { ...startDue, values: [now, limit] });
}

/** The same for one recurring payment. */
export function startOneCharge(client: pg.PoolClient, now: string, id: string): Promise<string[]> {
  return startedBy(client, { ...startOne, values: [now, id] });
}

/** Records that these charges were correct. */
export async function endCharges(
  client: pg.Client | pg.PoolClient,
  now: string,
  ids: readonly string[],
  next: string,
): Promise<void> {
  await client.query({ name: 'end', text: end, values: [now, ids, next] });
}
