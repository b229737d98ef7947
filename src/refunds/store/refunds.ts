// SQL of making and moving refunds. Owns: refund, refund_counter, refund_total, refund_work.

import { type AccountId, currencyFrom, knownId, money, type RefundId } from '../../kernel/index.ts';
import {
  jsonRows,
  type Row,
  readBigint,
  readInstant,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../platform/index.ts';
import type { CanceledBy, Refund, RefundContext, RefundStatus, RefundWithTitle } from '../model.ts';

export function readRefund(row: Row): Refund {
  return {
    id: knownId(readText(row, 'id')),
    transactionId: knownId(readText(row, 'transaction_id')),
    merchantId: knownId(readText(row, 'merchant_id')),
    number: readInteger(row, 'number'),
    context: readText(row, 'context') as RefundContext,
    form: readText(row, 'form') === 'full' ? 'full' : 'partial',
    status: readText(row, 'status') as RefundStatus,
    steps: readInteger(row, 'steps'),
    amount: money(readBigint(row, 'amount_minor'), currencyFrom(readText(row, 'currency'))),
    feeMinor: readBigint(row, 'fee_minor'),
    channelId: readInteger(row, 'channel_id'),
    chargeKey: readText(row, 'charge_key'),
    acquirer: readText(row, 'acquirer'),
    createdAt: readInstant(row, 'created_at'),
    sentAt: readInstantOrNull(row, 'sent_at'),
    processedAt: readInstantOrNull(row, 'processed_at'),
    endedAt: readInstantOrNull(row, 'ended_at'),
    canceledBy: readTextOrNull(row, 'canceled_by') as CanceledBy | null,
    paidLateAt: readInstantOrNull(row, 'paid_late_at'),
  };
}

/**
 * Refunds that exist already under these ids: a request that runs again under its idempotency key finds its first run. One
 * look-up for each, because for a list of ids a young table was read as a whole, and the plan stayed.
 */
export function listRefundsById(sql: Sql, ids: readonly string[]): Promise<Refund[]> {
  return sql.many(readRefund)`
    select found.* from unnest(${ids}::text[]) as wanted (id)
     cross join lateral (select * from refund where refund.id = wanted.id limit 1) as found`;
}

export interface Counter {
  readonly refunds: number;
  readonly cardRefunds: number;
  readonly lastCreatedAt: Temporal.Instant;
}

/** Makes the counters of merchants exist, locks them in the order of their ids and answers them by merchant. */
export async function lockCounters(
  sql: Sql,
  merchantIds: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, Counter>> {
  const read = (row: Row) =>
    [
      readText(row, 'merchant_id'),
      {
        refunds: readInteger(row, 'refunds'),
        cardRefunds: readInteger(row, 'card_refunds'),
        lastCreatedAt: readInstant(row, 'last_created_at'),
      },
    ] as const;
  const lock = () => sql.many(read)`
    select * from refund_counter where merchant_id = any(${merchantIds}::text[]) order by merchant_id for update`;
  const locked = await lock();
  if (locked.length === merchantIds.length) return new Map(locked);
  await sql.run`
    insert into refund_counter (merchant_id, refunds, card_refunds, last_created_at)
    select id, 0, 0, ${now} from unnest(${merchantIds}::text[]) as id order by id
    on conflict (merchant_id) do nothing`;
  return new Map(await lock());
}

export interface Total {
  /** What cannot be refunded any more: refunds that stand, and what the bank paid out although it had refused. */
  readonly goneMinor: bigint;
  readonly refunds: number;
}

/** What was refunded of transactions so far; one that was never refunded has no row. The caller holds the transactions' locks. */
export async function listRefunded(sql: Sql, transactionIds: readonly string[]): Promise<Map<string, Total>> {
  const rows = await sql.many(
    (row) =>
      [
        readText(row, 'transaction_id'),
        { goneMinor: readBigint(row, 'gone_minor'), refunds: readInteger(row, 'refunds') },
      ] as const,
  )`
    select found.* from unnest(${transactionIds}::text[]) as wanted (id)
     cross join lateral (
       select transaction_id, least(refunded_minor + paid_late_minor, paid_minor) as gone_minor, refunds
         from refund_total where transaction_id = wanted.id limit 1) as found`;
  return new Map(rows);
}

export interface NewRefund {
  readonly refund: Refund;
  readonly cardCount: number;
  readonly paidMinor: bigint;
  readonly cardToken: string | null;
  readonly payerEmail: string;
  readonly nextStepAt: Temporal.Instant;
}

function rowOf({ refund, ...more }: NewRefund): object {
  return {
    id: refund.id,
    transactionId: refund.transactionId,
    merchantId: refund.merchantId,
    number: refund.number,
    cardCount: more.cardCount,
    context: refund.context,
    form: refund.form,
    status: refund.status,
    amountMinor: refund.amount.minor,
    feeMinor: refund.feeMinor,
    currency: refund.amount.currency,
    channelId: refund.channelId,
    chargeKey: refund.chargeKey,
    acquirer: refund.acquirer,
    cardToken: more.cardToken,
    payerEmail: more.payerEmail,
    createdAt: refund.createdAt.toString(),
    nextStepAt: more.nextStepAt.toString(),
    paidMinor: more.paidMinor,
  };
}

/**
 * Writes refunds with their work, totals and counters in one statement; the caller holds the locks of the transactions and
 * of the counters. The totals move by a conditional update, and the schema checks the limit again. Answers whether every
 * total had room: if not, the caller must roll back.
 */
export function insertRefunds(sql: Sql, made: readonly NewRefund[]): Promise<boolean> {
  return sql.one((row) => readInteger(row, 'missing') === 0)`
    with given as materialized (
      select * from json_to_recordset(${jsonRows(made.map(rowOf))}::json) as given
        (id text, "transactionId" text, "merchantId" text, number integer, "cardCount" integer, context text, form text,
         status text, "amountMinor" bigint, "feeMinor" bigint, currency text, "channelId" integer, "chargeKey" text,
         acquirer text, "cardToken" text, "payerEmail" text, "createdAt" timestamptz, "nextStepAt" timestamptz,
         "paidMinor" bigint)
    ), written as (
      insert into refund (id, transaction_id, merchant_id, number, card_count, context, form, status, amount_minor,
                          fee_minor, currency, channel_id, charge_key, acquirer, card_token, payer_email, created_at)
      select id, "transactionId", "merchantId", number, "cardCount", context, form, status, "amountMinor",
             "feeMinor", currency, "channelId", "chargeKey", acquirer, "cardToken", "payerEmail", "createdAt" from given
    ), queued as (
      insert into refund_work (refund_id, next_step_at) select id, "nextStepAt" from given
    ), counted as (
      update refund_counter set refunds = newest.number, card_refunds = newest."cardCount", last_created_at = newest."createdAt"
        from (select distinct on ("merchantId") * from given order by "merchantId", number desc) as newest
       where refund_counter.merchant_id = newest."merchantId"
    ), wanted as (
      select "transactionId", min("paidMinor") as paid, sum("amountMinor")::bigint as minor, count(*)::integer as count
        from given group by 1
    ), totaled as (
      insert into refund_total (transaction_id, paid_minor, refunded_minor, refunds)
      select "transactionId", paid, minor, count from wanted
      on conflict (transaction_id) do update
         set refunded_minor = refund_total.refunded_minor + excluded.refunded_minor,
             refunds = refund_total.refunds + excluded.refunds
       where refund_total.refunded_minor + refund_total.paid_late_minor + excluded.refunded_minor <= refund_total.paid_minor
      returning transaction_id
    )
    select ((select count(*) from wanted) - (select count(*) from totaled))::integer as missing`;
}

/** One refund of this merchant with the title of its transaction; another's is not found. */
export function findRefund(sql: Sql, merchantId: AccountId, id: RefundId): Promise<RefundWithTitle | undefined> {
  return sql.maybeOne(readWithTitle)`
    select refund.*, transaction.title from refund join transaction on transaction.id = refund.transaction_id
     where refund.id = ${id} and refund.merchant_id = ${merchantId}`;
}

/** One refund whoever its merchant is, for operators. */
export function findAnyRefund(sql: Sql, id: RefundId): Promise<RefundWithTitle | undefined> {
  return sql.maybeOne(readWithTitle)`
    select refund.*, transaction.title from refund join transaction on transaction.id = refund.transaction_id
     where refund.id = ${id}`;
}

export function readWithTitle(row: Row): RefundWithTitle {
  return { ...readRefund(row), title: readText(row, 'title') };
}
