// Reports a URL that is refused on saving as a fault of its field.

import { notValid } from '../../contract/codes/english/values.ts';
import type { Fault } from '../kernel/index.ts';
import { type AddressRefusal, checkAddress, type OutboundPolicy } from './policy.ts';

const rules = {
  unreadable: 'absolute_url',
  scheme: 'https_url',
  credentials: 'url_without_credentials',
  port: 'usual_port',
  not_public: 'public_address',
} as const satisfies Record<AddressRefusal, string>;

/** At most one fault; none for a value that is not a string, which the schema reports. */
export function addressFaults(value: unknown, field: string, policy: OutboundPolicy): Fault[] {
  if (typeof value !== 'string') return [];
  const refusal = checkAddress(value, policy);
  return refusal ? [notValid(field, rules[refusal])] : [];
}
