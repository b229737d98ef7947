// Requests and answers of the shop: limits, headers, and whose forms are read.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  /** `name=value`. */
  readonly cookie?: string;
  readonly body?: string;
}

/** The value of a field of a form or a query; empty if it is not there. */
export type Fields = (name: string) => string;

const bodyBytesAtMost = 49_152;

/** What pages may load from elsewhere. */
export interface Origins {
  /** The script and frame of the embedded payment form. */
  readonly grosz: string;
  /** The wallet vendor's script; empty when there is none. */
  readonly vendor: string;
}

export function send(
  response: ServerResponse,
  { status, type = 'text/html', location, cookie, body = '' }: Answer,
  { grosz, vendor }: Origins = { grosz: '', vendor: '' },
): void {
  if (response.headersSent) return void response.destroy();
  const headers: Record<string, string> = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    // No form-action: the way from our form to the payment page is a redirect to another site.
    'content-security-policy':
      `default-src 'none'; script-src 'self' ${grosz} ${vendor}; frame-src ${grosz || "'none'"}; style-src 'self'; ` +
      `img-src data:; connect-src 'self' ${vendor}; base-uri 'none'; frame-ancestors 'none'`,
  };
  if (location !== undefined) headers.location = location;
  if (cookie !== undefined) headers['set-cookie'] = `${cookie}; Path=/; HttpOnly; SameSite=Lax`;
  response.writeHead(status ?? (location === undefined ? 200 : 303), headers).end(body);
}

/**
 * Whether a form may come from our own pages: any site that a visitor opens can send one here, with the visitor's cookies.
 * Browsers name the sender in Sec-Fetch-Site, older ones in Origin.
 */
export function isOwnForm({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host;
}

/**
 * Whether the browser asked under a name of ours. A shop that only this machine reaches has an IP address or a name below
 * localhost; under any other name, a site has let its own name lead here, and its forms look like ours.
 */
export function isOwnHost({ headers }: IncomingMessage, listensOn: string): boolean {
  if (!isLocal(listensOn)) return true;
  const name = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(name) !== 0 || isLocal(name);
}

function isLocal(name: string): boolean {
  return name === '::1' || (name.startsWith('127.') && isIP(name) !== 0) || /(^|\.)localhost$/.test(name);
}

export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyBytesAtMost) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function cookieOf({ headers }: IncomingMessage, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
