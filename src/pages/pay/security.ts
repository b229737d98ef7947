// Security headers of the pay page.

import type { FastifyReply } from 'fastify';

/** Only our own scripts, styles and images; nothing inline, no framing, and forms go nowhere else. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * The URL contains the payer's key: `same-origin` hides it from other sites, and unlike `no-referrer` it lets the
 * browser send the origin of our own forms.
 */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-robots-tag': 'noindex',
};

export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).headers(headers).send(page);
}

/** Redirects after a form, so that a reload resubmits nothing. */
export function sendAway(reply: FastifyReply, path: string): FastifyReply {
  return reply.headers(headers).redirect(path, 303);
}
