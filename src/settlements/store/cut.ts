// SQL of cutting. Owns: settlement, settlement_last, settlement_wanted, settlement_month.

import {
  type Given,
  given,
  type RowOf,
  readBigint,
  readBoolean,
  readDay,
  readInstantOrNull,
  readInteger,
  readText,
  readTextOrNull,
  type Sql,
} from '../../database/index.ts';
import { type AccountId, knownId } from '../../kernel/index.ts';
import type { Waiting } from '../../runtime/index.ts';
import { settlementTable, settlementWantedTable } from '../table.ts';

export type Settlement = RowOf<typeof settlementTable>;
export type Wanted = RowOf<typeof settlementWantedTable>;

/** Lock of the node that cuts, until the end of the database transaction; false if another node holds it. */
export function tryCutLock(sql: Sql): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'locked'))`select pg_try_advisory_xact_lock(7261508131) as locked`;
}

/** Up to which seal the moves of accounts are known. */
export function findReadPosition(sql: Sql): Promise<bigint> {
  return sql.one((row) => readBigint(row, 'position'))`
    select position from panel_progress where reader = 'journals'`;
}

/**
 * Whether all that was posted before a moment is known: what was read last came after it, or nothing else is there. Journals
 * are sealed in their order but for some seconds.
 */
export function isReadSince(sql: Sql, moment: Temporal.Instant): Promise<boolean> {
  return sql.one((row) => readBoolean(row, 'is_read'))`
    with reached as materialized (select position from panel_progress where reader = 'journals')
    select exists (select from reached join journal_seal as seal using (position) join journal on journal.id = seal.journal_id
                    where journal.posted_at >= ${moment})
        or not exists (select from journal_seal where position > (select position from reached))
           and not exists (select from journal_unsealed) as is_read`;
}

/** Those that are there already stay as they are. */
export async function insertWanted(sql: Sql, wanted: readonly Wanted[]): Promise<void> {
  await sql.run`
    insert into settlement_wanted (${settlementWantedTable.names})
    select ${settlementWantedTable.names}
      from ${given(wanted.map(settlementWantedTable.flat), settlementWantedTable.types())}
     order by payout_id
    on conflict (payout_id) do nothing`;
}

/** Up to where the settlement of an account goes. */
export interface Cut {
  readonly accountId: AccountId;
  readonly untilPosition: bigint;
  readonly payoutId: string | null;
}

/**
 * Payouts whose journal is known by now, the oldest first, one for each account, at most so many. Those of an account follow
 * each other in the order of their journals.
 */
export function listWanted(sql: Sql, readTo: bigint, atMost: number): Promise<(Cut & { readonly payoutId: string })[]> {
  return sql.many((row) => ({
    accountId: knownId<AccountId>(readText(row, 'account_id')),
    untilPosition: readBigint(row, 'position'),
    payoutId: readText(row, 'payout_id'),
  }))`
    select distinct on (account_id) account_id, payout_id, position from (
      select wanted.account_id, wanted.payout_id, seal.position
        from settlement_wanted as wanted
        join journal on journal.source = wanted.payout_id and journal.kind = 'payout created'
        join journal_seal as seal on seal.journal_id = journal.id
       where seal.position <= ${readTo}
       order by wanted.payout_id limit ${atMost}) as known
     order by account_id, position`;
}

export async function deleteWanted(sql: Sql, payoutIds: readonly string[]): Promise<void> {
  await sql.run`delete from settlement_wanted where payout_id = any(${payoutIds}::text[])`;
}

/** How many payouts wait for their settlement, and since when. */
export function findWaiting(sql: Sql): Promise<Waiting> {
  return sql.one((row) => ({ due: readInteger(row, 'due'), oldestAt: readInstantOrNull(row, 'oldest_at') }))`
    select count(*)::integer as due, min(created_at) as oldest_at from settlement_wanted`;
}

const cutColumns = settlementTable.types('id', 'accountId', 'untilPosition', 'payoutId', 'reason', 'createdAt');
export type NewCut = Given<Settlement, typeof cutColumns>;

/**
 * Cuts one settlement for each of these accounts, from where its last one ended; accounts without a line since then get none.
 * Only under the lock. Reads each move once in its life.
 */
