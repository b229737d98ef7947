import { listRecurring, recurringCalendar } from '../../../contract/panel/recurring.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { on, type Route } from '../../platform/index.ts';
import { upcoming } from '../../recurring/index.ts';
import type { Tools } from '../../tools.ts';
import { always, type Place, readPlace, startOf, writePlace } from '../list.ts';
import { todayOf } from '../overview/show.ts';
import { findRecurringPlace, listDue, listNewest } from './store.ts';
import { writeRecurringRow, writeUpcoming } from './wire.ts';

const datesAtMost = 20;
/** How many a request looks through. */
const scannedAtMost = 2_000;
const newest: Place = { at: always.to, id: '' };

export const panelRecurringRoutes = (tools: Tools): Route<Person>[] => [
  on(recurringCalendar, async ({ caller, query, requestId }) => {
    const account = accountOf(caller);
    const { days = 32, limit = 50, after } = query;
    const until = startOf(todayOf(tools, account.zone).add({ days }), account.zone);
    const place = after === undefined ? null : readPlace(after, 'after');
    const found = await listDue(tools.db.sql, account.id, until, place, limit + 1);
    const now = tools.clock.now();
    const recurring = found.slice(0, limit).map(({ recurring: one }) => {
      const { items } = upcoming(one, undefined, now, datesAtMost);
      const dates = items.filter(({ at }) => Temporal.Instant.compare(at, until) < 0);
      return writeUpcoming(one, dates);
    });
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { ...done(requestId), recurring, nextAfter: last ? writePlace(last.place) : null };
  }),
  on(listRecurring, async ({ caller, query, requestId }) => {
    const { id } = accountOf(caller);
    const { limit = 50, status = null, before } = query;
    const from = before === undefined ? newest : readPlace(before);
    const { sql } = tools.db;
    const found = await listNewest(sql, id, status, from, scannedAtMost, limit + 1);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const next = last ? { at: last.createdAt, id: last.id } : await findRecurringPlace(sql, id, from, scannedAtMost);
    const nextBefore = next ? writePlace(next) : null;
    return { ...done(requestId), recurring: shown.map(writeRecurringRow), nextBefore };
  }),
];
