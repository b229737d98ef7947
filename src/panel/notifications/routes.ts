import { notValid } from '../../../contract/codes/english/values.ts';
import * as contract from '../../../contract/panel/developers.ts';
import { readAccountSecrets } from '../../accounts/index.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { refuse, refuseFault, Unavailable } from '../../kernel/index.ts';
import { readEvents, type Signing, sendTestNotification } from '../../notifications/index.ts';
import { addressFaults } from '../../outbound/index.ts';
import type { Tools } from '../../tools.ts';
import { askedBy } from '../list/filters.ts';
import { idPlace, type Place } from '../list/place.ts';
import { type List, readList } from '../list/read.ts';
import { notificationConditions } from './query.ts';
import {
  countExhausted,
  countPending,
  exhaustedList,
  findNotification,
  findSubjects,
  listFailing,
  type Notification,
  notificationList,
} from './read.ts';
import { serializeNotification } from './wire.ts';

const testsAtOnce = 4;

export function notificationRoutes(tools: Tools, signing: Signing): Route<Person>[] {
  return [...readingRoutes(tools), testRoute(tools, signing)];
}

function readingRoutes(tools: Tools): Route<Person>[] {
  const { sql } = tools.db;
  return [
    on(contract.listNotifications, async ({ caller, query, requestId }) => {
      const accountId = accountOf(caller).id;
      const list = query.status === 'exhausted' ? exhaustedList : notificationList;
      const { rows, next } = await readList(sql, list, {
        accountId,
        ...askedBy(notificationConditions, query),
        after: placeOf(list, query.before),
      });
      const ids = rows.map(({ eventId }) => eventId);
      const subjects = await findSubjects(sql, accountId, ids);
      return {
        ...done(requestId),
        notifications: rows.map((row) => serializeNotification(row, subjects.get(row.eventId))),
        nextBefore: next?.id ?? null,
      };
    }),
    on(contract.getNotification, async ({ caller, params, requestId }) => {
      const { id } = accountOf(caller);
      const found = (await findNotification(sql, id, params.eventId)) ?? refuse('not_found');
      const [event] = (await readEvents(tools, id, { after: found.position - 1, limit: 1 })).events;
      const { contentType, body: payload } = event ?? refuse('not_found');
      const subject = (await findSubjects(sql, id, [params.eventId])).get(params.eventId);
      const notification = { ...serializeNotification(found.notification, subject), contentType, payload };
      return { ...done(requestId), notification };
    }),
    on(contract.listEndpointHealth, async ({ caller, requestId }) => {
      const { id } = accountOf(caller);
      const failing = await listFailing(sql, id);
      return {
        ...done(requestId),
        endpoints: failing.map(({ endpoint, failuresInRow, failingSince, lastFailureAt, lastError }) => ({
          origin: endpoint.slice(id.length + 1),
          failuresInRow,
          failingSince: failingSince.toString(),
          lastFailureAt: lastFailureAt.toString(),
          lastError,
        })),
        pending: await countPending(sql, id),
        exhausted: await countExhausted(sql, id),
      };
    }),
  ];
}

function testRoute(tools: Tools, signing: Signing): Route<Person> {
  let testing = 0;

  /** A few at a time: each keeps a connection to somebody else's server open. */
  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (testing >= testsAtOnce) throw new Unavailable('too_many_requests');
    testing += 1;
    try {
      return await run();
    } finally {
      testing -= 1;
    }
  }

  return on(
    contract.sendTestNotification,
    async ({ caller, body, requestId }) => {
      const { id, zone } = accountOf(caller);
      const account = { id, zone, ...(await readAccountSecrets(tools, id)) };
      const tested = await inTurn(() => sendTestNotification(tools, signing, account, body.url));
      return { ...done(requestId), delivered: tested.error === null, ...tested };
    },
    (body) => addressFaults((body as { url?: unknown })?.url, 'url', tools.config.callbackPolicy),
  );
}

function placeOf({ idType }: List<Notification>, before: string | undefined): Place | null {
  const isPlace = before === undefined || idType === 'text' || /^\d{1,18}$/.test(before);
  return isPlace ? idPlace(before) : refuseFault(notValid('before', 'of_a_page'));
}
