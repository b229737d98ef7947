// All SQL of outgoing refunds. Owns: outgoing_refund. Lock order: outgoing refunds, then what they are for.

import type { UnresolvedCode } from '../../../contract/codes/parking.ts';
import { dueBy, type Given, type Row, readBoolean, readInstant, readText, type Sql } from '../../database/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';
import { type ParkedItem, readParkedItem } from '../parking.ts';
import { outgoingRefundTable } from '../table.ts';
import type { NewOutgoing, Outgoing, OutgoingState, Purpose } from './model.ts';

const atFirst = {
  state: 'new',
  sentAt: null,
  doneAt: null,
  cameBackAt: null,
  withdrawnAt: null,
  checks: 0,
  otherAmounts: 0,
  parkedAt: null,
  parkedWhy: null,
  refusedWhy: null,
} as const;

/** Inserts what is to be sent back, in the transaction that books it; sent together with its next statement. */
export async function insertOutgoing(sql: Sql, rows: readonly NewOutgoing[]): Promise<void> {
  await outgoingRefundTable.copy(
    sql,
    rows.map((row) => ({ ...row, ...atFirst })),
  );
}

/**
 * The same for an unallocated capture, which may be held since an earlier try: then it goes on under its key. One with
 * another amount ends, and this one begins under its own key.
 */
export async function insertOrRelease(sql: Sql, row: NewOutgoing & { readonly purpose: 'unallocated' }): Promise<void> {
  const released = await sql.run`
    update outgoing_refund set state = 'new', sent_at = null, next_try_at = ${row.nextTryAt}, checks = 0
     where subject_id = ${row.subjectId} and purpose = 'unallocated' and state = 'held'
       and amount_minor = ${row.amountMinor}`;
  if (released > 0) return;
  await cancelHeld(sql, [row.subjectId]);
  await insertOutgoing(sql, [row]);
}

/** Ends what is held of these unallocated captures: nobody wants it sent any more. */
export async function cancelHeld(sql: Sql, subjectIds: readonly string[]): Promise<void> {
  await sql.run`
    update outgoing_refund set state = 'canceled'
     where subject_id = any(${subjectIds}::text[]) and purpose = 'unallocated' and state = 'held'`;
}

/** Ends what was not sent yet of these unallocated captures, and says of which; the caller holds their locks. */
export function withdrawUnsent(sql: Sql, subjectIds: readonly string[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'subject_id'))`
    update outgoing_refund set state = 'canceled', next_try_at = null
     where subject_id = any(${subjectIds}::text[]) and purpose = 'unallocated' and state = 'new'
    returning subject_id`;
}

/** Locks what goes back of these unallocated captures, in id order, so that their room may lock them after it. */
export async function lockUnallocated(sql: Sql, subjectIds: readonly string[]): Promise<void> {
  await sql.many((row) => readText(row, 'id'))`
    select id from outgoing_refund
     where subject_id = any(${subjectIds}::text[]) and purpose = 'unallocated' and state not in ('refused', 'canceled')
     order by id for update`;
}

/** Locks outgoing refunds in id order. */
export function lockOutgoing(sql: Sql, ids: readonly string[]): Promise<Outgoing[]> {
  return sql.many(outgoingRefundTable.read)`
    select * from outgoing_refund where id = any(${ids}::text[]) order by id for update`;
}

/** A claimed one. */
export interface DueOutgoing {
  /** As it is after the claim. */
  readonly outgoing: Outgoing;
  /** Whether it was not sent before. */
  readonly first: boolean;
  readonly sentAt: Temporal.Instant;
  readonly dueAt: Temporal.Instant;
}

function readDue(row: Row): DueOutgoing {
  return {
    outgoing: outgoingRefundTable.read(row),
    first: readBoolean(row, 'first'),
    sentAt: readInstant(row, 'sent_at'),
    dueAt: readInstant(row, 'due_at'),
  };
}

/**
 * Claims what is to be sent or looked up, oldest first; the lease is the time of the next try. What was not sent counts as
 * sent from here on, because the bank is called after the commit.
 */
export function claimDueOutgoing(
  sql: Sql,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  limit: number,
): Promise<DueOutgoing[]> {
  return sql.many(readDue)`
    with due as (
      select id, next_try_at as due_at, state = 'new' as first from outgoing_refund where next_try_at <= ${now}
       order by next_try_at limit ${limit} for update skip locked
    )
    update outgoing_refund as claimed
       set next_try_at = ${leaseUntil}, state = 'sent', sent_at = coalesce(claimed.sent_at, ${now})
      from due where claimed.id = due.id
    returning claimed.*, due.due_at, due.first`;
}

/**
 * Which of these are of another amount than the journal says that owes it to the payer: somebody changed them. What belongs
 * to nobody is not booked before it was paid.
 */
