import * as contract from '../../../contract/panel/developers.ts';
import { readAccountSecrets } from '../../accounts/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { decimalFromMinor, refuse, Unavailable } from '../../kernel/index.ts';
import { readEvents, type Signing, sendTestNotification } from '../../notifications/index.ts';
import { addressFaults, on, type Route } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import {
  countExhausted,
  countPending,
  findNotification,
  findRequest,
  findSubjects,
  type LoggedRequest,
  listExhausted,
  listFailing,
  listNewest,
  listRequestsOf,
  type Notification,
  type Subject,
} from './store.ts';

const testsAtOnce = 4;

export function developerRoutes(tools: Tools, signing: Signing): Route<Person>[] {
  const { sql } = tools.db;
  let testing = 0;

  /** A few at a time: each holds a connection to somebody else's server. */
  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (testing >= testsAtOnce) throw new Unavailable('too_many_requests');
    testing += 1;
    try {
      return await run();
    } finally {
      testing -= 1;
    }
  }

  return [
    on(contract.listRequests, async ({ caller, query, requestId }) => {
      const { before, limit = 50, status, endpoint, requestId: wanted } = query;
      const rows = await listRequestsOf(sql, {
        accountId: accountOf(caller).id,
        before: before ?? null,
        limit: limit + 1,
        failed: status === undefined ? null : status === 'error',
        endpoint: endpoint ?? null,
        requestId: wanted ?? null,
      });
      const shown = rows.slice(0, limit);
      const nextBefore = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
      return { ...done(requestId), requests: shown.map(writeRequest), nextBefore };
    }),
    on(contract.getRequest, async ({ caller, params, requestId }) => {
      const found = (await findRequest(sql, accountOf(caller).id, params.id)) ?? refuse('not_found');
      const { body, response } = found;
      return { ...done(requestId), request: { ...writeRequest(found), body, response } };
    }),
    on(contract.listNotifications, async ({ caller, query, requestId }) => {
      const { before = null, limit = 50, status = null } = query;
      const accountId = accountOf(caller).id;
      const rows =
        status === 'exhausted'
          ? await listExhausted(sql, { accountId, before, limit: limit + 1 })
          : await listNewest(sql, { accountId, before: positionOf(before), limit: limit + 1 }, status);
      const shown = rows.slice(0, limit);
      const ids = shown.map(({ notification }) => notification.eventId);
      const subjects = await findSubjects(sql, accountId, ids);
      return {
        ...done(requestId),
        notifications: shown.map(({ notification }) =>
          writeNotification(notification, subjects.get(notification.eventId)),
        ),
        nextBefore: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
      };
    }),
    on(contract.getNotification, async ({ caller, params, requestId }) => {
      const { id } = accountOf(caller);
      const found = (await findNotification(sql, id, params.eventId)) ?? refuse('not_found');
      const [event] = (await readEvents(tools, id, { after: found.position - 1, limit: 1 })).events;
      const { contentType, body: payload } = event ?? refuse('not_found');
      const subject = (await findSubjects(sql, id, [params.eventId])).get(params.eventId);
      const notification = { ...writeNotification(found.notification, subject), contentType, payload };
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
    on(
      contract.sendTestNotification,
      async ({ caller, body, requestId }) => {
        const { id, zone } = accountOf(caller);
        const account = { id, zone, ...(await readAccountSecrets(tools, id)) };
        const tested = await inTurn(() => sendTestNotification(tools, signing, account, body.url));
        return { ...done(requestId), delivered: tested.error === null, ...tested };
      },
      (body) => addressFaults((body as { url?: unknown })?.url, 'url', tools.config.callbackPolicy),
    ),
  ];
}

function positionOf(before: string | null): bigint | null {
  if (before === null) return null;
  return /^\d{1,18}$/.test(before) ? BigInt(before) : refuse('not_valid', 'before', 'Must be nextBefore of a page.');
}

function writeRequest(row: LoggedRequest) {
  const { id, requestId, at, endpoint, method, path, status, milliseconds, ignoredFields } = row;
  return { id, requestId, at: at.toString(), endpoint, method, path, status, milliseconds, ignoredFields };
}

function writeNotification(notification: Notification, subject: Subject | undefined) {
  return {
    ...notification,
    title: subject?.title ?? null,
    amount: subject ? decimalFromMinor(subject.amountMinor) : null,
    currency: subject?.currency ?? null,
    createdAt: notification.createdAt.toString(),
    nextTryAt: notification.nextTryAt?.toString() ?? null,
  };
}
