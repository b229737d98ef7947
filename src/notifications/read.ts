// GET /events: all notifications of an account in order, without gaps.
//
// Sequence values are assigned before the commit and become visible out of order, so a reader that remembers the last
// one would miss late commits. Positions are therefore assigned after the commit, by one node at a time.

import type { Tools } from '../tools.ts';
import type { EventType } from './model.ts';
import { bodyPurpose } from './outbox.ts';
import {
  type EventRow,
  endOfScan,
  hasUnnumbered,
  listEventRows,
  listNewestEventRows,
  listTransactionEventRows,
  lockNumbering,
  numberEventRows,
} from './store.ts';

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

export interface EventsWanted {
  /** The cursor: 0 for the beginning, or for the newest. */
  readonly after: number;
  readonly limit: number;
  readonly type?: EventType | undefined;
  readonly transactionId?: string | undefined;
  readonly newestFirst?: boolean;
}

/** How many events are looked at for those of one type: nobody may ask for a search of all. */
export const lookedAtAtMost = 2_000;

/** Events committed before the call are numbered before reading, so that nothing is missed. */
export async function readEvents(
  tools: Pick<Tools, 'db' | 'vault'>,
  accountId: string,
  wanted: EventsWanted,
): Promise<EventPage> {
  const { sql } = tools.db;
  const { after, limit } = wanted;
  if (await hasUnnumbered(sql, accountId)) await numberAll(tools);
  // Where looking for one type ends is read first, and nothing beyond it is looked at: an event that is numbered meanwhile
  // comes after the cursor.
  const looks = wanted.type !== undefined && wanted.transactionId === undefined;
  const end = looks ? await endOfScan(sql, accountId, { ...wanted, scan: lookedAtAtMost }) : undefined;
  if (end && end.position === undefined) return { events: [], after, hasMore: false };
  const found = await findEvents(tools, accountId, wanted, end?.position);
  const events = found.slice(0, limit).map((event) => ({ ...event, body: openBody(tools, event) }));
  const last = events.at(-1);
  const page = { events, after: last ? Number(last.position) : after, hasMore: found.length > limit };
  return !end || page.hasMore ? page : { ...page, after: end.position ?? page.after, hasMore: end.isFull };
}

function findEvents(
  { db: { sql } }: Pick<Tools, 'db'>,
  accountId: string,
  wanted: EventsWanted,
  until: number | undefined,
): Promise<EventRow[]> {
  const { after, limit, type, transactionId, newestFirst = false } = wanted;
  const range = { after, limit: limit + 1, type, scan: until === undefined ? limit + 1 : null, until };
  if (transactionId !== undefined) return listTransactionEventRows(sql, accountId, transactionId, newestFirst, range);
  return newestFirst ? listNewestEventRows(sql, accountId, range) : listEventRows(sql, accountId, range);
}

/** Stops at the first batch that is not full: events committed later need not be in this response. */
async function numberAll(tools: Pick<Tools, 'db'>): Promise<void> {
  while ((await numberEvents(tools)) >= numberedAtOnce);
}

function openBody(tools: Pick<Tools, 'vault'>, event: EventRow): string {
  return event.sealed ? tools.vault.open(event.body, bodyPurpose(event.id)).reveal() : event.body;
}
