// Idempotency keys: bound to one endpoint and its parameters, kept with the response for a day.

import { keyInUse, keyReused } from './errors.ts';
import { type Scope, scopeName } from './model.ts';
import type { Store, UsedKey } from './store.ts';

export interface KeyedRequest {
  readonly scope: Scope;
  readonly key: string;
  /** With the id in it: the same key for another object is another request. */
  readonly endpoint: string;
  readonly parameters: string;
  readonly requestId: string;
  readonly now: number;
}

const keyLengthAtMost = 255;

/** The response of the first request; undefined: this is the first. */
export function beginKey(store: Store, request: KeyedRequest, forgottenSeconds: number): UsedKey | undefined {
  const { scope, key, endpoint, parameters, requestId, now } = request;
  if (key.length > keyLengthAtMost) throw keyReused(`A key has at most ${keyLengthAtMost} characters.`);
  const used = store.findKey(scopeName(scope), key);
  if (used && used.usedAt + forgottenSeconds > now) {
    if (used.endpoint !== endpoint) throw keyReused(`This key was used for ${used.endpoint}.`);
    if (used.parameters !== parameters) throw keyReused('This key was used with other parameters.');
    if (used.status === null) throw keyInUse();
    return used;
  }
  store.insertKey(scopeName(scope), key, { endpoint, parameters, usedAt: now, requestId });
  return undefined;
}

/** The same text for the same parameters, in whatever order they were sent. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}
