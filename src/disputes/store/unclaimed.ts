// SQL of disputes that no merchant bears. Owns: dispute_unclaimed, dispute_loss.

import { type ParkedItem, readParkedItem } from '../../banking/index.ts';
import { type RowOf, readBigint, readBoolean, type Sql, sqlPart } from '../../database/index.ts';
import type { About, Unclaimed } from '../model.ts';
import { disputeLossTable, disputeUnclaimedTable } from '../table.ts';
import { keptOf } from './disputes.ts';

/** False: it is known already. */
export async function insertUnclaimed(sql: Sql, row: Unclaimed): Promise<boolean> {
  const found = await sql.maybeOne((one) => one.id)`
    insert into dispute_unclaimed (id, acquirer, key, charge_key, currency, amount_minor, returned_minor, state, reason,
                                   respond_until, said_at, heard_at, park_at)
    values (${row.id}, ${row.acquirer}, ${row.key}, ${row.chargeKey}, ${row.currency}, ${row.amountMinor},
            ${row.returnedMinor}, ${row.state}, ${row.reason}, ${row.respondUntil}, ${row.saidAt}, ${row.heardAt}, ${row.parkAt})
    on conflict do nothing returning id`;
  return found !== undefined;
}

/** Locks one that is not claimed. */
export function lockUnclaimed(sql: Sql, acquirer: string, key: string): Promise<Unclaimed | undefined> {
  return sql.maybeOne(disputeUnclaimedTable.read)`
    select * from dispute_unclaimed where acquirer = ${acquirer} and key = ${key} and claimed_at is null for update`;
}

/** Locks one that is not claimed with all others of its charge, in id order: they share the money of their payer. */
export async function lockUnclaimedById(sql: Sql, id: string): Promise<Unclaimed | undefined> {
  const rows = await sql.many(disputeUnclaimedTable.read)`
    select * from dispute_unclaimed
     where (charge_key, acquirer) = (select charge_key, acquirer from dispute_unclaimed where id = ${id})
       and claimed_at is null
     order by id for update`;
  return rows.find((row) => row.id === id);
}

/**
 * What we have of the payer's money of a charge, because it was not sent to a payer who got it by a dispute, and what no
 * dispute has taken yet. The caller has locked the disputes of the charge.
 */
export function findUncovered(sql: Sql, { acquirer, chargeKey }: About): Promise<bigint> {
  return sql.one((row) => readBigint(row, 'minor'))`
    select greatest(unsent.minor - taken.minor, 0)::bigint as minor
      from (select coalesce(sum(minor), 0) as minor
              from (select amount_minor as minor from outgoing_refund as outgoing
                     where outgoing.purpose = 'surplus' and outgoing.subject_id = ${chargeKey}
                       and outgoing.acquirer = ${acquirer} and outgoing.withdrawn_at is not null and outgoing.state = 'canceled'
                    union all
                    select bank_minor from reconciliation_item as item
                     where item.key = ${chargeKey} and item.acquirer = ${acquirer} and item.outcome = 'disputed') as one) as unsent
     cross join (select coalesce(sum(covered_minor), 0) as minor from dispute_unclaimed
                  where charge_key = ${chargeKey} and acquirer = ${acquirer} and claimed_at is null) as taken`;
}

/** Locks those of a charge by which its payer got money, in id order. */
export function lockUnclaimedOf(sql: Sql, acquirer: string, chargeKey: string): Promise<Unclaimed[]> {
  return sql.many(disputeUnclaimedTable.read)`
    select * from dispute_unclaimed
     where charge_key = ${chargeKey} and acquirer = ${acquirer} and claimed_at is null and amount_minor > returned_minor
     order by id for update`;
}

/** What the acquirer's lines have kept of it. */
export function findKept(sql: Sql, id: string): Promise<bigint> {
  return sql.one((row) => readBigint(row, 'kept'))`
    select kept from dispute_unclaimed ${keptOf('dispute_unclaimed')} where id = ${id}`;
}

/**
 * A page, by id, of those whose charge a merchant was paid for by now, and about which nobody has decided; not those whose
 * key is a dispute of another charge, nor those that the acquirer's lines name for another charge.
 */
