// Where we may send to. Asked when an address is saved, and again each time before something is sent.

import { isIP } from 'node:net';
import { classify } from './classify.ts';

export interface OutboundPolicy {
  /** Besides https. */
  readonly allowHttp: boolean;
  /** Loopback and private networks, names of one label, and every port: for development. */
  readonly allowPrivate: boolean;
}

export type AddressRefusal = 'unreadable' | 'scheme' | 'credentials' | 'port' | 'not_public';

export const addressLengthAtMost = 2_048;

/** Web ports only, so that no merchant can make us connect to mail servers or databases. */
const ports: Readonly<Record<string, readonly string[]>> = {
  'https:': ['', '443', '8443'],
  'http:': ['', '80', '8080'],
};

/** Names that no public name server knows (RFC 6761, RFC 8375, and what routers and clouds use). */
const inwardNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|test|invalid|example|onion|alt|arpa)$/;

/** Why this address is refused, or undefined when it may be saved. Names are resolved only when something is sent. */
export function checkAddress(address: string, policy: OutboundPolicy): AddressRefusal | undefined {
  // What URL parsers drop or turn round silently must not pass here: blanks, controls, backslashes.
  const url = address.length > addressLengthAtMost || /[\s\p{Cc}\\]/u.test(address) ? null : URL.parse(address);
  if (!url) return 'unreadable';
  const scheme = url.protocol;
  if (scheme !== 'https:' && !(scheme === 'http:' && policy.allowHttp)) return 'scheme';
  if (!/^https?:\/\/[^/]/i.test(address)) return 'unreadable';
  if (/^[^/?#]*\/\/[^/?#]*@/.test(address)) return 'credentials';
  if (!policy.allowPrivate && !ports[scheme]?.includes(url.port)) return 'port';
  return checkHost(url.hostname, policy);
}

/** The URL parser has turned every spelling of an IPv4 address (hex, octal, one number, full-width) into the usual one. */
function checkHost(host: string, policy: OutboundPolicy): AddressRefusal | undefined {
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(literal) !== 0) return allowed(literal, policy) ? undefined : 'not_public';
  const name = host.replace(/\.$/, '');
  if (name === '' || name.length > 253 || name.split('.').includes('')) return 'unreadable';
  if (policy.allowPrivate) return undefined;
  return !name.includes('.') || inwardNames.test(name) ? 'not_public' : undefined;
}

/** Whether we may connect to this IP address. */
export function allowed(address: string, policy: OutboundPolicy): boolean {
  const kind = classify(address);
  return kind === 'public' || (policy.allowPrivate && kind !== 'special');
}