export function insertSettlements(sql: Sql, cuts: readonly NewCut[]): Promise<Settlement[]> {
  return sql.many(settlementTable.read)`
    with begun as materialized (
      select given.*, coalesce(last.number, 0) + 1 as number, last.number as previous,
             coalesce(last.until_position, 0) as after_position, coalesce(last.closing_minor, 0) as opening_minor
        from ${given(cuts, cutColumns)}
        left join settlement_last as last on last.account_id = given.account_id
    ), inserted as (
      insert into settlement (${settlementTable.names})
      select begun.id, begun.account_id, begun.number, begun.previous, begun.after_position, begun.until_position,
             begun.opening_minor, summed.lines, summed.amount, summed.fee, summed.commission, summed.other,
             begun.opening_minor + summed.amount + summed.fee + summed.commission + summed.other,
             summed.first_at, summed.last_at, begun.reason, begun.payout_id, begun.created_at
        from begun cross join lateral (
          select count(*)::integer as lines, sum(amount_minor)::bigint as amount, sum(fee_minor)::bigint as fee,
                 sum(commission_minor)::bigint as commission, sum(other_minor)::bigint as other,
                 min(posted_at) as first_at, max(posted_at) as last_at
            from panel_move as move
           where move.account_id = begun.account_id
             and move.position > begun.after_position and move.position <= begun.until_position) as summed
       where summed.lines > 0
       order by begun.account_id
      returning *
    ), last as (
      insert into settlement_last (account_id, number, until_position, closing_minor, created_at)
      select account_id, number, until_position, closing_minor, created_at from inserted
      on conflict (account_id) do update
         set number = excluded.number, until_position = excluded.until_position, closing_minor = excluded.closing_minor,
             created_at = excluded.created_at
    )
    select * from inserted order by account_id`;
}

/** Those of these accounts of which no payout waits. */
export function listWithoutWanted(sql: Sql, accountIds: readonly AccountId[]): Promise<AccountId[]> {
  return sql.many((row) => knownId<AccountId>(readText(row, 'id')))`
    select id from unnest(${accountIds}::text[]) as asked (id)
     where not exists (select from settlement_wanted where account_id = asked.id) order by id`;
}

export function listAccountIdsAfter(sql: Sql, afterId: string, atMost: number): Promise<AccountId[]> {
  return sql.many((row) => knownId<AccountId>(readText(row, 'id')))`
    select id from account where id > ${afterId} order by id limit ${atMost}`;
}

/** An account whose month may be due. */
export interface Monthly {
  readonly accountId: AccountId;
  readonly zone: string;
  /** When its last settlement was cut, if that was not for a month. */
  readonly lastAt: Temporal.Instant | null;
}

/** The next accounts in the order of their ids. */
export function listAccountsAfter(sql: Sql, afterId: string, atMost: number): Promise<Monthly[]> {
  return sql.many((row) => ({
    accountId: knownId<AccountId>(readText(row, 'id')),
    zone: readText(row, 'zone'),
    lastAt: readInstantOrNull(row, 'last_at'),
  }))`
    select account.id, account.zone, settlement.created_at as last_at
      from account
      left join settlement_last as last on last.account_id = account.id
      left join settlement
             on settlement.account_id = last.account_id and settlement.number = last.number and settlement.reason <> 'month'
     where account.id > ${afterId} order by account.id limit ${atMost}`;
}

/** The last seal of each of these accounts that was posted before its moment; accounts without a new one are missing. */
export function listEnds(
  sql: Sql,
  asked: readonly { readonly accountId: AccountId; readonly before: Temporal.Instant }[],
): Promise<Cut[]> {
  const rows = asked.map(({ accountId, before }) => ({ accountId, before: before.toString() }));
  return sql.many((row) => ({
    accountId: knownId<AccountId>(readText(row, 'account_id')),
    untilPosition: readBigint(row, 'position'),
    payoutId: null,
  }))`
    select given.account_id, ended.position
      from ${given(rows, { accountId: 'text', before: 'timestamptz' })}
      left join settlement_last as last on last.account_id = given.account_id
      cross join lateral (
        select max(position) as position from panel_move as move
         where move.account_id = given.account_id and move.position > coalesce(last.until_position, 0)
           and move.posted_at < given.before) as ended
     where ended.position is not null order by given.account_id`;
}

export interface MonthPass {
  readonly month: Temporal.PlainDate;
  readonly afterId: string | null;
}

/** Undefined before the first. */
export function findMonth(sql: Sql): Promise<MonthPass | undefined> {
  return sql.maybeOne((row) => ({ month: readDay(row, 'month'), afterId: readTextOrNull(row, 'after_id') }))`
    select month, after_id from settlement_month`;
}

export async function upsertMonth(sql: Sql, { month, afterId }: MonthPass): Promise<void> {
  await sql.run`
    insert into settlement_month (month, first_month, after_id)
    values (${month.toString()}, ${month.toString()}, ${afterId})
    on conflict (only_row) do update set month = excluded.month, after_id = excluded.after_id`;
}

/** Whom a settlement is told. */
export interface Told {
  readonly accountId: AccountId;
  readonly email: string;
  readonly zone: string;
  /** Of its pay page. */
  readonly language: string | null;
  readonly mails: boolean;
  /** Where it wants to be told; null: nowhere. */
  readonly url: string | null;
}

export function listTold(sql: Sql, accountIds: readonly AccountId[]): Promise<Told[]> {
  return sql.many((row) => ({
    accountId: knownId<AccountId>(readText(row, 'id')),
    email: readText(row, 'email'),
    zone: readText(row, 'zone'),
    language: readTextOrNull(row, 'language'),
    mails: readBoolean(row, 'settlement_mails'),
    url: readTextOrNull(row, 'money_url'),
  }))`
    select account.id, account.email, account.zone, account.settlement_mails, account.money_url, pay_page.language
      from account left join pay_page on pay_page.account_id = account.id
     where account.id = any(${accountIds}::text[])`;
}
