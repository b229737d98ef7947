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
import type { PayoutAccount, PayoutTerms } from '../model.ts';
import { payoutAccountTable, payoutTermsTable } from '../table.ts';

const { bankClient, payoutFee } = ledgerAccounts;

const kinds = ['payout created', 'payout returned', 'payout paid', 'payout sent back'] as const;

const idOf = (row: Row) => readText(row, 'id');

/** Payouts that were made or booked since, and those that are open. */
export function listPayoutsSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many(idOf)`
    select id from payout where id > ${id}
    union select id from payout where id = any(${sources}::text[])
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

export function listRunsSince(sql: Sql, { id }: Since): Promise<string[]> {
  return sql.many(idOf)`
    select id from payout_run where id > ${id} or ended_at is null
    union select run_id from payout where id > ${id} and run_id is not null`;
}

/** Accounts whose payouts were made or booked since. */
export function listPaidAccountsSince(sql: Sql, { id, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'account_id'))`
    select account_id from payout where id > ${id}
    union select account_id from payout where id = any(${sources}::text[])
    union select account_id from payout where state in ('created', 'approved', 'sent')`;
}

/**
 * Payouts of a page whose journals are not those of their state, and those that were made or approved although their bank
 * account did not allow it.
 */
export function listWrongPayouts(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with booked as (
      select source, string_agg(kind, ', ' order by kind) as kinds
        from journal
       where source = any (array (select id from payout where ${page.of('payout.id')})) and kind = any(${kinds}::text[])
       group by source
    ), found as (
      select payout.id, payout.state, coalesce(booked.kinds, 'none') as kinds,
             coalesce(booked.kinds, 'none') <> case payout.state
               when 'paid' then 'payout created, payout paid'
               when 'returned' then 'payout created, payout paid, payout sent back'
               when 'failed' then 'payout created, payout returned'
               when 'canceled' then 'payout created, payout returned'
               else 'payout created' end as is_misbooked,
             (place.account_id = payout.account_id and place.verified_at <= payout.created_at
              and place.hold_until <= payout.created_at
              and (place.replaced_at is null or place.replaced_at >= coalesce(payout.approved_at, payout.created_at))
              and (terms.blocked_at is null or terms.blocked_at >= coalesce(payout.approved_at, payout.created_at)))
               is true as is_allowed
        from payout
        left join booked on booked.source = payout.id
        left join payout_account as place on place.id = payout.payout_account_id
        left join payout_terms as terms on terms.account_id = payout.account_id
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

const moves = new SqlText(`
  case posted.kind when 'payout created' then payout.amount_minor + payout.fee_minor
                   when 'payout returned' then -payout.amount_minor - payout.fee_minor
                   when 'payout sent back' then -payout.amount_minor else 0 end as from_available,
  case posted.kind when 'payout created' then payout.amount_minor
                   when 'payout sent back' then 0 else -payout.amount_minor end as to_transit,
  case posted.kind when 'payout created' then payout.fee_minor
                   when 'payout returned' then -payout.fee_minor else 0 end as to_fee,
  case posted.kind when 'payout paid' then payout.amount_minor
                   when 'payout sent back' then -payout.amount_minor else 0 end as to_bank`);

/** Each journal with the payout that posted it. */
export const payoutJournals: Founded = {
  kinds,
  agreeing: sqlPart`
    select posted.id as journal_id,
           payout.currency = posted.currency
           and posted.posted_at = case posted.kind when 'payout created' then payout.created_at
                                                   when 'payout paid' then payout.paid_at else payout.ended_at end
           and booked.said = ${saying(sqlPart`
                 values ('merchant:' || payout.account_id || ':available', moved.from_available),
                        ('merchant:' || payout.account_id || ':payout_transit', -moved.to_transit),
                        (${payoutFee}, -moved.to_fee), (${bankClient}, -moved.to_bank)`)} as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join payout on payout.id = posted.source
     cross join lateral (select ${moves}) as moved
     where posted.kind = any(${kinds}::text[])`,
};

/** What payouts took from our bank account, and the fees for them, is what their rows say. */
export const payoutSums: Summed = {
  kinds,
  accounts: [bankClient, payoutFee],
  expected: sqlPart`
    select ${bankClient}::text as account, -sum(amount_minor) as minor from payout where state = 'paid'
    union all
    select ${payoutFee}::text, -sum(fee_minor) from payout where state not in ('failed', 'canceled')`,
};
