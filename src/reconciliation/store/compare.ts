// The statement against the books, in pages. Read only.
//
// The plan must not depend on statistics: tables may be fresh and never analyzed, and a page must cost the same whether
// the books have a thousand rows or a hundred million. So every table is restricted by one condition for which there is
// one index, with the keys of the page as an array; sets are materialized and joined by hash, never by a loop, which
// `planByHash` says to the planner; every other condition applies to the set (docs/decisions/0030).

import {
  type Row,
  readBigint,
  readInstant,
  readText,
  readTextOrNull,
  type Sql,
  type SqlPart,
  sqlPart,
} from '../../database/index.ts';
import type { Facts, Keyed } from '../model.ts';

/** The lines of a page. */
export interface Page {
  readonly runId: string;
  readonly acquirer: string;
  /** The acquirer's account in the ledger. */
  readonly receivable: string;
  /** Positions after the first (exclusive) up to the second. */
  readonly after: bigint;
  readonly until: bigint;
}

/** Lines that may differ, and what is booked for the others. */
export interface ComparedPage {
  readonly facts: readonly Facts[];
  readonly bookedMinor: bigint;
}

function readFacts(kind: Keyed): (row: Row) => Facts {
  return (row) => ({
    kind,
    key: readText(row, 'key'),
    chargeKey: readTextOrNull(row, 'charge_key'),
    what: null,
    bankMinor: readBigint(row, 'amount_minor'),
    bankAt: readInstant(row, 'at'),
    askedMinor: row.asked_minor === null ? null : readBigint(row, 'asked_minor'),
    row: readTextOrNull(row, 'found') as Facts['row'],
    ourChargeKey: null,
    isSameCharge: row.same_charge === true,
    isWhole: row.whole === true,
    isApplied: false,
  });
}

/** The last row has the sum of the page. */
export function comparedOf(
  rows: readonly { readonly facts: Facts | undefined; readonly bookedMinor: bigint }[],
): ComparedPage {
  return {
    facts: rows.flatMap(({ facts }) => facts ?? []),
    bookedMinor: rows.at(-1)?.bookedMinor ?? 0n,
  };
}

const readRow = (kind: Keyed) => {
  const read = readFacts(kind);
  return (row: Row) => ({
    facts: row.key === null ? undefined : read(row),
    bookedMinor: BigInt(readTextOrNull(row, 'booked_minor') ?? '0'),
  });
};

/**
 * Captures with another amount than is booked, without their rows, or about which a difference is open. A charge that was
 * declined keeps that state when its late capture is given back.
 */
export async function compareCaptures(sql: Sql, page: Page): Promise<ComparedPage> {
  const { runId, acquirer, receivable, after, until } = page;
  const rows = await sql.many(readRow('capture'))`
    with line as materialized (
      select key, amount_minor, at from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until} and kind = 'capture'
         and not is_repeated
    ), record as materialized (
      select id, key, kind, acquirer from reconciliation_record
       where key = any (array (select key from line)) and moved_minor is not null
    ), corrections as materialized (
      select id, key from record where kind = 'capture' and acquirer = ${acquirer}
    ), journals as materialized (
      select id, source, kind from journal
       where source = any (array (select key from line union all select id from corrections))
    ), sums as materialized (
      select journal_id, sum(case when account = ${receivable} then amount_minor end) as minor
        from entry where journal_id = any (array (select id from journals)) group by journal_id
    ), booked as materialized (
      select coalesce(corrections.key, journals.source) as key, sum(sums.minor) as minor
        from journals join sums on sums.journal_id = journals.id left join corrections on corrections.id = journals.source
       where corrections.id is not null or journals.kind in ('payment', 'surplus')
       group by 1
    ), charges as materialized (
      select id, state, transaction_id, amount_minor from charge where id = any (array (select key from line))
    ), transactions as materialized (
      select id from transaction where id = any (array (select transaction_id from charges))
    ), given_back as materialized (
      select subject_id from outgoing_refund
       where subject_id = any (array (select id from charges where state in ('failed', 'canceled'))) and purpose = 'surplus'
    ), items as materialized (
      select key, kind, state from reconciliation_item where key = any (array (select key from line))
    ), open as materialized (
      select distinct key from items where kind = 'capture' and state <> 'closed'
    ), looked as materialized (
      select line.*, coalesce(booked.minor, 0) as minor, charges.amount_minor as asked_minor, open.key is not null as named,
             case when transactions.id is null then null
                  when charges.state in ('correct', 'surplus') or given_back.subject_id is not null then 'moved'
                  when charges.state in ('sent', 'waiting', 'unknown') then 'open'
                  else 'ended' end as found
        from line
        left join booked on booked.key = line.key
        left join charges on charges.id = line.key
        left join transactions on transactions.id = charges.transaction_id
        left join given_back on given_back.subject_id = charges.id
        left join open on open.key = line.key
    ), compared as materialized (
      select *, minor <> amount_minor or found is distinct from 'moved' or named as differs from looked
    )
    select key, null as charge_key, amount_minor, at, asked_minor, found, true as same_charge, true as whole,
           null as booked_minor
      from compared where differs
    union all
    select null, null, null, null, null, null, null, null, sum(minor)::text from compared where not differs`;
  return comparedOf(rows);
}