export function listMisbooked(sql: Sql, ids: readonly string[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select outgoing.id from outgoing_refund as outgoing
     where outgoing.id = any(${ids}::text[]) and outgoing.purpose <> 'unallocated' and not exists (
       select from journal join entry on entry.journal_id = journal.id
        where journal.source = outgoing.subject_id and journal.currency = outgoing.currency
          and journal.kind = case outgoing.purpose when 'refund' then 'refund' else 'surplus refund' end
          and entry.account = ${ledgerAccounts.refundPayable} and entry.amount_minor = -outgoing.amount_minor)`;
}

/** Of which of these the payer's bank takes the charge back, as far as the acquirer said, or took it. */
export function listDisputed(sql: Sql, rows: readonly Pick<Outgoing, 'id'>[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from outgoing_refund as outgoing
     where id = any(${rows.map(({ id }) => id)}::text[])
       and (exists (select from dispute
                     where dispute.charge_id = outgoing.charge_key and dispute.acquirer = outgoing.acquirer
                       and dispute.amount_minor > dispute.returned_minor)
            or exists (select from dispute_unclaimed as unclaimed
                        where unclaimed.charge_key = outgoing.charge_key and unclaimed.acquirer = outgoing.acquirer
                          and unclaimed.claimed_at is null and unclaimed.amount_minor > unclaimed.returned_minor))`;
}

/** Whether the payer of a charge that no merchant was paid for got money by disputes, all of which have ended. */
export function isLostByDispute(
  sql: Sql,
  { acquirer, chargeKey }: Pick<Outgoing, 'acquirer' | 'chargeKey'>,
): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'lost'))`
    select coalesce(bool_and(state <> 'opened'), false) as lost from dispute_unclaimed
     where charge_key = ${chargeKey} and acquirer = ${acquirer} and claimed_at is null and amount_minor > returned_minor`;
}

/** What was not sent because of a dispute; nearly always nothing. */
export function listWaitingForDisputes(sql: Sql): Promise<Outgoing[]> {
  return sql.many(outgoingRefundTable.read)`
    select * from outgoing_refund
     where parked_at is not null and parked_why = 'return_disputed' and state = 'sent' order by id`;
}

/**
 * Which of these charges go back as surplus. Call it while holding their locks: inside the locking query, a node that
 * waited for the lock would still see the old snapshot.
 */
export function listSurplusOf(sql: Sql, chargeIds: readonly string[]): Promise<string[]> {
  return sql.many((row) => readText(row, 'subject_id'))`
    select subject_id from outgoing_refund where subject_id = any(${chargeIds}::text[]) and purpose = 'surplus'`;
}

const changeColumns = outgoingRefundTable.types(
  'id',
  'state',
  'sentAt',
  'doneAt',
  'cameBackAt',
  'withdrawnAt',
  'nextTryAt',
  'checks',
  'otherAmounts',
  'parkedAt',
  'parkedWhy',
  'refusedWhy',
);

type OutgoingChange = Given<Outgoing, typeof changeColumns>;

/** Writes outgoing refunds after their steps in one statement; the caller holds their locks. */
export async function updateOutgoing(sql: Sql, changes: readonly OutgoingChange[]): Promise<void> {
  await outgoingRefundTable.update(sql, changes, changeColumns);
}

/** Removes an ended one from the operator's list. */
export async function updateUnparked(sql: Sql, id: string): Promise<void> {
  await sql.run`
    update outgoing_refund set parked_at = null, parked_why = null where id = ${id} and state = 'done'`;
}

/** Why the bank declined it, if it did and said so. */
export async function findRefusedWhy(sql: Sql, key: string): Promise<Outgoing['refusedWhy']> {
  const found = await sql.maybeOne(outgoingRefundTable.read)`select * from outgoing_refund where id = ${key}`;
  return found?.refusedWhy ?? null;
}

export interface ParkedOutgoing extends ParkedItem, Pick<Outgoing, 'acquirer' | 'chargeKey'> {
  readonly purpose: Purpose;
  readonly state: OutgoingState;
}

function readParked(row: Row): ParkedOutgoing {
  const purpose = readText(row, 'kind') as Purpose;
  const [acquirer, chargeKey] = [readText(row, 'acquirer'), readText(row, 'charge_key')];
  return { ...readParkedItem(row), acquirer, chargeKey, purpose, state: readText(row, 'state') as OutgoingState };
}

/** What waits for an operator, oldest first, at most 1,000. */
export function listParked(sql: Sql): Promise<ParkedOutgoing[]> {
  return sql.many(readParked)`
    select id::text, acquirer, charge_key, purpose as kind, state, amount_minor, parked_why, parked_at from outgoing_refund
     where parked_at is not null order by parked_at, id limit 1000`;
}

/** One that is parked, by id, however many there are. */
export function findParked(sql: Sql, id: string): Promise<ParkedOutgoing | undefined> {
  return sql.maybeOne(readParked)`
    select id::text, acquirer, charge_key, purpose as kind, state, amount_minor, parked_why, parked_at from outgoing_refund
     where id = ${id} and parked_at is not null`;
}

/**
 * Parks what must not be sent, or whose result cannot be written, so that an operator sees it; also instead of what was to go on
 * after a dispute.
 */
export async function parkOutgoing(
  sql: Sql,
  ids: readonly string[],
  why: UnresolvedCode,
  at: Temporal.Instant,
): Promise<void> {
  await sql.run`
    update outgoing_refund set parked_at = ${at}, parked_why = ${why}, next_try_at = null
     where id = any(${ids}::text[]) and state = 'sent' and (parked_at is null or parked_why = 'return_disputed')`;
}

export const outgoingDue = dueBy('outgoing_refund', 'next_try_at');
