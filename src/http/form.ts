// Parses forms, for the API and the pages.

import type { FastifyRequest } from 'fastify';
import { Refusal, refuse } from '../kernel/index.ts';

/** More than three times the fields of our largest form. */
const fieldsAtMost = 50;

/**
 * The fields of an `application/x-www-form-urlencoded` body. They are counted before parsing: Node takes 30 ms of CPU
 * for the 32 thousand empty fields of 64 KiB, a hundred times as much as for one long field. A field that occurs twice
 * is refused.
 */
export function readForm(body: unknown): URLSearchParams {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : typeof body === 'string' ? body : '';
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > fieldsAtMost) {
      refuse('invalid_request_body', '', `A form must have at most ${fieldsAtMost} fields.`);
    }
  }
  const form = new URLSearchParams(text);
  refuseRepeated(form.keys());
  return form;
}

/** Before the body of a page's form is read: any other type is refused, so that nothing is read as what it is not. */
export function refuseOtherBodies({ headers }: FastifyRequest): void {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (hasBody && type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') refuse('unsupported_media_type');
}

const nameLengthAtMost = 100;

/** Of a field that was sent twice one value would win silently (docs/decisions/0002). */
export function refuseRepeated(names: Iterable<string>): void {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) repeated.add(name.slice(0, nameLengthAtMost));
    seen.add(name);
  }
  if (repeated.size > 0) throw new Refusal([...repeated].map((field) => ({ code: 'duplicate_field', field })));
}

/** A header that was sent more than once is joined, as HTTP says. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

/**
 * Whether a request may have come from one of our pages. Browsers say so in Sec-Fetch-Site, older ones in Origin; a
 * request with neither is not from a browser, so no page can have forged it.
 */
export function isFromOwnPage({ headers }: FastifyRequest, isOwnOrigin: (origin: string) => boolean): boolean {
  const site = headerText(headers['sec-fetch-site']);
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || isOwnOrigin(headers.origin);
}

/**
 * The same for a form. The page's referrer policy must be `same-origin`: with `no-referrer`, older browsers send `null`
 * as the origin of our own forms.
 */
export function isOwnForm(request: FastifyRequest, baseUrl: string): boolean {
  return isFromOwnPage(request, (origin) => {
    if (!URL.canParse(origin)) return false;
    return origin === new URL(baseUrl).origin || new URL(origin).host === request.headers.host;
  });
}