/** What is booked for the refunds of `line`: the sets `record`, `outgoing`, `surplus`, `sources`, `journals`, `sums` and `booked`. */
function bookedRefunds({ acquirer, receivable }: Page): SqlPart {
  return sqlPart`
    record as materialized (
      select id, key, kind, acquirer from reconciliation_record
       where key = any (array (select key from line)) and moved_minor is not null
    ), outgoing as materialized (
      select id, state, purpose, amount_minor, charge_key, subject_id from outgoing_refund
       where id = any (array (select key from line))
    ), surplus as materialized (
      select id, subject_id from outgoing_refund
       where subject_id = any (array (select charge_key from line)) and purpose = 'surplus'
    ), sources as materialized (
      select key, key as source, false as is_surplus from line
      union
      select line.key, line.charge_key, true from line left join surplus on surplus.subject_id = line.charge_key
       where surplus.id is null or surplus.id = line.key
      union
      select key, id, null from record where kind = 'refund' and acquirer = ${acquirer}
    ), journals as materialized (
      select id, source, kind from journal where source = any (array (select source from sources))
    ), sums as materialized (
      select journal_id, sum(case when account = ${receivable} then amount_minor end) as minor
        from entry where journal_id = any (array (select id from journals where kind <> 'payment')) group by journal_id
    ), booked as materialized (
      select sources.key, -sum(sums.minor) as minor
        from sources join journals on journals.source = sources.source join sums on sums.journal_id = journals.id
       where sources.is_surplus is null or (journals.kind = 'refund executed' and sources.is_surplus)
          or (journals.kind in ('refund executed', 'refund paid late', 'unmatched returned') and not sources.is_surplus)
       group by 1
    )`;
}

/**
 * The same for refunds, whatever for; a surplus is booked under its charge, and another refund of it than ours is not the
 * one in the books. What is for something that is gone, or was refused and is no refund, is nobody's to settle.
 */
export async function compareRefunds(sql: Sql, page: Page): Promise<ComparedPage> {
  const { runId, after, until } = page;
  const rows = await sql.many(readRow('refund'))`
    with line as materialized (
      select key, charge_key, amount_minor, at from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until} and kind = 'refund'
         and not is_repeated
    ), ${bookedRefunds(page)}, asked as materialized (
      select distinct source, kind from journals where kind in ('refund', 'surplus refund')
    ), refunds as materialized (
      select id from refund where id = any (array (select id from outgoing where purpose = 'refund'))
    ), subjects as materialized (
      select id from reconciliation_item where id = any (array (select subject_id from outgoing where purpose = 'unallocated'))
    ), items as materialized (
      select key, kind, state from reconciliation_item where key = any (array (select key from line))
    ), open as materialized (
      select distinct key from items where kind = 'refund' and state <> 'closed'
    ), known as materialized (
      select outgoing.*,
             case outgoing.purpose when 'refund' then refunds.id is not null
                                   when 'unallocated' then subjects.id is not null else true end as is_known
        from outgoing left join refunds on refunds.id = outgoing.id left join subjects on subjects.id = outgoing.subject_id
    ), looked as materialized (
      select line.*, coalesce(booked.minor, 0) as minor, known.amount_minor as asked_minor, open.key is not null as named,
             coalesce(known.charge_key, line.charge_key) = line.charge_key as same_charge,
             case when not coalesce(known.is_known, false) then null
                  when known.state = 'done' then 'moved'
                  when known.state not in ('refused', 'canceled') then 'open'
                  when known.purpose in ('refund', 'surplus') then 'ended' end as found,
             coalesce(known.is_known, false)
             and case known.purpose when 'unallocated' then true else asked.source is not null end as whole
        from line
        left join booked on booked.key = line.key
        left join known on known.id = line.key
        left join asked on asked.source = case known.purpose when 'surplus' then line.charge_key else line.key end
                       and asked.kind = case known.purpose when 'surplus' then 'surplus refund' else 'refund' end
        left join open on open.key = line.key
    ), compared as materialized (
      select *, minor <> amount_minor or found is distinct from 'moved' or not same_charge or not whole or named as differs
        from looked
    )
    select key, charge_key, amount_minor, at, asked_minor, found, same_charge, whole, null as booked_minor
      from compared where differs
    union all
    select null, null, null, null, null, null, null, null, sum(minor)::text from compared where not differs`;
  return comparedOf(rows);
}

