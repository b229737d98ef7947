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

/** Where a request to a URL goes, or why none is sent. */
export type Address = Target | { readonly refusal: AddressRefusal };

export interface Target {
  readonly refusal: undefined;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

export type AddressRefusal = 'unreadable' | 'scheme' | 'credentials' | 'port' | 'not_public';

export const addressLengthAtMost = 2_048;

/**
 * Web ports only, so that no merchant can make us connect to mail servers or databases. The URL parser leaves out the
 * usual one.
 */
const ports: Readonly<Record<string, readonly string[]>> = {
  'https:': ['', '8443'],
  'http:': ['', '8080'],
};

/** Names that public DNS does not resolve (RFC 6761, RFC 8375, and names used by routers and clouds). */
const inwardNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|test|invalid|example|onion|alt|arpa)$/;

/** Cached by policy and URL: a shop sends the same URL again and again. Bounded; cleared when full. */
const known = new WeakMap<OutboundPolicy, Map<string, Address>>();
const knownAtMost = 1_000;

/** Reads a URL. Depends on the text and the policy alone: names are resolved only when something is sent. */
export function readAddress(text: string, policy: OutboundPolicy): Address {
  const addresses = known.get(policy) ?? new Map<string, Address>();
  let address = addresses.get(text);
  if (!address) {
    address = parse(text, policy);
    if (addresses.size >= knownAtMost) addresses.clear();
    // A text too long to be a URL is not worth caching.
    if (text.length <= addressLengthAtMost) addresses.set(text, address);
    known.set(policy, addresses);
  }
  return address;
}

/** Why this URL is refused; undefined if it may be saved. */
export function checkAddress(text: string, policy: OutboundPolicy): AddressRefusal | undefined {
  return readAddress(text, policy).refusal;
}

function parse(text: string, policy: OutboundPolicy): Address {
  // Characters that URL parsers silently drop or convert are refused: whitespace, control characters, backslashes.
  const url = text.length > addressLengthAtMost || /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text);
  if (!url) return { refusal: 'unreadable' };
  const refusal = refusalOf(text, url, policy);
  return refusal ? { refusal } : { refusal, origin: url.origin, path: `${url.pathname}${url.search}` };
}

function refusalOf(text: string, url: URL, policy: OutboundPolicy): AddressRefusal | undefined {
  const scheme = url.protocol;
  if (scheme !== 'https:' && !(scheme === 'http:' && policy.allowHttp)) return 'scheme';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'unreadable';
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return 'credentials';
  if (!policy.allowPrivate && !ports[scheme]?.includes(url.port) && !policy.ports?.includes(Number(url.port)))
    return 'port';
  return checkHost(url.hostname, policy);
}

/** The URL parser has normalized every notation of an IPv4 address (hex, octal, a single number, full-width). */
function checkHost(host: string, policy: OutboundPolicy): AddressRefusal | undefined {
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(literal) !== 0) return allowed(literal, policy) ? undefined : 'not_public';
  const name = host.replace(/\.$/, '');
  if (name.length > 253 || name.split('.').includes('')) return 'unreadable';
  if (policy.allowPrivate) return undefined;
  return !name.includes('.') || inwardNames.test(name) ? 'not_public' : undefined;
}

/** Whether we may connect to this IP address. */
export function allowed(address: string, policy: OutboundPolicy): boolean {
  const kind = classify(address);
  return kind === 'public' || (policy.allowPrivate && kind !== 'special');
}
