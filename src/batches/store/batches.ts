// SQL of batches and what is in them. Owns: payout_batch, payout_batch_item. Lock order: person, account that pays, batch,
// terms of accounts, payouts, balances.

import { type Row, readBigint, readBoolean, readInteger, readText, type Sql, SqlText } from '../../database/index.ts';
import type { Currency } from '../../kernel/index.ts';
import { type Payout, readPayout } from '../../payouts/index.ts';
import type { Batch, Signer } from '../model.ts';
import { batchTable } from '../table.ts';

export interface Amounts {
  readonly payouts: number;
  readonly totalMinor: bigint;
}

const readAmounts = (row: Row): Amounts => ({
  payouts: readInteger(row, 'payouts'),
  totalMinor: readBigint(row, 'total_minor'),
});

/** Payouts that are in no batch. */
export function findWaiting(sql: Sql, currency: Currency): Promise<Amounts> {
  return sql.one(readAmounts)`
    select count(*)::integer as payouts, coalesce(sum(amount_minor), 0)::bigint as total_minor
      from payout
     where state = 'created' and currency = ${currency}
       and not exists (select from payout_batch_item as item where item.payout_id = payout.id and item.is_live)`;
}

type Draft = Pick<
  Batch,
  'id' | 'bankAccountId' | 'payerHolder' | 'profile' | 'currency' | 'createdById' | 'createdBy' | 'createdAt'
>;

/** In no batch, of accounts that nobody has blocked. */
const isFree = new SqlText(`payout.state = 'created' and terms.blocked_at is null and account.status <> 'blocked'
  and not exists (select from payout_batch_item as item where item.payout_id = payout.id and item.is_live)`);

/** Payouts for the next draft after this one, the oldest first. */
export function listFree(sql: Sql, currency: Currency, after: string, atMost: number): Promise<Payout[]> {
  return sql.many(readPayout)`
    select payout.* from payout join account on account.id = payout.account_id
      left join payout_terms as terms on terms.account_id = payout.account_id
     where payout.currency = ${currency} and payout.id > ${after} and ${isFree} order by payout.id limit ${atMost}`;
}

/**
 * A draft of these payouts, as far as they still wait; undefined if there are none. The caller has locked the account that
 * pays, so that two drafts do not take the same.
 */
export function insertDraft(sql: Sql, draft: Draft, payoutIds: readonly string[]): Promise<Batch | undefined> {
  const { id, bankAccountId, payerHolder, profile, currency, createdById, createdBy, createdAt } = draft;
  return sql.maybeOne(batchTable.read)`
    with taken as materialized (
      select payout.id, payout.amount_minor from payout join account on account.id = payout.account_id
        left join payout_terms as terms on terms.account_id = payout.account_id
       where payout.id = any(${payoutIds}::text[]) and payout.currency = ${currency} and ${isFree}
    ), made as (
      insert into payout_batch (id, bank_account_id, payer_holder, profile, currency, state, payouts, total_minor, created_by_id,
                                created_by, created_at)
      select ${id}, ${bankAccountId}, ${payerHolder}, ${profile}, ${currency}, 'draft', count(*), sum(amount_minor),
             ${createdById}, ${createdBy}, ${createdAt}
        from taken having count(*) > 0
      returning *
    ), filled as (
      insert into payout_batch_item (batch_id, payout_id) select made.id, taken.id from made cross join taken
    )
    select * from made`;
}

export function findBatch(sql: Sql, id: string): Promise<Batch | undefined> {
  return sql.maybeOne(batchTable.read)`select * from payout_batch where id = ${id}`;
}

export function lockBatch(sql: Sql, id: string): Promise<Batch | undefined> {
  return sql.maybeOne(batchTable.read)`select * from payout_batch where id = ${id} for update`;
}

/** The newest first, so many before this id. */
export function listBatches(sql: Sql, before: string, atMost: number): Promise<Batch[]> {
  return sql.many(batchTable.read)`
    select * from payout_batch where id < ${before} order by id desc limit ${atMost}`;
}

/** Whether this person may sign now; locked, so that nobody is demoted or blocked until the signature is there. */
export async function isOperator(sql: Sql, { id, email }: Signer): Promise<boolean> {
  const found = await sql.maybeOne((row) => readText(row, 'id'))`
    select id from person where id = ${id} and email = ${email} and role = 'operator' and blocked_at is null for share`;
  return found !== undefined;
}

/** Whoever changes anything of the payouts of these accounts waits, and has ended before. */
export async function lockTermsOf(sql: Sql, batchId: string): Promise<void> {
  await sql.run`
    select from payout_terms
     where account_id in (select payout.account_id from payout_batch_item as item join payout on payout.id = item.payout_id
                           where item.batch_id = ${batchId})
     order by account_id for share`;
}

