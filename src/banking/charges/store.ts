// All SQL of charges. Owns: charge.

import type { UnresolvedCode } from '../../../contract/codes/parking.ts';
import {
  type DueBy,
  dueBy,
  type Given,
  givenByKey,
  type Row,
  readBoolean,
  readInstant,
  type Sql,
  SqlText,
} from '../../database/index.ts';
import { type ParkedItem, readParkedItem } from '../parking.ts';
import { chargeTable } from '../table.ts';
import type { Charge, ChargePurpose, SettlingCharge } from './model.ts';

/** The columns of a charge in a join, and their reader. */
export const chargeColumns = chargeTable.selected('charge', 'charge_');
export const readJoinedCharge = chargeTable.reader('charge_');

/** The types of columns, for statements of rooms above. */
export const chargeTypes = chargeTable.types;

/** What a new charge is where nothing else is said. Every purpose starts from it. */
export const blankCharge = {
  priceId: null,
  state: 'sent',
  reason: null,
  link: null,
  settledAt: null,
  checks: 0,
  timesNotFound: 0,
  otherAmounts: 0,
  neverSent: false,
  parkedAt: null,
  parkedWhy: null,
  number: null,
  cardBrand: null,
  cardTail: null,
  recurringId: null,
  iteration: null,
  attempt: null,
  manual: null,
  instrumentType: null,
  instrumentSealed: null,
  blikModel: null,
  blikNoDelay: null,
} as const satisfies Partial<Charge>;

/** Inserts charges that are about to be sent, all or none. */
export async function insertCharges(sql: Sql, charges: readonly Charge[]): Promise<void> {
  await chargeTable.copy(sql, charges);
}

/**
 * The end of a statement of a room above that starts payments: it locks and counts in its own tables, and a select of
 * these columns follows. One statement, because every round trip is time in which its row locks are held.
 */
export const insertPaymentCharges = new SqlText(`
  insert into charge (id, purpose, transaction_id, merchant_id, acquirer, amount_minor, currency, channel_id, card_token,
                      initiator, state, created_at, next_check_at, number, card_brand, card_tail)`);

const changeColumns = chargeTable.types(
  'id',
  'state',
  'reason',
  'link',
  'settledAt',
  'nextCheckAt',
  'checks',
  'timesNotFound',
  'otherAmounts',
  'neverSent',
  'parkedAt',
  'parkedWhy',
  'priceId',
);

type ChargeChange = Given<Charge, typeof changeColumns>;

function changeOf(charge: SettlingCharge): ChargeChange {
  const { id, state, reason, link, checks, timesNotFound, otherAmounts, neverSent, parkedWhy } = charge;
  return {
    id,
    state,
    reason,
    link,
    settledAt: charge.settledAt?.toString() ?? null,
    nextCheckAt: charge.nextCheckAt?.toString() ?? null,
    checks,
    timesNotFound,
    otherAmounts,
    neverSent,
    parkedAt: charge.parkedAt?.toString() ?? null,
    parkedWhy,
    priceId: charge.priceId ?? null,
  };
}

/**
 * Writes charges after their steps in one statement; a final state does not change. Open means settled_at is null: with
 * a condition on the state the planner scans the index of live and successful charges, which has nearly every one ever
 * made.
 */
export function updateCharges(sql: Sql, charges: readonly SettlingCharge[]): Promise<number> {
  return sql.run`
    update charge
       set state = given.state, reason = given.reason, link = given.link, settled_at = given.settled_at,
           next_check_at = given.next_check_at, checks = given.checks, times_not_found = given.times_not_found,
           other_amounts = given.other_amounts, never_sent = given.never_sent, parked_at = given.parked_at,
           parked_why = given.parked_why, price_id = coalesce(given.price_id, charge.price_id)
      from ${givenByKey(charges.map(changeOf), changeColumns)}
     where charge.id = given.id and charge.id = any(${charges.map(({ id }) => id)}::text[])
       and (charge.settled_at is null or charge.state = given.state)`;
}

export interface DueCharge {
  readonly charge: Charge;
  /** When it became due. */
  readonly dueAt: Temporal.Instant;
}

