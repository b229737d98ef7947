import { getRequest, listRequests } from '../../../contract/panel/developers.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { refuse } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { askedBy } from '../list/filters.ts';
import { idPlace } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { type RequestQuery, requestConditions } from './query.ts';
import { findRequest, requestsAbout } from './store.ts';
import { serializeRequest } from './wire.ts';

export const requestRoutes = ({ db: { sql } }: Tools): Route<Person>[] => [
  on(listRequests, async ({ caller, query, requestId }) => {
    const { rows, next } = await readList(sql, requestsAbout(query.subjectId), {
      accountId: accountOf(caller).id,
      ...askedBy<RequestQuery, 'subjectId'>(requestConditions, query),
      after: idPlace(query.before),
    });
    return { ...done(requestId), requests: rows.map(serializeRequest), nextBefore: next?.id ?? null };
  }),
  on(getRequest, async ({ caller, params, requestId }) => {
    const found = (await findRequest(sql, accountOf(caller).id, params.id)) ?? refuse('not_found');
    const { body, response } = found;
    return { ...done(requestId), request: { ...serializeRequest(found), body, response } };
  }),
];
