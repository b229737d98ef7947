// The session cookie, and the protection against requests that another site makes with it.

import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { headerText, type Identification, isFromOwnPage } from '../http/index.ts';
import { refuse } from '../kernel/index.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const sessionName = 'session';

/** With the prefix `__Host-` browsers accept it only over TLS and from this very host. */
function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-grosz_${name}` : `grosz_${name}`;
}

/** `token` undefined removes the cookie. */
export function serializeCookie(baseUrl: string, token: string | undefined): string {
  return serializeCookieOf(baseUrl, sessionName, token ?? '', token === undefined ? 0 : undefined);
}

/** Without `seconds` it ends with the browser. */
export function serializeCookieOf(baseUrl: string, name: string, value: string, seconds?: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${cookieName(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`;
}

const cookiesAtMost = 4_096;

/** The token in a Cookie header; undefined if there is none, or more than one. */
export function readCookie(baseUrl: string, header: string): string | undefined {
  return readCookieOf(baseUrl, sessionName, header);
}

export function readCookieOf(baseUrl: string, name: string, header: string): string | undefined {
  if (header.length > cookiesAtMost) return undefined;
  const start = `${cookieName(baseUrl, name)}=`;
  const found = header.split(';').flatMap((part) => {
    const pair = part.trim();
    return pair.startsWith(start) ? [pair.slice(start.length)] : [];
  });
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

/** Only a page that can read our responses knows it. */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('hex');
}

/** Origins of pages that may call: our own, and on this machine its other names. */
export function isOwnOrigin(baseUrl: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [own, other] = [new URL(baseUrl), new URL(origin)];
  if (own.origin === other.origin) return true;
  const sameDoor = own.protocol === other.protocol && own.port === other.port;
  return sameDoor && loopback.test(own.hostname) && loopback.test(other.hostname);
}

/** HEAD is GET without its body. */
const onlyReads = (method: string) => method === 'GET' || method === 'HEAD';

/** People are identified by the cookie; what changes something needs the CSRF token too. */
export function identification(baseUrl: string): Identification {
  const isOwn = (origin: string) => isOwnOrigin(baseUrl, origin);

  /** Also where the browser vouches for the page, its origin must be ours: a name may lead here that is not ours. */
  function guard(request: FastifyRequest): void {
    const { method, headers } = request;
    if (onlyReads(method)) return;
    if (isFromOwnPage(request, isOwn) && (!headers.origin || isOwn(headers.origin))) return;
    refuse('access_denied', '', 'The request comes from another site.');
  }

  return {
    guard,
    credentials: ({ method, headers }) => {
      const token = readCookie(baseUrl, headers.cookie ?? '');
      if (token !== undefined && !onlyReads(method)) checkCsrf(token, headerText(headers['x-csrf-token']) ?? '');
      return { authorization: token, merchantId: headerText(headers['x-view-as']) };
    },
  };
}

function checkCsrf(token: string, given: string): void {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  if (timingSafeEqual(digest(csrfTokenOf(token)), digest(given))) return;
  refuse('access_denied', '', 'The header X-CSRF-Token is missing or wrong.', 'Send csrfToken of the session.');
}
