// SQL of disputes. Owns: dispute, dispute_step, dispute_share. Lock order: outgoing refunds, transaction, dispute, balances.

import type { ChargeState, ParkedItem } from '../../banking/index.ts';
import { readParkedItem } from '../../banking/index.ts';
import { readBigint, readText, type Sql, type SqlPart, SqlText, sqlPart } from '../../database/index.ts';
import { type AccountId, type DisputeId, knownId, type TransactionId } from '../../kernel/index.ts';
import type { Dispute, DisputeStep, Part, Share, Shared, Sharing } from '../model.ts';
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

/** What goes to the payer of a transaction by refunds that are not held. */
function refundedOf(id: SqlPart): SqlPart {
  return sqlPart`(
    coalesce((select refunded_minor + paid_late_minor from refund_total where transaction_id = ${id}), 0)
    - coalesce((select sum(amount_minor) from refund where transaction_id = ${id} and status = 'Hold'), 0)::bigint)`;
}

/** The caller holds the transaction's lock. */
export function findGoing(sql: Sql, id: TransactionId, except: string): Promise<Going> {
  return sql.one((row) => ({
    refundedMinor: readBigint(row, 'refunded'),
    disputedMinor: readBigint(row, 'disputed'),
  }))`
    select ${refundedOf(sqlPart`${id}`)} as refunded,
           coalesce((select sum(amount_minor - returned_minor) from dispute
                      where transaction_id = ${id} and id <> ${except}), 0)::bigint as disputed`;
}

const list = (array: SqlPart) => sqlPart`coalesce(json_agg(${array}), '[]')`;

/** The condition of `listSharings` for these transactions. */
export function ofTransactions(ids: readonly string[]): SqlPart {
  return sqlPart`transaction.id = any(${ids}::text[])`;
}

/** Payments with their parts, what is disputed of them and who bears it, in one statement: verify has no locks. */
export function listSharings(sql: Sql, condition: SqlPart): Promise<Sharing[]> {
  return sql.many((row) => ({
    merchantId: knownId<AccountId>(readText(row, 'merchant_id')),
    parts: (JSON.parse(readText(row, 'parts')) as string[][]).map(readPart),
    disputes: (JSON.parse(readText(row, 'disputes')) as [string, string, [string, string][]][]).map(readShared),
  }))`
    select transaction.merchant_id,
           (select ${list(sqlPart`json_build_array(part.merchant_id, part.amount_minor::text,
                                                   (part.amount_minor - coalesce(total.refunded_minor, 0))::text,
                                                   (part.commission_minor - coalesce(total.commission_returned_minor, 0))::text)
                                  order by part.number`)}::text
              from transaction_part as part left join part_refund_total as total on total.part_id = part.id
             where part.transaction_id = transaction.id) as parts,
           (select ${list(sqlPart`json_build_array(dispute.id, (amount_minor - returned_minor)::text, borne.shares)
                                  order by dispute.id`)}::text
              from dispute
             cross join lateral (
                     select ${list(sqlPart`json_build_array(account_id, minor::text) order by account_id`)} as shares
                       from (select share.account_id, sum(share.amount_minor) as minor
                               from dispute_step as step join dispute_share as share on share.step_id = step.id
                              where step.dispute_id = dispute.id group by 1) as each) as borne
             where dispute.transaction_id = transaction.id) as disputes
      from transaction where ${condition}`;
}

function readPart([accountId = '', amountMinor = '', leftMinor = '', commissionLeftMinor = '']: string[]): Part {
  return {
    accountId: knownId<AccountId>(accountId),
    amountMinor: BigInt(amountMinor),
    leftMinor: BigInt(leftMinor),
    commissionLeftMinor: BigInt(commissionLeftMinor),
  };
}

function readShared([id, minor, borne]: [string, string, [string, string][]]): Shared {
  return {
    id: knownId<DisputeId>(id),
    minor: BigInt(minor),
    borne: borne.map(([accountId, share]) => ({ accountId: knownId<AccountId>(accountId), minor: BigInt(share) })),
  };
}

/** A dispute as a step leaves it, and what the step takes from accounts or gives back. */
export interface Written {
  readonly dispute: Dispute;
  readonly step: DisputeStep;
  readonly taken: readonly Share[];
}

/** Writes disputes, a step of each, and what the steps take or give back, in this order: the schema compares them. */
export async function writeSteps(sql: Sql, written: readonly Written[], isNew = false): Promise<void> {
  const disputes = written.map(({ dispute }) => dispute);
  if (isNew) await disputeTable.copy(sql, disputes);
  else await updateDisputes(sql, ...disputes);
  await disputeStepTable.copy(
    sql,
    written.map(({ step }) => step),
  );
  const shares = written.flatMap(({ step, taken }) =>
    taken.map(({ accountId, minor }) => ({ stepId: step.id, accountId, amountMinor: minor })),
  );
  if (shares.length > 0) await disputeShareTable.copy(sql, shares);
}

export async function updateDisputes(sql: Sql, ...disputes: readonly Dispute[]): Promise<void> {
  await disputeTable.update(
    sql,
    disputes.map((dispute) => disputeTable.flat(dispute)),
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

/**
 * Takes those of these disputes off the list whose payers get no more than was paid by now; returns their ids. The caller
 * holds the locks of their transactions.
 */
export function unparkRefunded(sql: Sql, ids: readonly string[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    update dispute set parked_at = null, parked_why = null
      from transaction
     where transaction.id = dispute.transaction_id and dispute.id = any(${ids}::text[])
       and parked_why = 'refunded_too'
       and ${refundedOf(sqlPart`transaction.id`)} + (select sum(one.amount_minor - one.returned_minor) from dispute as one
                                                      where one.transaction_id = transaction.id) <= amount_paid_minor
     returning dispute.id`;
}

/**
 * The acquirer is to correct it: an operator is asked again later. If it waits for another reason by now, it stays on the
 * list.
 */
export async function updatePostponed(sql: Sql, id: string, parkAt: Temporal.Instant): Promise<void> {
  await sql.run`
    update dispute set parked_at = null, parked_why = null, park_at = ${parkAt}
     where id = ${id} and parked_why = 'dispute_unsettled'`;
}
