// SQL of everything about one transaction. Reads only; each list is bounded.

import { readMessage } from '../../../contract/codes/message.ts';
import { type ParkReason, parkReasons } from '../../../contract/codes/parking.ts';
import type { RefundDeclineReason } from '../../../contract/codes/refund-declines.ts';
import type { deliveryStatuses } from '../../../contract/events.ts';
import type { attemptStates, initiators, mailStatuses, refundCancelers } from '../../../contract/panel/transactions.ts';
import type { recurringStatuses } from '../../../contract/recurring.ts';
import {
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readIntegerOrNull,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import type { AccountId, TransactionId } from '../../kernel/index.ts';

export interface Parked {
  readonly parkedAt: Temporal.Instant | null;
  readonly parkedWhy: ParkReason | null;
}

const readParked = (row: Row): Parked => ({
  parkedAt: readInstantOrNull(row, 'parked_at'),
  parkedWhy: row.parked_why === null ? null : readMessage(parkReasons, row.parked_why, {}),
});

/** The point of sale, what was refunded, and the fee of another refund. */
export interface Facts {
  readonly posName: string;
  readonly refundFeeMinor: bigint;
  readonly refundedMinor: bigint;
  /** What can no longer be refunded. */
  readonly goneMinor: bigint;
  /** What disputes took and have not given back. */
  readonly disputedMinor: bigint;
}

export function findFacts(sql: Sql, merchantId: AccountId, id: TransactionId): Promise<Facts> {
  return sql.one((row) => ({
    posName: readText(row, 'pos_name'),
    refundFeeMinor: readBigint(row, 'refund_fee_minor'),
    refundedMinor: readBigint(row, 'refunded_minor'),
    goneMinor: readBigint(row, 'gone_minor'),
    disputedMinor: readBigint(row, 'disputed_minor'),
  }))`
    select pos.name as pos_name, account.refund_fee_minor,
           coalesce(total.refunded_minor, 0) as refunded_minor,
           coalesce(total.refunded_minor + total.paid_late_minor, 0) as gone_minor,
           (select coalesce(sum(amount_minor - returned_minor), 0)::bigint from dispute
             where dispute.transaction_id = transaction.id) as disputed_minor
      from transaction
      join pos on pos.id = transaction.pos_id
      join account on account.id = transaction.merchant_id
      left join refund_total as total on total.transaction_id = transaction.id
     where transaction.id = ${id} and transaction.merchant_id is not distinct from ${merchantId}`;
}

export interface AttemptRow extends Parked {
  readonly id: string;
  readonly number: number;
  readonly state: (typeof attemptStates)[number];
  readonly reason: string | null;
  readonly channelId: number;
  readonly brand: string | null;
  readonly tail: string | null;
  readonly expiry: string | null;
  readonly initiator: (typeof initiators)[number];
  readonly acquirer: string;
  readonly amountMinor: bigint;
  readonly createdAt: Temporal.Instant;
  readonly settledAt: Temporal.Instant | null;
  readonly nextCheckAt: Temporal.Instant | null;
}

const readAttempt = (row: Row): AttemptRow => ({
  id: readText(row, 'id'),
  number: readInteger(row, 'number'),
  state: readText(row, 'state') as AttemptRow['state'],
  reason: readTextOrNull(row, 'reason'),
  channelId: readInteger(row, 'channel_id'),
  brand: readTextOrNull(row, 'brand'),
  tail: readTextOrNull(row, 'tail'),
  expiry: readTextOrNull(row, 'expiry'),
  initiator: readText(row, 'initiator') as AttemptRow['initiator'],
  acquirer: readText(row, 'acquirer'),
  amountMinor: readBigint(row, 'amount_minor'),
  createdAt: readInstant(row, 'created_at'),
  settledAt: readInstantOrNull(row, 'settled_at'),
  nextCheckAt: readInstantOrNull(row, 'next_check_at'),
  ...readParked(row),
});

/** The attempts of a transaction, in order; their number is bounded by its rules. Of cards only brand, tail and expiry. */
export function listAttemptsInFull(sql: Sql, id: TransactionId): Promise<AttemptRow[]> {
  return sql.many(readAttempt)`
    select attempt.id, attempt.number, attempt.state, attempt.reason, attempt.channel_id, card.brand, card.tail,
           card.expiry, attempt.initiator, attempt.acquirer, attempt.amount_minor, attempt.created_at, attempt.settled_at,
           attempt.next_check_at, attempt.parked_at, attempt.parked_why
      from charge as attempt left join card_token as card on card.token = attempt.card_token
     where attempt.transaction_id = ${id} and attempt.purpose = 'payment' order by attempt.number`;
}

/** The charge of a recurring payment that this transaction is; its attempt has the same id. */
export interface ChargeRow extends Parked {
  readonly recurringId: string;
  readonly description: string;
  readonly status: (typeof recurringStatuses)[number];
  readonly iteration: number;
  readonly attempt: number;
  readonly manual: boolean;
  readonly state: AttemptRow['state'];
  readonly reason: string | null;
  readonly channelId: number;
  readonly acquirer: string;
  readonly amountMinor: bigint;
  readonly createdAt: Temporal.Instant;
  readonly settledAt: Temporal.Instant | null;
  readonly nextCheckAt: Temporal.Instant | null;
}

export function findCharge(sql: Sql, id: TransactionId): Promise<ChargeRow | undefined> {
  return sql.maybeOne((row) => ({
    recurringId: readText(row, 'recurring_id'),
    description: readText(row, 'description'),
    status: readText(row, 'status') as ChargeRow['status'],
    iteration: readInteger(row, 'iteration'),
    attempt: readInteger(row, 'attempt'),
    manual: readBoolean(row, 'manual'),
    state: readText(row, 'state') as ChargeRow['state'],
    reason: readTextOrNull(row, 'reason'),
    channelId: readInteger(row, 'channel_id'),
    acquirer: readText(row, 'acquirer'),
    amountMinor: readBigint(row, 'amount_minor'),
    createdAt: readInstant(row, 'created_at'),
    settledAt: readInstantOrNull(row, 'settled_at'),
    nextCheckAt: readInstantOrNull(row, 'next_check_at'),
    ...readParked(row),
  }))`
    select charge.recurring_id, recurring.description, recurring.status, charge.iteration, charge.attempt, charge.manual,
           charge.state, charge.reason, charge.channel_id, charge.acquirer,
           charge.amount_minor, charge.created_at, charge.settled_at, charge.next_check_at, charge.parked_at,
           charge.parked_why
      from charge join recurring on recurring.id = charge.recurring_id
     where charge.id = ${id}`;
}

export interface RefundRow extends Parked {
  readonly id: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly createdAt: Temporal.Instant;
  readonly sentAt: Temporal.Instant | null;
  readonly processedAt: Temporal.Instant | null;
  readonly endedAt: Temporal.Instant | null;
  readonly paidLateAt: Temporal.Instant | null;
  readonly cameBackAt: Temporal.Instant | null;
  readonly canceledBy: (typeof refundCancelers)[number] | null;
  readonly refusedWhy: RefundDeclineReason | null;
  readonly nextStepAt: Temporal.Instant | null;
}

/** The newest 200 refunds, newest first. */
export function listRefundsOf(sql: Sql, id: TransactionId): Promise<RefundRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    status: readText(row, 'status'),
    amountMinor: readBigint(row, 'amount_minor'),
    feeMinor: readBigint(row, 'fee_minor'),
    createdAt: readInstant(row, 'created_at'),
    sentAt: readInstantOrNull(row, 'sent_at'),
    processedAt: readInstantOrNull(row, 'processed_at'),
    endedAt: readInstantOrNull(row, 'ended_at'),
    paidLateAt: readInstantOrNull(row, 'paid_late_at'),
    cameBackAt: readInstantOrNull(row, 'came_back_at'),
    canceledBy: readTextOrNull(row, 'canceled_by') as RefundRow['canceledBy'],
    refusedWhy: readTextOrNull(row, 'refused_why') as RefundRow['refusedWhy'],
    nextStepAt: readInstantOrNull(row, 'next_try_at'),
    ...readParked(row),
  }))`
    select refund.id, refund.status, refund.amount_minor, refund.fee_minor, refund.created_at, outgoing.sent_at,
           refund.processed_at, refund.ended_at, refund.paid_late_at, refund.came_back_at, refund.canceled_by, outgoing.next_try_at,
           outgoing.parked_at, outgoing.parked_why, outgoing.refused_why
      from refund left join outgoing_refund as outgoing on outgoing.id = refund.id
     where refund.transaction_id = ${id} order by refund.number desc limit 200`;
}

