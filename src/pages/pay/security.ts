// Security headers of the pay page.

import type { FastifyReply } from 'fastify';

export interface Sending {
  sendPage(reply: FastifyReply, status: number, page: string): FastifyReply;
  /** Redirects after a form, so that a reload resubmits nothing. */
  sendAway(reply: FastifyReply, path: string): FastifyReply;
  /** For the page's scripts. */
  sendJson(reply: FastifyReply, body: object): FastifyReply;
}

/**
 * Only our own scripts, styles and images; nothing inline, no framing, and forms go nowhere else. `scriptOrigins` are
 * those of the wallet vendor's own scripts.
 */
export function openSending(scriptOrigins: readonly string[]): Sending {
  const policy =
    `default-src 'none'; script-src ${["'self'", ...scriptOrigins].join(' ')}; style-src 'self'; img-src 'self'; ` +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
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
  return {
    sendPage: (reply, status, page) => reply.code(status).headers(headers).send(page),
    sendAway: (reply, path) => reply.headers(headers).redirect(path, 303),
    sendJson: (reply, body) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(JSON.stringify(body)),
  };
}
