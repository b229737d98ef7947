// GET /events: all notifications of an account in order, without gaps.
//
// Sequence numbers are handed out before a commit and become visible out of order, so a reader that remembers the last
// one would miss what commits late. Positions are dealt after the commit instead, by one at a time.

import type { World } from '../world.ts';
import { bodyPurpose } from './outbox.ts';
import { type EventRow, hasUnnumbered, listEventRows, lockNumbering, numberEventRows } from './store.ts';

const numberedAtOnce = 5_000;

/** Deals positions to events that have none; answers how many got one. The engine runs it, and so does a reader in need. */
export function numberEvents(world: Pick<World, 'db'>): Promise<number> {
  return world.db.atomic(async (sql) => {
    await lockNumbering(sql);
    return numberEventRows(sql, numberedAtOnce);
  });
}

export interface EventPage {
  readonly events: readonly EventRow[];
  /** The cursor to go on with. */
  readonly after: number;
  readonly hasMore: boolean;
}

/** What was committed before the call is numbered before it is read, so that nothing is missed. */
export async function readEvents(
  world: Pick<World, 'db' | 'vault'>,
  accountId: string,
  after: number,
  limit: number,
): Promise<EventPage> {
  if (await hasUnnumbered(world.db.sql, accountId)) await numberAll(world);
  const found = await listEventRows(world.db.sql, accountId, after, limit + 1);
  const events = found.slice(0, limit).map((event) => ({ ...event, body: openBody(world, event) }));
  const last = events.at(-1);
  return { events, after: last ? Number(last.position) : after, hasMore: found.length > limit };
}

/** Ends with the first step that was not full: what commits after that need not be in this answer. */
async function numberAll(world: Pick<World, 'db'>): Promise<void> {
  while ((await numberEvents(world)) === numberedAtOnce);
}

function openBody(world: Pick<World, 'vault'>, event: EventRow): string {
  return event.sealed ? world.vault.open(event.body, bodyPurpose(event.id)).reveal() : event.body;
}
