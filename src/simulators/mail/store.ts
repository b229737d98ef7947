// All SQL of caught mail. Owns: caught_mail.

import type { RowOf, Sql } from '../../database/index.ts';
import { caughtMailTable } from './table.ts';

export type CaughtMail = RowOf<typeof caughtMailTable>;

/** Stores a mail and deletes all but the newest `atMost`. */
export async function insertCaught(sql: Sql, mail: CaughtMail, atMost: number): Promise<void> {
  await sql.run`
    with kept as (
      insert into caught_mail (id, received_at, source_sealed)
      values (${mail.id}, ${mail.receivedAt}, ${mail.sourceSealed})
    )
    delete from caught_mail where id in (select id from caught_mail order by id desc offset ${atMost - 1})`;
}

/** The newest mails, newest first. */
export function listCaught(sql: Sql, limit: number): Promise<CaughtMail[]> {
  return sql.many(caughtMailTable.read)`select * from caught_mail order by received_at desc, id desc limit ${limit}`;
}

export function findCaught(sql: Sql, id: string): Promise<CaughtMail | undefined> {
  return sql.maybeOne(caughtMailTable.read)`select * from caught_mail where id = ${id}`;
}
