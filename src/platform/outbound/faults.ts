// Reports a URL that is refused on saving as a fault of its field.

import type { Fault } from '../../kernel/index.ts';
import { type AddressRefusal, addressLengthAtMost, checkAddress, type OutboundPolicy } from './policy.ts';

const sentences: Record<AddressRefusal, string> = {
  unreadable: 'Must be an absolute URL.',
  scheme: 'Must begin with https://.',
  credentials: 'Must not contain a user name or password.',
  port: 'Must use port 443 or 8443.',
  not_public: 'Must be a public address; notifications are not sent to private networks.',
};

/** Cached by policy and URL: a shop sends the same URL again and again. Bounded; cleared when full. */
const verdicts = new WeakMap<OutboundPolicy, Map<string, AddressRefusal | undefined>>();
const verdictsAtMost = 1_000;

function verdictOn(address: string, policy: OutboundPolicy): AddressRefusal | undefined {
  const known = verdicts.get(policy) ?? new Map<string, AddressRefusal | undefined>();
  if (known.has(address)) return known.get(address);
  const verdict = checkAddress(address, policy);
  if (known.size >= verdictsAtMost) known.clear();
  // A text too long to be a URL is not worth caching.
  if (address.length <= addressLengthAtMost) known.set(address, verdict);
  verdicts.set(policy, known);
  return verdict;
}

/** At most one fault; none for a value that is not a string, which the schema reports. */
export function addressFaults(value: unknown, field: string, policy: OutboundPolicy): Fault[] {
  if (typeof value !== 'string') return [];
  const refusal = verdictOn(value, policy);
  return refusal ? [{ code: 'not_valid', field, message: sentences[refusal] }] : [];
}