export interface SurplusRow extends Parked {
  readonly attemptId: string;
  readonly amountMinor: bigint;
  readonly createdAt: Temporal.Instant;
  readonly doneAt: Temporal.Instant | null;
  readonly withdrawnAt: Temporal.Instant | null;
}

/** What goes back to the payer of these attempts: at most one each. */
export function listSurpluses(sql: Sql, attemptIds: readonly string[]): Promise<SurplusRow[]> {
  return sql.many((row) => ({
    attemptId: readText(row, 'subject_id'),
    amountMinor: readBigint(row, 'amount_minor'),
    createdAt: readInstant(row, 'created_at'),
    doneAt: readInstantOrNull(row, 'done_at'),
    withdrawnAt: readInstantOrNull(row, 'withdrawn_at'),
    ...readParked(row),
  }))`
    select subject_id, amount_minor, created_at, done_at, withdrawn_at, parked_at, parked_why from outgoing_refund
     where subject_id = any(${attemptIds}::text[]) and purpose = 'surplus' order by created_at`;
}

export interface EntryRow {
  readonly account: string;
  readonly amountMinor: bigint;
  /** Of the merchant whose balance it is. */
  readonly merchantName: string | null;
}

export interface JournalRow {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly postedAt: Temporal.Instant;
  readonly entries: readonly EntryRow[];
}

interface EntryJson {
  readonly account: string;
  readonly minor: string;
  readonly name: string | null;
}

