import { getComing, listRecurring, recurringCalendar } from '../../../contract/panel/recurring.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { idFrom, type RecurringId, refuse } from '../../kernel/index.ts';
import { findDated, upcoming } from '../../recurring/index.ts';
import { laterTurn } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { askedBy } from '../list/filters.ts';
import { formatPlace, parsePlace, startOf } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { todayOf } from '../overview/show.ts';
import { recurringConditions } from './query.ts';
import { listDue, recurringList } from './read.ts';
import { serializeComing, serializeRecurringRow, serializeUpcoming } from './wire.ts';

const datesAtMost = 20;
const recurringOfTurn = 10;

export const panelRecurringRoutes = (tools: Tools): Route<Person>[] => [
  on(recurringCalendar, async ({ caller, query, requestId }) => {
    const account = accountOf(caller);
    const { days = 32, limit = 50, after } = query;
    const until = startOf(todayOf(tools, account.zone).add({ days }), account.zone);
    const place = after === undefined ? null : parsePlace(after, 'after');
    const found = await listDue(tools.db.sql, account.id, until, place, limit + 1);
    const now = tools.clock.now();
    const recurring: ReturnType<typeof serializeUpcoming>[] = [];
    for (const { recurring: one } of found.slice(0, limit)) {
      // Dates in a time zone take long to compute: each recurring payment has a part of a turn.
      if (recurring.length % recurringOfTurn === recurringOfTurn - 1) await laterTurn('heavy');
      const { items } = upcoming(one, undefined, now, datesAtMost);
      recurring.push(
        serializeUpcoming(
          one,
          items.filter(({ at }) => Temporal.Instant.compare(at, until) < 0),
        ),
      );
    }
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { ...done(requestId), recurring, nextAfter: last ? formatPlace(last.place) : null };
  }),
  on(getComing, async ({ caller, params, query, requestId }) => {
    const id = idFrom<RecurringId>(params.recurringId) ?? refuse('not_found');
    return {
      ...done(requestId),
      ...serializeComing(await findDated(tools, accountOf(caller).id, id, query.limit ?? 12)),
    };
  }),
  on(listRecurring, async ({ caller, query, requestId }) => {
    const { rows, next } = await readList(tools.db.sql, recurringList, {
      accountId: accountOf(caller).id,
      ...askedBy(recurringConditions, query),
      after: query.before === undefined ? null : parsePlace(query.before),
    });
    return { ...done(requestId), recurring: rows.map(serializeRecurringRow), nextBefore: next && formatPlace(next) };
  }),
];
