// Which URLs we may send to. Checked when a URL is saved, and again before each send.

import { isIP } from 'node:net';
import { classify } from './classify.ts';

export interface OutboundPolicy {
  /** In addition to https. */
  readonly allowHttp: boolean;
  /** Loopback and private networks, single-label names, and every port: for development. */
  readonly allowPrivate: boolean;
  /** In addition to the usual web ports, for hosts that the operator configured. */
  readonly ports?: readonly number[];
}

export type AddressRefusal = 'unreadable' | 'scheme' | 'credentials' | 'port' | 'not_public';

export const addressLengthAtMost = 2_048;

/** Web ports only, so that no merchant can make us connect to mail servers or databases. */
const ports: Readonly<Record<string, readonly string[]>> = {
  'https:': ['', '443', '8443'],
  'http:': ['', '80', '8080'],
};

/** Names that public DNS does not resolve (RFC 6761, RFC 8375, and names used by routers and clouds). */
const inwardNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|test|invalid|example|onion|alt|arpa)$/;

/** Why this URL is refused; undefined if it may be saved. Names are resolved only when something is sent. */
export function checkAddress(address: string, policy: OutboundPolicy): AddressRefusal | undefined {
  // Characters that URL parsers silently drop or convert are refused: whitespace, control characters, backslashes.
  const url = address.length > addressLengthAtMost || /[\s\p{Cc}\\]/u.test(address) ? null : URL.parse(address);
  if (!url) return 'unreadable';
  const scheme = url.protocol;
  if (scheme !== 'https:' && !(scheme === 'http:' && policy.allowHttp)) return 'scheme';
  if (!/^https?:\/\/[^/]/i.test(address)) return 'unreadable';
  if (/^[^/?#]*\/\/[^/?#]*@/.test(address)) return 'credentials';
  if (!policy.allowPrivate && !ports[scheme]?.includes(url.port) && !policy.ports?.includes(Number(url.port)))
    return 'port';
  return checkHost(url.hostname, policy);
}

/** The URL parser has normalized every notation of an IPv4 address (hex, octal, a single number, full-width). */
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