/** Refunds, whatever for, that the bank had paid and has again: those with another amount than is booked, or not yet told. */
export async function compareReturned(sql: Sql, page: Page): Promise<ComparedPage> {
  const { runId, acquirer, receivable, after, until } = page;
  const rows = await sql.many(readRow('refund_returned'))`
    with line as materialized (
      select key, charge_key, amount_minor, at from reconciliation_line
       where run_id = ${runId} and position > ${after} and position <= ${until} and kind = 'refund_returned'
         and not is_repeated
    ), outgoing as materialized (
      select id, purpose, amount_minor, charge_key, subject_id, came_back_at, state from outgoing_refund
       where id = any (array (select key from line))
    ), record as materialized (
      select id, key, kind, acquirer from reconciliation_record
       where key = any (array (select key from line)) and moved_minor is not null
    ), sources as materialized (
      select key, key as source from line
      union
      select id, subject_id from outgoing where purpose = 'surplus'
      union
      select key, id from record where kind = 'refund_returned' and acquirer = ${acquirer}
    ), journals as materialized (
      select id, source, kind from journal where source = any (array (select source from sources))
    ), sums as materialized (
      select journal_id, sum(case when account = ${receivable} then amount_minor end) as minor
        from entry where journal_id = any (array (select id from journals where kind <> 'payment')) group by journal_id
    ), booked as materialized (
      select sources.key, sum(sums.minor) as minor
        from sources join journals on journals.source = sources.source join sums on sums.journal_id = journals.id
       where journals.kind in ('refund came back', 'surplus came back', 'unmatched came back', 'unmatched refund_returned',
                               'refund_returned corrected')
       group by 1
    ), items as materialized (
      select key, kind, state from reconciliation_item where key = any (array (select key from line))
    ), open as materialized (
      select distinct key from items where kind = 'refund_returned' and state <> 'closed'
    ), looked as materialized (
      select line.*, coalesce(booked.minor, 0) as minor, outgoing.amount_minor as asked_minor, open.key is not null as named,
             case when outgoing.id is not null
                  then case when outgoing.came_back_at is null then 'open' else 'moved' end end as found
        from line
        left join booked on booked.key = line.key
        left join outgoing on outgoing.id = line.key
        left join open on open.key = line.key
    ), compared as materialized (
      select *, minor <> amount_minor or found is distinct from 'moved' or named as differs from looked
    )
    select key, charge_key, amount_minor, at, asked_minor, found, true as same_charge, true as whole, null as booked_minor
      from compared where differs
    union all
    select null, null, null, null, null, null, null, null, sum(minor)::text from compared where not differs`;
  return comparedOf(rows);
}

/** The amounts of these refunds that came back, by key. */
export async function findCameBack(sql: Sql, keys: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await sql.many((row) => [readText(row, 'id'), readBigint(row, 'amount_minor')] as const)`
    select id, amount_minor from outgoing_refund where id = any(${keys}::text[]) and came_back_at is not null`;
  return new Map(rows);
}
