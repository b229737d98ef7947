// Reports a URL that is refused on saving as a fault of its field.

import type { Fault } from '../kernel/index.ts';
import { type AddressRefusal, checkAddress, type OutboundPolicy } from './policy.ts';

const sentences: Record<AddressRefusal, string> = {
  unreadable: 'Must be an absolute URL.',
  scheme: 'Must begin with https://.',
  credentials: 'Must not contain a user name or password.',
  port: 'Must use port 443 or 8443.',
  not_public: 'Must be a public address; notifications are not sent to private networks.',
};

/** At most one fault; none for a value that is not a string, which the schema reports. */
export function addressFaults(value: unknown, field: string, policy: OutboundPolicy): Fault[] {
  if (typeof value !== 'string') return [];
  const refusal = checkAddress(value, policy);
  return refusal ? [{ code: 'not_valid', field, message: sentences[refusal] }] : [];
}
