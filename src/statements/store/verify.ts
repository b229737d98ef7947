// SQL that checks statements and lines against each other and the ledger; read-only; for `grosz verify`.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql, SqlText, sqlPart } from '../../database/index.ts';
import { type Founded, ledgerAccounts, type Summed, saying } from '../../ledger/index.ts';

const { bankClient, bankFee, bankUnallocated } = ledgerAccounts;

const wrongAtMost = 100;

/** The kinds of journals of this room. */
export const journalKinds = [
  'bank in',
  'bank out',
  'bank fee',
  'bank line matched',
  'bank line fee',
  'bank line matched undone',
  'bank line fee undone',
];

/** The journal of a decision `one`. */
const kindOfDecision = new SqlText(
  "case when one.kind in ('fee', 'fee_returned') then 'bank line fee' else 'bank line matched' end",
);

/** Lines that were booked: of accepted statements, up to where each is booked. */
const booked = sqlPart`
  bank_line as line
    join bank_statement as statement
      on statement.id = line.statement_id and statement.position is not null
     and substring(line.id from 28)::integer < statement.booked_lines`;

/** Statements that were accepted or booked since. */
export function listStatementsSince(sql: Sql, { id, at, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from bank_statement where id > ${id} or accepted_at >= ${at} or booked_at >= ${at}
    union select left(source, 26) from unnest(${sources}::text[]) as source where length(source) = 34`;
}

/**
 * Statements that do not continue the one before, or do not add up. Of those of the page, also those whose lines are not what
 * they say.
 */
export function listWrongStatements(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with chained as (
      select *, coalesce(lag(closing_minor) over following, 0) as closed, coalesce(lag(position) over following, 0) as last
        from bank_statement where position is not null
      window following as (partition by bank_account_id order by position)
    )
    select 'bank_statement_differs' as code, jsonb_build_object('id', chained.id) as parameters
      from chained
     cross join lateral (
       select count(*) filter (where entry > 0) as lines,
              coalesce(sum(amount_minor) filter (where entry > 0), 0) as minor,
              coalesce(sum(amount_minor) filter (where entry = 0), 0) as brought,
              count(*) filter (where state = 'repeated') as repeated,
              coalesce(sum(amount_minor) filter (where state = 'repeated'), 0) as repeated_minor
         from bank_line where bank_line.id >= chained.id || '-' and bank_line.id < chained.id || '.') as own
     where ${page.of('chained.id')}
       and (chained.position <> last + 1 or before_minor is distinct from closed
            or opening_minor + sum_minor is distinct from closing_minor
            or before_minor + brought_minor + sum_minor - chained.repeated_minor is distinct from closing_minor
            or own.lines <> chained.lines or own.minor <> sum_minor or own.brought <> brought_minor
            or own.repeated <> repeated_lines or own.repeated_minor <> chained.repeated_minor
            or (booked_at is null) <> (booked_lines < chained.lines + 1)
            or not exists (select from bank_account where bank_account.id = bank_account_id)
            or not exists (select from bank_file where bank_file.id = file_id and state in ('accepted', 'booked')))
     order by chained.id limit ${wrongAtMost}`;
}

/** Lines, of statements or of decisions, that have moved since. */
export function listLinesSince(sql: Sql, { id, at, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select source as id from unnest(${sources}::text[]) as source where length(source) = 34
    union select bank_line_id from bank_allocation where id > ${id} or id = any(${sources}::text[])
    union select line.id from bank_statement as statement
            join bank_line as line on line.id >= statement.id || '-' and line.id < statement.id || '.'
           where statement.booked_at >= ${at}`;
}

/** Booked lines of a page without their journal or with another one, and those of which something else is left than was said. */
export function listWrongLines(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with journals as (
      select source, string_agg(kind, ',' order by kind) as kinds from journal
       where source = any (array (select id from bank_line where ${page.of('bank_line.id')})) group by source
    ), allotted as (
      select one.bank_line_id, sum(one.amount_minor) filter (where one.undone_at is null) as minor,
             bool_or((select coalesce(string_agg(kind, ',' order by kind), '') from journal where journal.source = one.id)
                     <> ${kindOfDecision} || case when one.undone_at is null then '' else ',' || ${kindOfDecision} || ' undone' end)
               as is_misbooked
        from bank_allocation as one where ${page.of('one.bank_line_id')} group by 1
    )
    select 'bank_line_misbooked' as code, jsonb_build_object('id', line.id) as parameters
      from ${booked}
      left join journals on journals.source = line.id
      left join allotted on allotted.bank_line_id = line.id
     where ${page.of('line.id')}
       and (journals.kinds is distinct from
              case when line.state = 'fee' then 'bank fee'
                   when line.state = 'unallocated' and line.amount_minor > 0 then 'bank in'
                   when line.state = 'unallocated' then 'bank out' end
            or line.left_minor <> case line.state when 'unallocated' then line.amount_minor else 0 end - coalesce(allotted.minor, 0)
            or allotted.is_misbooked)
     order by line.id limit ${wrongAtMost}`;
}

/** Payouts of acquirers of which the bank has another amount than the books, or that the books do not have. */
export function listWrongPayouts(sql: Sql): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'bank_payout_differs' as code,
           jsonb_build_object('payout', one.target, 'bank', one.amount_minor::text,
                              'booked', coalesce(payout.amount_minor, -line.amount_minor, 0)::text) as parameters
      from bank_allocation as one
      left join acquirer_payout as payout
             on one.kind = 'acquirer_payout' and payout.acquirer || ':' || payout.key = one.target
      left join acquirer_line as line
             on one.kind = 'acquirer_payout_returned' and line.kind = 'payout_returned'
            and line.acquirer || ':' || line.key = one.target
     where one.kind in ('acquirer_payout', 'acquirer_payout_returned') and one.undone_at is null
       and one.amount_minor is distinct from coalesce(payout.amount_minor, -line.amount_minor)
     order by one.id limit ${wrongAtMost}`;
}

/** Each journal with the line or the decision that posted it. */
export const lineJournals: Founded = {
  kinds: journalKinds,
  agreeing: sqlPart`
    select posted.id as journal_id,
           posted.currency = account.currency and posted.posted_at >= statement.accepted_at
           and posted.kind = case when line.state = 'fee' then 'bank fee' when line.amount_minor > 0 then 'bank in' else 'bank out' end
           and line.state in ('fee', 'unallocated')
           and booked.said = ${saying(sqlPart`
             values (${bankClient}, line.amount_minor),
                    (case line.state when 'fee' then ${bankFee}::text else ${bankUnallocated} end, -line.amount_minor)`)} as agrees
      from posted
      join booked on booked.journal_id = posted.id
      join bank_line as line on line.id = posted.source
      join bank_statement as statement on statement.id = line.statement_id and statement.position is not null
      join bank_account as account on account.id = statement.bank_account_id
     where posted.kind in ('bank in', 'bank out', 'bank fee')
    union all
    select posted.id,
           posted.posted_at = case said.sign when 1 then one.at else one.undone_at end
           and posted.kind = ${kindOfDecision} || case said.sign when 1 then '' else ' undone' end
           and booked.said = ${saying(sqlPart`
             values (${bankUnallocated}, said.sign * one.amount_minor),
                    (case when one.kind in ('fee', 'fee_returned') then ${bankFee}::text else ${bankClient} end,
                     -said.sign * one.amount_minor)`)}
      from posted
      join booked on booked.journal_id = posted.id
      join bank_allocation as one on one.id = posted.source
     cross join lateral (select case when posted.kind like '% undone' then -1 else 1 end as sign) as said
     where posted.kind like 'bank line %'`,
};

/** What lines booked in all is what they say. */
export const lineSums: Summed = {
  kinds: journalKinds,
  accounts: [bankClient, bankUnallocated, bankFee],
  expected: sqlPart`
    select said.account, said.minor
      from (select coalesce(sum(amount_minor) filter (where state = 'unallocated'), 0) as unknown,
                   coalesce(sum(amount_minor) filter (where state = 'fee'), 0) as fees,
                   coalesce(sum(left_minor), 0) as rest from ${booked}) as lines
     cross join (select coalesce(sum(amount_minor) filter (where kind in ('fee', 'fee_returned')), 0) as fees,
                        coalesce(sum(amount_minor) filter (where kind not in ('fee', 'fee_returned')), 0) as matched
                   from bank_allocation where undone_at is null) as allotted
     cross join lateral (values (${bankClient}, lines.unknown + lines.fees - allotted.matched),
                                (${bankUnallocated}, -lines.rest),
                                (${bankFee}, -lines.fees - allotted.fees)) as said (account, minor)`,
};

/** Balances that merchants of a demo began with have never been at a bank. */
const atNoBank = 'opening';

/**
 * What is booked on our bank account, by whatever room, is what the statements have, and what acquirers say that they have
 * paid out and no statement has.
 */
export function bankBalance(kinds: ReadonlySet<string>): Summed {
  return {
    kinds: [...kinds].filter((kind) => kind !== atNoBank),
    accounts: [bankClient],
    expected: sqlPart`
      select ${bankClient}::text as account, sum(amount_minor) as minor from ${booked} where line.state <> 'repeated'
      union all select ${bankClient}, sum(amount_minor) from acquirer_payout
      union all select ${bankClient}, -sum(amount_minor) from acquirer_line where kind = 'payout_returned'
      union all select ${bankClient}, -sum(amount_minor) from bank_allocation
                 where kind in ('acquirer_payout', 'acquirer_payout_returned') and undone_at is null`,
  };
}