/** What of a draft has not ended, and is not of an account that was blocked since. */
export function countLeft(sql: Sql, batchId: string): Promise<Amounts> {
  return sql.one(readAmounts)`
    select count(*)::integer as payouts, coalesce(sum(payout.amount_minor), 0)::bigint as total_minor
      from payout_batch_item as item join payout on payout.id = item.payout_id join account on account.id = payout.account_id
      left join payout_terms as terms on terms.account_id = payout.account_id
     where item.batch_id = ${batchId} and payout.state = 'created' and terms.blocked_at is null
       and account.status <> 'blocked'`;
}

/** Takes everything else out of it. */
export async function dropEnded(sql: Sql, batchId: string): Promise<void> {
  await sql.run`
    delete from payout_batch_item as item using payout join account on account.id = payout.account_id
      left join payout_terms as terms on terms.account_id = payout.account_id
     where item.batch_id = ${batchId} and payout.id = item.payout_id
       and (payout.state <> 'created' or terms.blocked_at is not null or account.status = 'blocked')`;
}

/** Writes everything that changes of a batch. */
export async function updateBatch(sql: Sql, batch: Batch): Promise<void> {
  const { id, state, payouts, totalMinor, approvedById, approvedBy, digest, mac, missedById, missedBy } = batch;
  const { canceledById, canceledBy, approvedAt, madeAt, handedOverAt, missedAt, settledAt, canceledAt } = batch;
  await sql.run`
    update payout_batch
       set state = ${state}, payouts = ${payouts}, total_minor = ${totalMinor}, approved_by_id = ${approvedById},
           approved_by = ${approvedBy}, digest = ${digest}, mac = ${mac}, missed_by_id = ${missedById}, missed_by = ${missedBy},
           canceled_by_id = ${canceledById}, canceled_by = ${canceledBy}, approved_at = ${approvedAt}, made_at = ${madeAt},
           handed_over_at = ${handedOverAt}, missed_at = ${missedAt}, settled_at = ${settledAt}, canceled_at = ${canceledAt}
     where id = ${id}`;
}

/** Its payouts, in order. */
export function listPayoutIds(sql: Sql, batchId: string): Promise<string[]> {
  return sql.many((row) => readText(row, 'payout_id'))`
    select payout_id from payout_batch_item where batch_id = ${batchId} order by payout_id`;
}

/** Batches that were handed over and of which nothing is open any more, so many at most. */
export async function settleEnded(sql: Sql, at: Temporal.Instant, atMost: number): Promise<number> {
  return sql.run`
    update payout_batch set state = 'settled', settled_at = ${at}
     where id in (select id from payout_batch as batch where state = 'handed_over'
                     and not exists (select from payout_batch_item as item join payout on payout.id = item.payout_id
                                      where item.batch_id = batch.id and payout.state in ('created', 'approved', 'sent'))
                   order by id limit ${atMost} for update skip locked)`;
}

/** A payout of a batch, as people see it. */
export interface ShownPayout {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly holder: string;
  readonly numberEnding: string;
  readonly amountMinor: bigint;
  readonly state: string;
}

/** Those after this id, in order. */
export function listShown(sql: Sql, batchId: string, after: string, atMost: number): Promise<ShownPayout[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    accountId: readText(row, 'account_id'),
    accountName: readText(row, 'account_name'),
    holder: readText(row, 'holder'),
    numberEnding: readText(row, 'number_ending'),
    amountMinor: readBigint(row, 'amount_minor'),
    state: readText(row, 'state'),
  }))`
    select payout.id, payout.account_id, account.name as account_name, payout.holder, payout.number_ending,
           payout.amount_minor, payout.state
      from payout_batch_item as item
      join payout on payout.id = item.payout_id
      join account on account.id = payout.account_id
     where item.batch_id = ${batchId} and item.payout_id > ${after} order by item.payout_id limit ${atMost}`;
}

/** Whether all payouts of a batch are at the bank, as far as we know. */
export function areAllSent(sql: Sql, batchId: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'all_sent'))`
    select not exists (select from payout_batch_item as item join payout on payout.id = item.payout_id
                        where item.batch_id = ${batchId} and payout.state <> 'sent') as all_sent`;
}

/** Its payouts with their amounts, in order. */
export function listAmounts(
  sql: Sql,
  batchId: string,
): Promise<{ readonly id: string; readonly amountMinor: bigint }[]> {
  return sql.many((row) => ({ id: readText(row, 'id'), amountMinor: readBigint(row, 'amount_minor') }))`
    select payout.id, payout.amount_minor from payout_batch_item as item join payout on payout.id = item.payout_id
     where item.batch_id = ${batchId} order by payout.id`;
}
