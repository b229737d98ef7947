// SQL that checks payouts against their bank accounts, their runs and the ledger; read-only, a page at a time; for
// `grosz verify`.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import {
  messageReader,
  type Page,
  type Row,
  readText,
  readTextOrNull,
  type Since,
  type Sql,
  SqlText,
  sqlPart,
} from '../../database/index.ts';
import { type Founded, ledgerAccounts, type Summed, saying } from '../../ledger/index.ts';
import type { PayoutAccount, PayoutBlock, PayoutTerms } from '../model.ts';
import { payoutAccountTable, payoutBlockTable, payoutTermsTable } from '../table.ts';

const { bankClient, bankFee, payoutFee } = ledgerAccounts;

const kinds = [
  'payout created',
  'payout returned',
  'payout paid',
  'payout paid after all',
  'payout sent back',
  'payout move undone',
] as const;

/** The journal of a movement `move`. */
const kindOfMove = new SqlText(`
  case move.kind when 'paid' then 'payout paid' when 'paid_after_all' then 'payout paid after all'
                 when 'sent_back' then 'payout sent back' else 'payout move undone' end`);

/** Payouts that the bank moved since. */
const movedSince = ({ id, sources }: Since) => sqlPart`
  select payout_id from payout_move where id > ${id} or id = any(${sources}::text[])`;

const idOf = (row: Row) => readText(row, 'id');

/** Payouts that were made or booked since, and those that are open. */
export function listPayoutsSince(sql: Sql, since: Since): Promise<string[]> {
  const { id, sources } = since;
  return sql.many(idOf)`
    select id from payout where id > ${id}
    union select id from payout where id = any(${sources}::text[])
    union (${movedSince(since)})
    union select id from payout where state in ('created', 'approved', 'sent')`;
}

/** Bank accounts that were given, verified or replaced since, and those of accounts with open payouts, whatever they say. */
export function listAccountsSince(sql: Sql, { at }: Since): Promise<string[]> {
  return sql.many(idOf)`
    select id from payout_account where given_at >= ${at} or verified_at >= ${at} or replaced_at >= ${at}
    union select payout_account_id from payout where state in ('created', 'approved', 'sent')
    union select place.id
      from payout join payout_account as place on place.account_id = payout.account_id and place.replaced_at is null
     where payout.state in ('created', 'approved', 'sent')`;
}

/** Terms that were changed since, and those of accounts with open payouts, whatever they say. */
export function listTermsSince(sql: Sql, { at }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'account_id'))`
    select account_id from payout_terms where modified_at >= ${at}
    union select account_id from payout where state in ('created', 'approved', 'sent')`;
}

/** Blocks that were begun or ended since, and those that go on. */
export function listBlocksSince(sql: Sql, { at }: Since): Promise<string[]> {
  return sql.many(idOf)`
    select id from payout_block where blocked_at >= ${at} or released_at >= ${at} or released_at is null`;
}

export function listRunsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many(idOf)`
    select id from payout_run where id > ${id} or ended_at is null
    union select run_id from payout where id > ${id} and run_id is not null`;
}

/** Accounts whose payouts were made or booked since. */
export function listPaidAccountsSince(sql: Sql, since: Since): Promise<string[]> {
  const { id, sources } = since;
  return sql.many((row) => readText(row, 'account_id'))`
    select account_id from payout where id > ${id}
    union select account_id from payout where id = any(${sources}::text[])
    union select account_id from payout where id in (${movedSince(since)})
    union select account_id from payout where state in ('created', 'approved', 'sent')`;
}

/**
 * Payouts of a page whose journals are not those of their state and of what the bank moved, whose movements do not follow each
 * other or are of another amount, and those that were made or approved although their bank account did not allow it.
 */
