// Logged requests, to wire.

import type { LoggedRequest } from './store.ts';

export function writeRequest(row: LoggedRequest) {
  const { id, requestId, at, endpoint, method, path, status, milliseconds, ignoredFields } = row;
  return { id, requestId, at: at.toString(), endpoint, method, path, status, milliseconds, ignoredFields };
}
