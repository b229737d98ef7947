// Logged requests, to wire.

import type { LoggedRequest } from './store.ts';

export function serializeRequest(row: LoggedRequest) {
  const { id, requestId, at, endpoint, method, path, status, milliseconds, ignoredFields } = row;
  return { id, requestId, at: at.toString(), endpoint, method, path, status, milliseconds, ignoredFields };
}