/** Claims charges of a purpose that are due for a lookup, oldest first; the lease is the time of the next lookup. */
export function claimDueCharges(
  sql: Sql,
  purpose: ChargePurpose,
  now: Temporal.Instant,
  leaseUntil: Temporal.Instant,
  limit: number,
): Promise<DueCharge[]> {
  return sql.many((row) => ({ charge: chargeTable.read(row), dueAt: readInstant(row, 'due_at') }))`
    with due as (
      select id, next_check_at as due_at from charge where purpose = ${purpose} and next_check_at <= ${now}
       order by next_check_at limit ${limit} for update skip locked
    )
    update charge set next_check_at = ${leaseUntil}
      from due where charge.id = due.id
    returning charge.*, due.due_at`;
}

export const chargesDue: Readonly<Record<ChargePurpose, DueBy>> = {
  payment: dueBy('charge', 'next_check_at', "purpose = 'payment'"),
  recurring: dueBy('charge', 'next_check_at', "purpose = 'recurring'"),
};

/** Makes the open payments of these transactions due now, so that the bank is told immediately. */
export function updatePaymentsDue(sql: Sql, transactionIds: readonly string[], now: Temporal.Instant): Promise<number> {
  return sql.run`
    update charge set next_check_at = ${now}
     where transaction_id = any(${transactionIds}::text[]) and purpose = 'payment' and settled_at is null
       and next_check_at > ${now}`;
}

/** Makes a charge that waits due to be looked up now. */
export async function updateWaitingDue(sql: Sql, id: string, now: Temporal.Instant): Promise<void> {
  await sql.run`
    update charge set next_check_at = ${now} where id = ${id} and state = 'waiting' and next_check_at > ${now}`;
}

/** Parks a charge whose result cannot be written, so that an operator sees it. Open charges only. */
export async function parkCharge(sql: Sql, id: string, why: UnresolvedCode, at: Temporal.Instant): Promise<void> {
  await sql.run`
    update charge set parked_at = ${at}, parked_why = ${why}, next_check_at = null
     where id = ${id} and settled_at is null and parked_at is null`;
}

/** Removes an ended charge from the operator's list. */
export async function updateUnparked(sql: Sql, id: string): Promise<void> {
  await sql.run`
    update charge set parked_at = null, parked_why = null where id = ${id} and state in ('failed', 'canceled')`;
}

/** Charges that wait for an operator, oldest first, bounded. */
export function listParkedCharges(sql: Sql): Promise<ParkedItem[]> {
  return sql.many(readParkedItem)`
    select id, case purpose when 'payment' then 'attempt' else 'charge' end as kind, amount_minor, parked_at, parked_why
      from charge where parked_at is not null order by parked_at limit 1000`;
}

/** One parked charge by id, however many there are. */
export function findParkedCharge(sql: Sql, id: string): Promise<ParkedItem | undefined> {
  return sql.maybeOne(readParkedItem)`
    select id, case purpose when 'payment' then 'attempt' else 'charge' end as kind, amount_minor, parked_at, parked_why
      from charge where id = ${id} and parked_at is not null`;
}

/** With whether its money was given back, as one captured too late or a second time. */
export type ListedCharge = Charge & { readonly givenBack: boolean };

function readListed(row: Row): ListedCharge {
  return { ...chargeTable.read(row), givenBack: readBoolean(row, 'given_back') };
}

/**
 * The charges of a transaction that its merchant sees, in order; their number is bounded. A recurring charge is seen when
 * it has moved money: until then, and if it failed, the recurring payment tells about it.
 */
export function listCharges(sql: Sql, transactionId: string): Promise<ListedCharge[]> {
  return sql.many(readListed)`
    select * from (
      select charge.*, exists (select from outgoing_refund where subject_id = charge.id and purpose = 'surplus') as given_back from charge
       where transaction_id = ${transactionId} and purpose = 'payment'
      union all
      select charge.*, exists (select from outgoing_refund where subject_id = charge.id and purpose = 'surplus') from charge
       where id = ${transactionId} and purpose = 'recurring') as listed
     where purpose = 'payment' or state = 'correct' or given_back
     order by number`;
}
