// SQL of disputes. Owns: dispute, dispute_step, dispute_share. Lock order: outgoing refunds, transaction, dispute, balances.

import type { ChargeState, ParkedItem } from '../../banking/index.ts';
import { readParkedItem } from '../../banking/index.ts';
import { readBigint, readInteger, readText, type Sql, type SqlPart, SqlText, sqlPart } from '../../database/index.ts';
import { type AccountId, type DisputeId, knownId, type TransactionId } from '../../kernel/index.ts';
import type { Dispute, DisputeShare, DisputeStep, Share } from '../model.ts';
import { disputeShareTable, disputeStepTable, disputeTable } from '../table.ts';

/** The charge that is disputed. */
export interface DisputedCharge {
  readonly acquirer: string;
  readonly state: ChargeState;
  readonly transactionId: TransactionId;
  readonly merchantId: AccountId;
}

export function findCharge(sql: Sql, id: string): Promise<DisputedCharge | undefined> {
  return sql.maybeOne((row) => ({
    acquirer: readText(row, 'acquirer'),
    state: readText(row, 'state') as ChargeState,
    transactionId: knownId<TransactionId>(readText(row, 'transaction_id')),
    merchantId: knownId<AccountId>(readText(row, 'merchant_id')),
  }))`
    select acquirer, state, transaction_id, merchant_id from charge where id = ${id}`;
}

/** Refunds of a transaction that were not sent; by the index of its refunds. */
export function listUnsent(sql: Sql, id: TransactionId): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from outgoing_refund
     where id = any (array (select id from refund where transaction_id = ${id})) and state = 'new' order by id`;
}

/** The same, locked in id order. */
export function lockUnsent(sql: Sql, id: TransactionId): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from outgoing_refund
     where id = any (array (select id from refund where transaction_id = ${id})) and state = 'new' order by id for update`;
}

/** Locks a dispute; the caller holds the transaction's lock. */
export function lockDispute(sql: Sql, acquirer: string, key: string): Promise<Dispute | undefined> {
  return sql.maybeOne(disputeTable.read)`
    select * from dispute where acquirer = ${acquirer} and key = ${key} for update`;
}

/** Locks the disputes of these transactions of which accounts bear something, in id order; the caller holds their locks. */
export function lockBorne(sql: Sql, transactionIds: readonly string[]): Promise<Dispute[]> {
  return sql.many(disputeTable.read)`
    select * from dispute
     where transaction_id = any(${transactionIds}::text[]) and amount_minor > returned_minor order by id for update`;
}

/** How many refunds a transaction had so far, whatever became of them; the caller holds its lock. */
export function countRefunds(sql: Sql, id: TransactionId): Promise<number> {
  return sql.one((row) => readInteger(row, 'refunds'))`
    select coalesce((select refunds from refund_total where transaction_id = ${id}), 0) as refunds`;
}

/** The charge of the dispute with this key. */
export function findDisputed(sql: Sql, acquirer: string, key: string): Promise<string | undefined> {
  return sql.maybeOne((row) => readText(row, 'charge_id'))`
    select charge_id from dispute where acquirer = ${acquirer} and key = ${key}`;
}

/** What goes to the payer of a transaction. */
export interface Going {
  /** By refunds, without those that are held. */
  readonly refundedMinor: bigint;
  /** By disputes other than this one. */
  readonly disputedMinor: bigint;
}

/** The caller holds the transaction's lock. */
export function findGoing(sql: Sql, id: TransactionId, except: string): Promise<Going> {
  return sql.one((row) => ({
    refundedMinor: readBigint(row, 'refunded'),
    disputedMinor: readBigint(row, 'disputed'),
  }))`
    select coalesce((select refunded_minor + paid_late_minor from refund_total where transaction_id = ${id}), 0)
           - coalesce((select sum(amount_minor) from refund where transaction_id = ${id} and status = 'Hold'), 0)::bigint as refunded,
           coalesce((select sum(amount_minor - returned_minor) from dispute
                      where transaction_id = ${id} and id <> ${except}), 0)::bigint as disputed`;
}