export function listWrongPayouts(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with moved as (
      select move.*, lag(move.state_after) over following as after_last, lag(move.number) over following as last_number,
             lead(move.id) over following is null as is_last,
             undone.transit_minor as undone_transit, undone.available_minor + undone.owed_minor as undone_taken,
             undone.fee_minor as undone_fee, undone.payout_id as undone_payout, undone.state_before as undone_state
        from payout_move as move left join payout_move as undone on undone.id = move.undoes
       where ${page.of('move.payout_id')}
      window following as (partition by move.payout_id order by move.number)
    ), moves as (
      select move.payout_id, count(*) as count, string_agg(${kindOfMove}, ', ' order by ${kindOfMove}) as kinds,
             max(move.state_after) filter (where is_last) as last_state,
             bool_or(move.number <> coalesce(last_number, 0) + 1
                     or (coalesce(after_last, '') in ('paid', 'returned') or move.state_before in ('paid', 'returned'))
                        and after_last is distinct from move.state_before
                     or case move.kind
                          when 'paid' then move.transit_minor <> payout.amount_minor
                          when 'paid_after_all' then move.available_minor + move.owed_minor <> payout.amount_minor
                          when 'sent_back' then move.available_minor + move.owed_minor <> -payout.amount_minor
                          else (move.undone_payout, move.undone_state, move.undone_transit, move.undone_taken, move.undone_fee)
                               is distinct from (move.payout_id, move.state_after, -move.transit_minor,
                                                 -move.available_minor - move.owed_minor, -move.fee_minor) end) as is_wrong
        from moved as move join payout on payout.id = move.payout_id
       group by move.payout_id
    ), booked as (
      select payout_id, string_agg(kind, ', ' order by kind) as kinds
        from (select source as payout_id, kind from journal
               where source = any (array (select id from payout where ${page.of('payout.id')})) and kind = any(${kinds}::text[])
              union all
              select move.payout_id, journal.kind from moved as move join journal on journal.source = move.id) as journals
       group by payout_id
    ), found as (
      select payout.id, payout.state, coalesce(booked.kinds, 'none') as kinds,
             coalesce(booked.kinds, 'none')
               <> (select string_agg(kind, ', ' order by kind)
                     from (select 'payout created' as kind
                           union all select 'payout returned' where payout.given_back_at is not null
                           union all select ${kindOfMove} from moved as move where move.payout_id = payout.id) as expected)
             or payout.moves <> coalesce(moves.count, 0) or coalesce(moves.is_wrong, false)
             or (payout.state in ('paid', 'returned') or moves.last_state in ('paid', 'returned'))
                and payout.state is distinct from moves.last_state as is_misbooked,
             (place.account_id = payout.account_id and place.verified_at <= payout.created_at
              and place.hold_until <= payout.created_at
              and (place.replaced_at is null or place.replaced_at >= coalesce(payout.approved_at, payout.created_at))
              and not exists (
                select from payout_block as block
                 where block.account_id = payout.account_id
                   and (block.blocked_at < payout.created_at
                        and payout.created_at < coalesce(block.released_at, 'infinity')
                        or block.blocked_at < payout.approved_at
                        and payout.approved_at < coalesce(block.released_at, 'infinity'))))
               is true as is_allowed
        from payout
        left join booked on booked.payout_id = payout.id
        left join moves on moves.payout_id = payout.id
        left join payout_account as place on place.id = payout.payout_account_id
       where ${page.of('payout.id')}
    )
    select 'payout_booked_otherwise' as code,
           jsonb_build_object('id', id, 'state', state, 'journals', kinds) as parameters
      from found where is_misbooked
    union all
    select 'payout_not_allowed', jsonb_build_object('id', id) from found where not is_allowed`;
}

/** Where a payout goes, as it says itself and as its bank account says. */
export interface Destination {
  readonly id: string;
  readonly holder: string;
  readonly numberEnding: string;
  readonly numberSealed: string;
  /** Null: there is none. */
  readonly place: Pick<PayoutAccount, 'id' | 'holder' | 'numberEnding' | 'numberSealed'> | null;
}

export function listDestinations(sql: Sql, page: Page): Promise<Destination[]> {
  return sql.many(readDestination)`
    select payout.id, payout.holder, payout.number_ending, payout.number_sealed, ${payoutAccountTable.selected('place', 'place_')}
      from payout left join payout_account as place on place.id = payout.payout_account_id
     where ${page.of('payout.id')}`;
}

const readPlace = payoutAccountTable.reader('place_');

function readDestination(row: Row): Destination {
  return {
    id: readText(row, 'id'),
    holder: readText(row, 'holder'),
    numberEnding: readText(row, 'number_ending'),
    numberSealed: readText(row, 'number_sealed'),
    place: readTextOrNull(row, 'place_id') === null ? null : readPlace(row),
  };
}

export function listPayoutAccountsIn(sql: Sql, page: Page): Promise<PayoutAccount[]> {
  return sql.many(payoutAccountTable.read)`select * from payout_account where ${page.of('id')}`;
}

export function listTermsIn(sql: Sql, page: Page): Promise<PayoutTerms[]> {
  return sql.many(payoutTermsTable.read)`select * from payout_terms where ${page.of('account_id')}`;
}

export function listBlocksIn(sql: Sql, page: Page): Promise<PayoutBlock[]> {
  return sql.many(payoutBlockTable.read)`select * from payout_block where ${page.of('id')}`;
}

/** Accounts of a page whose terms and whose history do not agree about whether they are blocked. */
export function listOtherwiseBlocked(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'payout_block_differs' as code, jsonb_build_object('accountId', terms.account_id) as parameters
      from payout_terms as terms
      left join payout_block as block on block.account_id = terms.account_id and block.released_at is null
     where ${page.of('terms.account_id')}
       and (terms.blocked_at, terms.blocked_by) is distinct from (block.blocked_at, block.blocked_by)
     order by terms.account_id`;
}

