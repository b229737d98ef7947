// SQL that checks batches against their payouts and files; read-only, a page at a time; for `grosz verify`.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, readText, type Since, type Sql } from '../../database/index.ts';
import type { Batch } from '../model.ts';
import { batchTable } from '../table.ts';

/** Batches that were made since, those that are open, and those of payouts that were booked since. */
export function listBatchesSince(sql: Sql, { id, at, sources }: Since): Promise<string[]> {
  return sql.many((row) => readText(row, 'id'))`
    select id from payout_batch where id > ${id}
    union select id from payout_batch where state in ('draft', 'approved', 'made', 'handed_over')
    union select id from payout_batch where settled_at >= ${at} or canceled_at >= ${at}
    union select batch_id from payout_batch_item where payout_id = any(${sources}::text[])
    union select item.batch_id from payout_move as move join payout_batch_item as item using (payout_id)
           where move.id = any(${sources}::text[])`;
}

export function listBatchesIn(sql: Sql, page: Page): Promise<Batch[]> {
  return sql.many(batchTable.read)`select * from payout_batch where ${page.of('id')} order by id`;
}

/**
 * Batches of a page whose payouts are not as many or as much as they say, or in other states than theirs; that one person
 * signed twice; or that have no file although they should, or one although they should not.
 */
export function listWrongBatches(sql: Sql, page: Page): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    with summed as (
      select item.batch_id, count(*)::integer as payouts, sum(payout.amount_minor) as total,
             bool_and(item.is_live) as all_live, bool_or(item.is_live) as any_live,
             array_agg(distinct case when payout.state = 'sent' and payout.moves > 0 then 'open again' else payout.state end)
               as states
        from payout_batch_item as item join payout on payout.id = item.payout_id
       where ${page.of('item.batch_id')} group by item.batch_id
    ), found as (
      select batch.*, summed.payouts as there, coalesce(summed.total, 0) as summed_minor, summed.states,
             summed.all_live, summed.any_live, file.id as file_id, file.sha256
        from payout_batch as batch
        left join summed on summed.batch_id = batch.id
        left join payout_file as file on file.batch_id = batch.id
       where ${page.of('batch.id')}
    )
    select 'batch_sums_differ' as code,
           jsonb_build_object('id', id, 'payouts', coalesce(there, 0), 'total', summed_minor::text) as parameters
      from found where there is distinct from payouts or summed_minor <> total_minor
    union all
    select 'batch_payouts_differ', jsonb_build_object('id', id, 'state', state)
      from found
     where (case state when 'draft' then states <@ '{created,canceled}' and all_live
                       when 'approved' then states = '{approved}' and all_live
                       when 'made' then states = '{approved}' and all_live
                       when 'handed_over' then states <@ '{sent,open again,paid,returned,failed,canceled}' and all_live
                       when 'settled' then states <@ '{open again,paid,returned,failed,canceled}' and all_live
                       else not any_live and (approved_at is null or states <@ '{canceled,paid,returned}') end) is not true
    union all
    select 'batch_signed_by_one', jsonb_build_object('id', id)
      from found where approved_by_id = created_by_id or approved_by = created_by or canceled_by_id = missed_by_id
    union all
    select 'batch_file_missing', jsonb_build_object('id', id)
      from found
     where (made_at is not null) <> (sha256 is not null) or (file_id is not null and approved_at is null)
        or (handed_over_at is not null) <> exists (
             select from payout_handover where payout_handover.file_id = found.file_id and not is_copy)
    union all
    select 'batch_missing', jsonb_build_object('id', gone.batch_id)
      from (select batch_id from summed union select batch_id from payout_file where ${page.of('payout_file.batch_id')}) as gone
     where not exists (select from payout_batch where payout_batch.id = gone.batch_id)`;
}

/** Accounts whose files are not numbered from 1 without gaps. Reads the numbers of all files. */
export function listNumberGaps(sql: Sql): Promise<Finding[]> {
  return sql.many(messageReader(findings))`
    select 'payout_file_number_missing' as code,
           jsonb_build_object('account', right(payer_number, 4), 'files', count(*), 'last', max(number)) as parameters
      from payout_file group by payer_number having count(*) <> max(number) or min(number) <> 1`;
}