/** The journals about these attempts, refunds and steps of disputes with their entries, in order: at most four of each. */
export function listJournals(sql: Sql, sources: readonly string[]): Promise<JournalRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    kind: readText(row, 'kind'),
    source: readText(row, 'source'),
    postedAt: readInstant(row, 'posted_at'),
    entries: (JSON.parse(readText(row, 'entries')) as EntryJson[]).map(({ account, minor, name }) => ({
      account,
      amountMinor: BigInt(minor),
      merchantName: name,
    })),
  }))`
    select journal.id, journal.kind, journal.source, journal.posted_at, entries.entries
      from journal
     cross join lateral (
       select coalesce(json_agg(json_build_object('account', entry.account, 'minor', entry.amount_minor::text,
                                                  'name', account.name) order by entry.line), '[]')::text as entries
         from entry left join account on account.id = split_part(entry.account, ':', 2)
        where entry.journal_id = journal.id) as entries
     where journal.source = any(${sources}::text[])
     order by journal.posted_at, journal.id`;
}

export interface TryRow {
  readonly number: number;
  readonly at: Temporal.Instant;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
}

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly subjectId: string;
  readonly url: string | null;
  readonly status: (typeof deliveryStatuses)[number];
  readonly createdAt: Temporal.Instant;
  readonly nextTryAt: Temporal.Instant | null;
  readonly deliveredAt: Temporal.Instant | null;
}

/** The newest 200 numbered events about the transaction, its refunds and disputes, of this account, newest first. */
export function listEventsOf(sql: Sql, accountId: AccountId, subjects: readonly string[]): Promise<EventRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    type: readText(row, 'type'),
    subjectId: readText(row, 'subject_id'),
    url: readTextOrNull(row, 'url'),
    status: readText(row, 'status') as EventRow['status'],
    createdAt: readInstant(row, 'created_at'),
    nextTryAt: readInstantOrNull(row, 'next_try_at'),
    deliveredAt: readInstantOrNull(row, 'delivered_at'),
  }))`
    select event.id, event.type, event.subject_id, event.url, coalesce(delivery.status, 'no_address') as status,
           event.created_at, delivery.next_try_at, delivery.delivered_at
      from event
      join event_position as numbered on numbered.event_id = event.id
      left join delivery on delivery.event_id = event.id
     where event.subject_id = any(${subjects}::text[]) and event.account_id = ${accountId}
     order by numbered.position desc limit 200`;
}

/** The last 20 tries of each of these events, in order. */
export function listTriesOf(sql: Sql, eventIds: readonly string[]): Promise<(TryRow & { readonly eventId: string })[]> {
  return sql.many((row) => ({
    eventId: readText(row, 'event_id'),
    number: readInteger(row, 'number'),
    at: readInstant(row, 'at'),
    status: readIntegerOrNull(row, 'status'),
    error: readTextOrNull(row, 'error'),
    milliseconds: readInteger(row, 'milliseconds'),
  }))`
    select latest.* from unnest(${eventIds}::text[]) as wanted (event_id)
     cross join lateral (
       select event_id, number, at, status, error, milliseconds from delivery_try
        where event_id = wanted.event_id order by number desc limit 20) as latest
     order by latest.event_id, latest.number`;
}

export interface PartRow {
  readonly id: string;
  readonly number: number;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly description: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly commissionMinor: bigint;
  readonly refundedMinor: bigint;
}

/** The parts of a marketplace transaction, in order; their number is bounded by its rules. */
export function listPartsOf(sql: Sql, id: TransactionId): Promise<PartRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    number: readInteger(row, 'number'),
    sellerId: readText(row, 'merchant_id'),
    sellerName: readText(row, 'name'),
    description: readText(row, 'description'),
    amountMinor: readBigint(row, 'amount_minor'),
    feeMinor: readBigint(row, 'fee_minor'),
    commissionMinor: readBigint(row, 'commission_minor'),
    refundedMinor: readBigint(row, 'refunded_minor'),
  }))`
    select part.id, part.number, part.merchant_id, account.name, part.description, part.amount_minor, part.fee_minor,
           part.commission_minor, coalesce(total.refunded_minor, 0) as refunded_minor
      from transaction_part as part
      join account on account.id = part.merchant_id
      left join part_refund_total as total on total.part_id = part.id
     where part.transaction_id = ${id} order by part.number`;
}

export interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly status: (typeof mailStatuses)[number];
  readonly createdAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | null;
}

/** Mails about the transaction, its refunds and disputes, oldest first, at most 200. */
export function listMailsOf(sql: Sql, subjects: readonly string[]): Promise<MailRow[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    recipient: readText(row, 'recipient'),
    subject: readText(row, 'subject'),
    status: readText(row, 'status') as MailRow['status'],
    createdAt: readInstant(row, 'created_at'),
    endedAt: readInstantOrNull(row, 'ended_at'),
  }))`
    select id, recipient, subject, status, created_at, ended_at
      from mail where subject_id = any(${subjects}::text[]) order by id limit 200`;
}