/**
 * Accounts of which the audit log has more blocks or releases of an operator than their history: both were put back as they
 * once were. The log has an outcome only after the history was written.
 */
export function listForgottenBlocks(sql: Sql, limit: number): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with logged as (
      select entry.account_id, lower(entry.email) as email, entry.action, count(*) as times
        from audit_entry as entry
        join audit_entry as outcome on outcome.of_position = entry.position and outcome.outcome = 'ok'
       where entry.action in ('block_payouts', 'release_payouts') and entry.account_id is not null
       group by 1, 2, 3
    ), kept as (
      select account_id, lower(blocked_by) as email, 'block_payouts' as action, count(*) as times from payout_block group by 1, 2
      union all
      select account_id, lower(released_by), 'release_payouts', count(*) from payout_block where released_by is not null group by 1, 2
    )
    select 'payout_block_forgotten' as code,
           jsonb_build_object('accountId', account_id, 'email', email) as parameters
      from logged left join kept using (account_id, email, action)
     where logged.times > coalesce(kept.times, 0)
     order by account_id, email limit ${limit}`;
}

/** Runs of a page that have other payouts than they say. */
export function listWrongRuns(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'payout_run_differs' as code,
           jsonb_build_object('id', coalesce(run.id, there.run_id), 'payouts', coalesce(there.count, 0),
                              'total', coalesce(there.total, 0)::text) as parameters
      from (select * from payout_run where ${page.of('payout_run.id')}) as run
      full join (select run_id, count(*) as count, sum(amount_minor) as total, max(account_id) as last
                   from payout where ${page.of('payout.run_id')} group by run_id) as there on there.run_id = run.id
     where run.payouts is distinct from coalesce(there.count, 0) or run.total_minor is distinct from coalesce(there.total, 0)
        or run.reached < there.last`;
}

/** Accounts of a page that have something else in payouts than their open payouts come to. */
export function listWrongTransits(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with open as (
      select account_id, sum(amount_minor) as minor from payout
       where ${page.of('payout.account_id')} and state in ('created', 'approved', 'sent') group by account_id
    )
    select 'payout_transit_differs' as code,
           jsonb_build_object('account', account.id, 'held', coalesce(balance.balance_minor, 0)::text,
                              'open', coalesce(open.minor, 0)::text) as parameters
      from account
      left join ledger_balance as balance on balance.account = 'merchant:' || account.id || ':payout_transit'
      left join open on open.account_id = account.id
     where ${page.of('account.id')} and coalesce(balance.balance_minor, 0) <> coalesce(open.minor, 0)`;
}

const given = new SqlText(`
  select case posted.kind when 'payout created' then 1 else -1 end as sign`);

/** Each journal with the payout, or the movement of the bank, that posted it. */
export const payoutJournals: Founded = {
  kinds,
  agreeing: sqlPart`
    select posted.id as journal_id,
           payout.currency = posted.currency
           and posted.posted_at = case posted.kind when 'payout created' then payout.created_at else payout.given_back_at end
           and booked.said = ${saying(sqlPart`
                 values ('merchant:' || payout.account_id || ':available', given.sign * (payout.amount_minor + payout.fee_minor)),
                        ('merchant:' || payout.account_id || ':payout_transit', -given.sign * payout.amount_minor),
                        (${payoutFee}, -given.sign * payout.fee_minor)`)} as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join payout on payout.id = posted.source
     cross join lateral (${given}) as given
     where posted.kind in ('payout created', 'payout returned')
    union all
    select posted.id, payout.currency = posted.currency and posted.posted_at = move.at and posted.kind = ${kindOfMove}
           and booked.said = ${saying(sqlPart`
                 values ('merchant:' || payout.account_id || ':payout_transit', move.transit_minor),
                        ('merchant:' || payout.account_id || ':available', move.available_minor),
                        ('merchant:' || payout.account_id || ':owed', move.owed_minor),
                        (${bankFee}, move.fee_minor), (${bankClient}, move.bank_minor)`)}
      from posted
      join booked on booked.journal_id = posted.id
      join payout_move as move on move.id = posted.source
      join payout on payout.id = move.payout_id
     where posted.kind = any(${kinds}::text[]) and posted.kind not in ('payout created', 'payout returned')`,
};

/** What payouts took from our bank account, what the bank kept of those that came back, and the fees, is what rows say. */
export const payoutSums: Summed = {
  kinds,
  accounts: [bankClient, bankFee, payoutFee],
  expected: sqlPart`
    select ${bankClient}::text as account, sum(bank_minor) as minor from payout_move
    union all
    select ${bankFee}::text, sum(fee_minor) from payout_move
    union all
    select ${payoutFee}::text, -sum(fee_minor) from payout where given_back_at is null`,
};
