// SQL of events: writing, numbering, reading. Owns: event, delivery, endpoint_health, delivery_try, signing_key.

import { jsonRows, type Sql } from '../platform/index.ts';

export interface EventInsert {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly subjectId: string;
  readonly url: string | null;
  readonly endpoint: string | null;
  readonly contentType: string;
  readonly body: string;
  readonly sealed: boolean;
  readonly createdAt: string;
}

/** Inserts events, and a delivery for each that has an address, in one statement. Takes no lock but on its own rows. */
export async function insertEventRows(sql: Sql, events: readonly EventInsert[]): Promise<void> {
  await sql.run`
    with given as materialized (
      select * from json_to_recordset(${jsonRows(events)}::json) as given
        (id text, "accountId" text, type text, "subjectId" text, url text, endpoint text, "contentType" text, body text,
         sealed boolean, "createdAt" timestamptz)
    ), written as (
      insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
      select id, "accountId", type, "subjectId", url, "contentType", body, sealed, "createdAt" from given
    )
    insert into delivery (event_id, account_id, endpoint, status, next_try_at)
    select id, "accountId", endpoint, 'pending', "createdAt" from given where endpoint is not null`;
}
