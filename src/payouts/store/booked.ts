// SQL that compares payouts with their journals before money leaves; read-only.

import { readInteger, type Sql } from '../../database/index.ts';

/** How many of these payouts are not in the books as one that was made, with its amount, and not given back. */
export function countUnbooked(sql: Sql, ids: readonly string[]): Promise<number> {
  return sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count
      from unnest(${ids}::text[]) as asked (id)
      left join payout on payout.id = asked.id
     where (exists (select from journal join entry on entry.journal_id = journal.id
                     where journal.source = payout.id and journal.kind = 'payout created'
                       and entry.account = 'merchant:' || payout.account_id || ':payout_transit'
                       and entry.amount_minor = -payout.amount_minor)
            and not exists (select from journal where journal.source = payout.id and journal.kind <> 'payout created'))
           is not true`;
}
