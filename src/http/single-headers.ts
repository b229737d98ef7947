// Headers that say who asks, for whom, and what the body is. Node keeps the first of some and joins others; a proxy before us
// may do the opposite, so that what it checked is not what we read. Sent twice they are refused.

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../kernel/index.ts';

const usualHeaders = [
  'Host',
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Idempotency-Key',
  'Origin',
  'Sec-Fetch-Site',
];

/** These, and those that rooms read, by their names in lower case. */
export function singleHeaders(ofRooms: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...usualHeaders, ...ofRooms].map((name) => [name.toLowerCase(), name]));
}

/** Refuses with the names of those that were sent more than once, also with the same value. */
export function refuseRepeatedHeaders(
  { rawHeaders, headers }: IncomingMessage,
  single: ReadonlyMap<string, string>,
): void {
  // As many names as lines: nothing is repeated. That is nearly every request.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const known = single.get(name);
    if (known !== undefined && seen.has(name)) repeated.add(known);
    seen.add(name);
  }
  if (repeated.size === 0) return;
  const message = 'The header was sent more than once.';
  throw new Refusal([...repeated].map((field) => ({ code: 'duplicate_field', field, message })));
}