/** What accounts bear of a dispute. */
export function listBorne(sql: Sql, id: DisputeId): Promise<Share[]> {
  return sql.many((row) => ({
    accountId: knownId<AccountId>(readText(row, 'account_id')),
    minor: readBigint(row, 'minor'),
  }))`
    select share.account_id, sum(share.amount_minor)::bigint as minor
      from dispute_step as step join dispute_share as share on share.step_id = step.id
     where step.dispute_id = ${id} group by 1 order by 1`;
}

/** Writes a dispute, its step and what the step takes or gives back, in this order: the schema compares them. */
export async function writeStep(
  sql: Sql,
  {
    dispute,
    step,
    shares,
    isNew,
  }: {
    readonly dispute: Dispute;
    readonly step: DisputeStep;
    readonly shares: readonly DisputeShare[];
    readonly isNew: boolean;
  },
): Promise<void> {
  if (isNew) await disputeTable.copy(sql, [dispute]);
  else await updateDispute(sql, dispute);
  await disputeStepTable.copy(sql, [step]);
  if (shares.length > 0) await disputeShareTable.copy(sql, shares);
}

export async function updateDispute(sql: Sql, dispute: Dispute): Promise<void> {
  await disputeTable.update(
    sql,
    [disputeTable.flat(dispute)],
    disputeTable.types(
      'id',
      'amountMinor',
      'returnedMinor',
      'state',
      'reason',
      'respondUntil',
      'endedAt',
      'saidAt',
      'steps',
      'parkedAt',
      'parkedWhy',
      'seenAt',
      'parkAt',
      'lostMinor',
    ),
  );
}

/** Adds the column `kept` to the rows of a table: what the acquirer's lines have kept of each. */
export function keptOf(table: 'dispute' | 'dispute_unclaimed'): SqlPart {
  const name = new SqlText(table);
  return sqlPart`
    cross join lateral (
      select coalesce(sum(case line.kind when 'dispute' then line.amount_minor else -line.amount_minor end), 0)::bigint as kept
        from acquirer_line as line
       where line.acquirer = ${name}.acquirer and line.key = ${name}.key and line.kind in ('dispute', 'dispute_won')) as lines`;
}

const parked = sqlPart`
  select id::text, 'dispute' as kind, parked_why, parked_at,
         case parked_why when 'dispute_unsettled' then abs(kept - lost_minor - (amount_minor - returned_minor))
                         else amount_minor end as amount_minor
    from dispute ${keptOf('dispute')} where parked_at is not null`;

/** What waits for an operator, oldest first, at most 1,000. */
export function listParked(sql: Sql): Promise<ParkedItem[]> {
  return sql.many(readParkedItem)`${parked} order by parked_at, id limit 1000`;
}

export function findParked(sql: Sql, id: string): Promise<ParkedItem | undefined> {
  return sql.maybeOne(readParkedItem)`${parked} and id = ${id}`;
}

/** One that waits for an operator, with what the acquirer's lines have kept of it. */
export function findWaiting(
  sql: Sql,
  id: string,
): Promise<{ readonly dispute: Dispute; readonly keptMinor: bigint } | undefined> {
  return sql.maybeOne((row) => ({ dispute: disputeTable.read(row), keptMinor: readBigint(row, 'kept') }))`
    select dispute.*, kept from dispute ${keptOf('dispute')} where id = ${id} and parked_at is not null`;
}

/** An operator has seen that so much of it is paid twice. False: it is another amount by now, or not listed any more. */
export async function updateSeen(sql: Sql, id: string, amountMinor: bigint, at: Temporal.Instant): Promise<boolean> {
  const seen = await sql.run`
    update dispute set parked_at = null, parked_why = null, seen_at = ${at}
     where id = ${id} and amount_minor = ${amountMinor} and parked_why = 'refunded_too'`;
  return seen > 0;
}

/** The acquirer is to correct it: an operator is asked again later. */
export async function updatePostponed(sql: Sql, id: string, parkAt: Temporal.Instant): Promise<void> {
  await sql.run`update dispute set parked_at = null, parked_why = null, park_at = ${parkAt} where id = ${id}`;
}
