// The refusal of an address at saving, as a fault of its field.

import type { Fault } from '../../kernel/index.ts';
import { type AddressRefusal, checkAddress, type OutboundPolicy } from './policy.ts';

const sentences: Record<AddressRefusal, string> = {
  unreadable: 'The address cannot be read.',
  scheme: 'The address must begin with https://.',
  credentials: 'The address must not hold a user or a password.',
  port: 'The port is not allowed: use 443 or 8443.',
  not_public: 'The address must be public: notifications are not sent into private networks.',
};

/** At most one fault; none for a value that is no text, which the schema finds by itself. */
export function addressFaults(value: unknown, field: string, policy: OutboundPolicy): Fault[] {
  if (typeof value !== 'string') return [];
  const refusal = checkAddress(value, policy);
  return refusal ? [{ code: 'not_valid', field, message: sentences[refusal] }] : [];
}
