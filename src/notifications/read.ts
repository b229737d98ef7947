// GET /events: all notifications of an account in order, without gaps.
//
// Sequence values are assigned before the commit and become visible out of order, so a reader that remembers the last
// one would miss late commits. Positions are therefore assigned after the commit, by one node at a time.

import type { Tools } from '../tools.ts';
import { bodyPurpose } from './outbox.ts';
import { type EventRow, hasUnnumbered, listEventRows, lockNumbering, numberEventRows } from './store.ts';

export const numberedAtOnce = 5_000;

/**
 * Assigns positions to events that have none; returns how many. Called by the engine, and by readers when necessary.
 */
export function numberEvents(tools: Pick<Tools, 'db'>): Promise<number> {
  return tools.db.atomic(async (sql) => {
    await lockNumbering(sql);
    return numberEventRows(sql, numberedAtOnce);
  });
}

export interface EventPage {
  readonly events: readonly EventRow[];
  /** The cursor for the next page. */
  readonly after: number;
  readonly hasMore: boolean;
}

/** Events committed before the call are numbered before reading, so that nothing is missed. */
export async function readEvents(
  tools: Pick<Tools, 'db' | 'vault'>,
  accountId: string,
  after: number,
  limit: number,
): Promise<EventPage> {
  if (await hasUnnumbered(tools.db.sql, accountId)) await numberAll(tools);
  const found = await listEventRows(tools.db.sql, accountId, after, limit + 1);
  const events = found.slice(0, limit).map((event) => ({ ...event, body: openBody(tools, event) }));
  const last = events.at(-1);
  return { events, after: last ? Number(last.position) : after, hasMore: found.length > limit };
}

/** Stops at the first batch that is not full: events committed later need not be in this response. */
async function numberAll(tools: Pick<Tools, 'db'>): Promise<void> {
  while ((await numberEvents(tools)) >= numberedAtOnce);
}

function openBody(tools: Pick<Tools, 'vault'>, event: EventRow): string {
  return event.sealed ? tools.vault.open(event.body, bodyPurpose(event.id)).reveal() : event.body;
}
