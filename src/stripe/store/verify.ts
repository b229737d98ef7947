// SQL that checks the rows of the connector against charges and outgoing refunds; read-only, a page at a time; for
// `grosz verify`.

import { type Finding, findings } from '../../../contract/codes/findings.ts';
import { messageReader, type Page, type Sql } from '../../database/index.ts';

const read = messageReader(findings);

/** Charges of a page that captured money through this acquirer, and whose row is missing or is that of something else. */
export function listWrongCharges(sql: Sql, page: Page, acquirer: string): Promise<Finding[]> {
  return sql.many(read)`
    select case when asked.key is null then 'provider_charge_missing' else 'provider_charge_differs' end as code,
           jsonb_build_object('id', charge.id) as parameters
      from charge
      left join stripe_charge as asked on asked.key = charge.id
     where ${page.of('charge.id')} and charge.acquirer = ${acquirer} and charge.state in ('correct', 'surplus')
       and (asked.key is null or asked.amount_minor is distinct from charge.amount_minor
            or asked.currency <> charge.currency or asked.merchant <> charge.merchant_id)
     order by charge.id`;
}

/** Outgoing refunds of a page that this acquirer paid, and whose row is missing or is that of something else. */
export function listWrongRefunds(sql: Sql, page: Page, acquirer: string): Promise<Finding[]> {
  return sql.many(read)`
    select case when asked.key is null then 'provider_refund_missing' else 'provider_refund_differs' end as code,
           jsonb_build_object('id', outgoing.id) as parameters
      from outgoing_refund as outgoing
      left join stripe_refund as asked on asked.key = outgoing.id
     where ${page.of('outgoing.id')} and outgoing.acquirer = ${acquirer} and outgoing.state = 'done'
       and (asked.key is null or asked.charge_key <> outgoing.charge_key or asked.amount_minor <> outgoing.amount_minor
            or asked.currency <> outgoing.currency)
     order by outgoing.id`;
}
