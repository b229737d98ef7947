// The outbox: an event is written in the database transaction of the change that it reports, so neither exists without
// the other.

import { instantText, Secret } from '../kernel/index.ts';
import type { Sql, Vault } from '../platform/index.ts';
import type { NewEvent } from './model.ts';
import { insertEventRows } from './store.ts';

/** The vault purpose of a confidential body. */
export function bodyPurpose(eventId: string): string {
  return `event ${eventId} body`;
}

/** Inserts events in one statement, due immediately. Call it with the `sql` of the change's own `atomic`. */
export async function insertEvents(sql: Sql, vault: Vault, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEventRows(
    sql,
    events.map((event) => ({
      id: event.id,
      accountId: event.accountId,
      type: event.type,
      subjectId: event.subjectId,
      url: event.url,
      endpoint: event.url === null ? null : endpointOf(event.accountId, event.url),
      contentType: event.payload.contentType,
      body: event.payload.confidential
        ? vault.seal(new Secret(event.payload.body), bodyPurpose(event.id))
        : event.payload.body,
      sealed: event.payload.confidential,
      createdAt: instantText(event.createdAt),
    })),
  );
}

/**
 * The queue of a URL. By origin, because URLs may differ for each order while the hanging host is the same; by account,
 * because another account's failures must not count against it.
 */
export function endpointOf(accountId: string, url: string): string {
  return `${accountId} ${URL.canParse(url) ? new URL(url).origin : 'unreadable'}`;
}
