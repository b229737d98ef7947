// SQL of the search. Owns: panel_search, panel_search_new.

import { readInteger, type Sql } from '../../../platform/index.ts';

const fillingLock = 7_261_508_411;

/** Lock of the node that fills, held until the end of the transaction; returns false if another node holds it. */
export function tryFillingLock(sql: Sql): Promise<boolean> {
  return sql.one((row) => row.taken === true)`select pg_try_advisory_xact_lock(${fillingLock}) as taken`;
}

/**
 * Makes new transactions findable, oldest statements first, at most `atMost` statements; returns how many statements.
 * Only under the lock. Longer texts are found by how they begin.
 */
export function fillSearch(sql: Sql, atMost: number): Promise<number> {
  return sql.one((row) => readInteger(row, 'filled'))`
    with gone as materialized (
      delete from panel_search_new where id in (select id from panel_search_new order by id limit ${atMost})
      returning transaction_ids
    ), filled as (
      insert into panel_search (transaction_id, account_id, email, hidden, amount_minor)
      select id, merchant_id, left(lower(payer_email), 255), left(lower(hidden_description), 255), amount_minor
        from transaction
       where id = any (array (select unnest(transaction_ids) from gone))
       order by id
    )
    select count(*)::integer as filled from gone`;
}
