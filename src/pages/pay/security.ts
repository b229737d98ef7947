// What every answer of the pay page forbids the browser.

import type { FastifyReply } from 'fastify';

/** Scripts, styles and pictures of our own only; nothing inline, no framing, and its forms go nowhere else. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * The address holds the payer's key: `same-origin` keeps it from every other site, and unlike `no-referrer` it lets the
 * browser name the origin of our own forms.
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

/** After a form comes a redirect, so that a reload sends nothing again. */
export function sendAway(reply: FastifyReply, path: string): FastifyReply {
  return reply.headers(headers).redirect(path, 303);
}
