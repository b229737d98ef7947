// Invariants of refunds, whatever crashed or raced.

import { readBigint, readBoolean, readText, type Sql } from '../../src/database/index.ts';
import type { Tools } from '../../src/tools.ts';

export interface RefundFacts {
  readonly id: string;
  readonly transactionId: string;
  readonly chargeKey: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly full: boolean;
  readonly sent: boolean;
  /** Sent, and not ended. */
  readonly underway: boolean;
  /** Not ended. */
  readonly open: boolean;
  /** The payer has the money. */
  readonly executed: boolean;
  /** The merchant has amount and fee back. */
  readonly returned: boolean;
  /** Both have it, because of the bank. */
  readonly paidLate: boolean;
}

export function readRefundFacts(sql: Sql): Promise<RefundFacts[]> {
  return sql.many((row) => ({
    id: readText(row, 'id'),
    transactionId: readText(row, 'transaction_id'),
    chargeKey: readText(row, 'charge_key'),
    status: readText(row, 'status'),
    amountMinor: readBigint(row, 'amount_minor'),
    feeMinor: readBigint(row, 'fee_minor'),
    full: readText(row, 'form') === 'full',
    sent: readBoolean(row, 'sent'),
    underway: readBoolean(row, 'underway'),
    open: readBoolean(row, 'open'),
    executed: readBoolean(row, 'executed'),
    returned: readBoolean(row, 'returned'),
    paidLate: readBoolean(row, 'paid_late'),
  }))`
    select refund.*, charge_key, sent_at is not null as sent, sent_at is not null and ended_at is null as underway,
           ended_at is null as open,
           (status in ('Done', 'BLIK_processed') or paid_late_at is not null) and refund.came_back_at is null as executed,
           canceled_by is not null as returned, paid_late_at is not null and refund.came_back_at is null as paid_late
      from refund left join outgoing_refund as outgoing on outgoing.id = refund.id order by refund.id`;
}

/** Every difference in one sentence. The engine should be idle. */
export async function findRefundProblems(world: Tools): Promise<string[]> {
  const { sql } = world.db;
  const text = (row: Record<string, unknown>) => readText(row, 'what');
  return [
    // Numbers have no gaps, cards are counted correctly, time never goes back, and the counter is the last number.
    ...(await sql.many(text)`
      select 'Refund ' || id || ' has the number ' || number || ' and counts ' || card_count || ' by card.' as what
        from (select *, row_number() over later as place,
                     count(*) filter (where context = 'card') over later as cards,
                     max(created_at) over later as latest
                from refund window later as (partition by merchant_id order by number)) as placed
       where number <> place or card_count <> cards or created_at <> latest`),
    ...(await sql.many(text)`
      select 'The counter of ' || counter.merchant_id || ' says ' || counter.refunds || '.' as what
        from refund_counter as counter
       where counter.refunds <> (select count(*) from refund where refund.merchant_id = counter.merchant_id)`),
    // An open refund is due, held or parked; an ended one is neither, unless it is shown to an operator.
    ...(await sql.many(text)`
      select 'Refund ' || refund.id || ' is ' || refund.status || ', and its outgoing refund does not fit.' as what
        from refund left join outgoing_refund as outgoing on outgoing.id = refund.id
       where outgoing.id is null
          or case when refund.ended_at is not null
                  then outgoing.next_try_at is not null or (outgoing.parked_at is not null and refund.paid_late_at is null and refund.came_back_at is null)
                  when refund.status = 'Hold' then outgoing.next_try_at is not null or outgoing.parked_at is not null
                  else (outgoing.next_try_at is null) = (outgoing.parked_at is null) end`),
    // Each status was reported, the last one last, none of the final ones twice.
    ...(await sql.many(text)`
      select 'Refund ' || refund.id || ' is ' || refund.status || ', told: ' || coalesce(told.all, 'nothing') as what
        from refund left join (
          select subject_id,
                 string_agg(body::json -> 'data' ->> 'refundStatus', ',' order by created_at, id) as all,
                 (array_agg(body::json -> 'data' ->> 'refundStatus' order by created_at desc, id desc))[1] as last,
                 (array_agg(body::json -> 'data' ->> 'refundStatus' order by created_at, id))[1] as first
            from event where type = 'refund' group by subject_id) as told on told.subject_id = refund.id
       where told.last is distinct from refund.status or told.first not in ('New', 'BLIK_pending')
          or (told.all ~ '(Done|Cancel|BLIK_processed|BLIK_incorrect).*(Done|Cancel|BLIK_processed|BLIK_incorrect)'
              and refund.came_back_at is null)
          or (refund.status = 'Done' and told.all !~ '^New,(Hold,New,)*Pending,Processed,Done$')
          or (refund.status = 'BLIK_processed' and told.all !~ '^BLIK_pending,(Hold,BLIK_pending,)*BLIK_processed$')`),
  ];
}
