// What the list of logged requests is asked.

import type { listRequests } from '../../../contract/panel/developers.ts';
import { sqlPart } from '../../database/index.ts';
import { type Conditions, equals, type QueryOf } from '../list/filters.ts';

export type RequestQuery = QueryOf<typeof listRequests>;

/** `subjectId` has an index of its own. */
export const requestConditions: Conditions<RequestQuery, 'subjectId'> = {
  status: (status) => sqlPart`${status}::text is null or (status >= 400) = (${status}::text = 'error')`,
  endpoint: equals('endpoint'),
  requestId: equals('request_id'),
};
