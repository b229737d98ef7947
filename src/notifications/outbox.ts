// The outbox: an event is written in the database transaction of the change that it reports, so neither exists without
// the other.

import type { Sql } from '../database/index.ts';
import { Secret } from '../kernel/index.ts';
import type { Vault } from '../runtime/index.ts';
import type { Claimed } from './delivery/store.ts';
import type { NewEvent } from './model.ts';
import { type EventInsert, firstFence, insertEventRows } from './store.ts';

/** The vault purpose of a confidential body. */
export function bodyPurpose(eventId: string): string {
  return `event ${eventId} body`;
}

/**
 * The sender in this process. A delivery that is leased on insert and handed over after the commit needs no claim. If the
 * process dies in between, the delivery is due again when the lease expires, as after a claim.
 */
export interface Handover {
  /** How many more deliveries to this endpoint it can take now. */
  roomFor(endpoint: string): number;
  /** When a lease taken now expires. */
  leaseUntil(): Temporal.Instant;
  /** Starts sending them. */
  accept(claimed: readonly Claimed[], leaseUntil: Temporal.Instant): void;
}

/**
 * Inserts events with their deliveries, due immediately. Call it with the `sql` of the change's own `atomic`. With a
 * handover, those that it can take are sent after the commit, without a claim.
 */
export async function insertEvents(
  sql: Sql,
  vault: Vault,
  events: readonly NewEvent[],
  handover?: Handover,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => rowOf(vault, event));
  const claimed = handover ? claimable(handover, events, rows) : [];
  if (!handover || claimed.length === 0) return insertEventRows(sql, rows);
  const leaseUntil = handover.leaseUntil();
  const leased = new Set(claimed.map(({ eventId }) => eventId));
  await insertEventRows(
    sql,
    rows.map((row) => (leased.has(row.event.id) ? { ...row, leaseUntil } : row)),
  );
  sql.afterCommit(() => handover.accept(claimed, leaseUntil));
}

function rowOf(vault: Vault, { id, accountId, type, subjectId, url, payload, createdAt }: NewEvent): EventInsert {
  const { contentType, body, confidential: sealed } = payload;
  const stored = sealed ? vault.seal(new Secret(body), bodyPurpose(id)) : body;
  return {
    event: { id, accountId, type, subjectId, url, contentType, body: stored, sealed, createdAt },
    endpoint: url === null ? null : endpointOf(accountId, url),
    leaseUntil: null,
  };
}

/** The first events of each endpoint, as many as the sender can take. */
function claimable(handover: Handover, events: readonly NewEvent[], rows: readonly EventInsert[]): Claimed[] {
  const room = new Map<string, number>();
  return events.flatMap(({ webhookSecretSealed, createdAt }, index) => {
    const row = rows[index];
    if (webhookSecretSealed === undefined || !row || row.event.url === null || row.endpoint === null) return [];
    const left = room.get(row.endpoint) ?? handover.roomFor(row.endpoint);
    room.set(row.endpoint, left - 1);
    if (left <= 0) return [];
    const { event, endpoint } = row;
    return {
      eventId: event.id,
      accountId: event.accountId,
      endpoint,
      fence: firstFence,
      roundTries: 0,
      dueAt: createdAt,
      failures: 0,
      suspect: false,
      url: row.event.url,
      contentType: event.contentType,
      body: event.body,
      sealed: event.sealed,
      webhookSecretSealed,
    };
  });
}

/**
 * The queue of a URL. By origin, because URLs may differ for each order while the hanging host is the same; by account,
 * because another account's failures must not count against it.
 */
export function endpointOf(accountId: string, url: string): string {
  return `${accountId} ${URL.parse(url)?.origin ?? 'unreadable'}`;
}
