// All SQL of caught mail. Owns: caught_mail.

import { type Row, readBytes, readInstant, readText, type Sql } from '../../platform/index.ts';

export interface CaughtMail {
  readonly id: string;
  readonly receivedAt: Temporal.Instant;
  /** The message as it came over SMTP. */
  readonly source: Uint8Array;
}

function readCaught(row: Row): CaughtMail {
  return { id: readText(row, 'id'), receivedAt: readInstant(row, 'received_at'), source: readBytes(row, 'source') };
}

/** Keeps one mail, and only the newest `atMost` of all. */
export async function insertCaught(sql: Sql, mail: CaughtMail, atMost: number): Promise<void> {
  await sql.run`
    with kept as (
      insert into caught_mail (id, received_at, source)
      values (${mail.id}, ${mail.receivedAt}, decode(${Buffer.from(mail.source).toString('hex')}, 'hex'))
    )
    delete from caught_mail where id in (select id from caught_mail order by id desc offset ${atMost - 1})`;
}

/** The newest mails, newest first. */
export function listCaught(sql: Sql, limit: number): Promise<CaughtMail[]> {
  return sql.many(readCaught)`select * from caught_mail order by received_at desc, id desc limit ${limit}`;
}

export function findCaught(sql: Sql, id: string): Promise<CaughtMail | undefined> {
  return sql.maybeOne(readCaught)`select * from caught_mail where id = ${id}`;
}
