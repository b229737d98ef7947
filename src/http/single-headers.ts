// Headers that say who asks, for whom, and what the body is. Node keeps the first of some and joins others; a proxy before us
// may do the opposite, so that what it checked is not what we read. Sent twice they are refused.

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../kernel/index.ts';

const singleHeaders = new Map(
  [
    'Host',
    'Authorization',
    'Content-Type',
    'Content-Encoding',
    'Content-Length',
    'Idempotency-Key',
    'Origin',
    'Sec-Fetch-Site',
    'X-Merchant-Id',
    'X-View-As',
    'X-CSRF-Token',
    'Acquirer-Key-Id',
    'Acquirer-Timestamp',
    'Acquirer-Signature',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Refuses with the names of those that were sent more than once, also with the same value. */
export function refuseRepeatedHeaders({ rawHeaders, headers }: IncomingMessage): void {
  // As many names as lines: nothing is repeated. That is nearly every request.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const single = singleHeaders.get(name);
    if (single !== undefined && seen.has(name)) repeated.add(single);
    seen.add(name);
  }
  if (repeated.size === 0) return;
  const message = 'The header was sent more than once.';
  throw new Refusal([...repeated].map((field) => ({ code: 'duplicate_field', field, message })));
}