export function listPaid(sql: Sql, after: string, limit: number): Promise<Unclaimed[]> {
  return sql.many(disputeUnclaimedTable.read)`
    select unclaimed.* from dispute_unclaimed as unclaimed
      join charge on charge.id = unclaimed.charge_key
     where claimed_at is null and lost_minor = 0 and unclaimed.id > ${after}
       and charge.state = 'correct' and charge.acquirer = unclaimed.acquirer
       and not exists (select from dispute
                        where dispute.acquirer = unclaimed.acquirer and dispute.key = unclaimed.key
                          and dispute.charge_id <> unclaimed.charge_key)
       and not exists (select from acquirer_line as line
                        where line.key = unclaimed.key and line.acquirer = unclaimed.acquirer
                          and line.kind in ('dispute', 'dispute_won') and line.charge_key <> unclaimed.charge_key)
     order by unclaimed.id limit ${limit}`;
}

/** Locks those that have waited too long and that nobody bears, in id order. */
export function lockLate(sql: Sql, now: Temporal.Instant, limit: number): Promise<Unclaimed[]> {
  return sql.many(disputeUnclaimedTable.read)`
    select * from dispute_unclaimed
     where claimed_at is null and parked_at is null and park_at <= ${now}
       and amount_minor - returned_minor <> greatest(lost_minor, 0)
     order by id limit ${limit} for update`;
}

export async function updateUnclaimed(sql: Sql, ...rows: readonly Unclaimed[]): Promise<void> {
  if (rows.length === 0) return;
  await disputeUnclaimedTable.update(
    sql,
    rows.map((row) => disputeUnclaimedTable.flat(row)),
    disputeUnclaimedTable.types(
      'id',
      'amountMinor',
      'returnedMinor',
      'state',
      'reason',
      'respondUntil',
      'saidAt',
      'parkAt',
      'parkedAt',
      'parkedWhy',
      'lostMinor',
      'coveredMinor',
    ),
  );
}

/** It is a dispute from now on. */
export async function updateClaimed(sql: Sql, id: string, at: Temporal.Instant): Promise<void> {
  await sql.run`
    update dispute_unclaimed set claimed_at = ${at}, parked_at = null, parked_why = null where id = ${id}`;
}

export async function insertLoss(sql: Sql, loss: RowOf<typeof disputeLossTable>): Promise<void> {
  await disputeLossTable.copy(sql, [loss]);
}

/** Whether the charge of `dispute_unclaimed` was paid back by us: as surplus, or as a capture that belonged to nobody. */
const paidBack = sqlPart`
  (exists (select from outgoing_refund as outgoing
            where outgoing.purpose = 'surplus' and outgoing.subject_id = dispute_unclaimed.charge_key
              and outgoing.acquirer = dispute_unclaimed.acquirer and outgoing.state = 'done' and outgoing.came_back_at is null)
   or exists (select from reconciliation_item as item
                join outgoing_refund as outgoing on outgoing.subject_id = item.id and outgoing.purpose = 'unallocated'
               where item.key = dispute_unclaimed.charge_key and item.acquirer = dispute_unclaimed.acquirer
                 and outgoing.state = 'done' and outgoing.came_back_at is null))`;

/** Whether we have paid this charge back. */
export function isPaidBack(sql: Sql, acquirer: string, chargeKey: string): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'paid_back'))`
    select ${paidBack} as paid_back
      from (values (${acquirer}::text, ${chargeKey}::text)) as dispute_unclaimed (acquirer, charge_key)`;
}

const parked = sqlPart`
  select id::text, 'dispute' as kind, parked_at,
         case when parked_why = 'dispute_unclaimed' and ${paidBack} then 'dispute_paid_back' else parked_why end as parked_why,
         case parked_why when 'dispute_unsettled' then abs(kept - lost_minor) else amount_minor - returned_minor end as amount_minor,
         case parked_why when 'dispute_unclaimed'
                         then jsonb_build_object('acquirer', acquirer, 'dispute', key, 'charge', charge_key) end as parameters
    from dispute_unclaimed ${keptOf('dispute_unclaimed')} where claimed_at is null and parked_at is not null`;

/** What waits for an operator, oldest first, at most 1,000. */
export function listUnclaimedParked(sql: Sql): Promise<ParkedItem[]> {
  return sql.many(readParkedItem)`${parked} order by parked_at, id limit 1000`;
}

export function findUnclaimedParked(sql: Sql, id: string): Promise<ParkedItem | undefined> {
  return sql.maybeOne(readParkedItem)`${parked} and id = ${id}`;
}
