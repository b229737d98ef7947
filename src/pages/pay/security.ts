// Security headers of the pay page.

import type { FastifyReply } from 'fastify';
import type { CardFields } from '../../acquirer/index.ts';
import type { Frame } from './frame.ts';

export interface Sending {
  /**
   * Only a page for a frame may be framed, and only by the origin that it is for. Only a page with the card fields of an
   * acquirer lets that one in.
   */
  sendPage(reply: FastifyReply, status: number, page: string, around?: Around): FastifyReply;
  /** Redirects after a form, so that a reload resubmits nothing. */
  sendAway(reply: FastifyReply, path: string): FastifyReply;
  /** For the page's scripts. */
  sendJson(reply: FastifyReply, body: object): FastifyReply;
}

export interface Around {
  readonly frame?: Frame | undefined;
  readonly origins?: CardFields['origins'] | undefined;
}

/**
 * What comes after the response, because it took too long (in-time.ts), is not sent.
 *
 * Only our own scripts, styles and images; nothing inline, and forms go nowhere else. `scriptOrigins` are
 * those of the wallet vendor's own scripts.
 */
export function openSending(scriptOrigins: readonly string[]): Sending {
  const policyFor = (scripts: readonly string[], ancestor: string, fields?: CardFields['origins']) =>
    `default-src 'none'; script-src ${["'self'", ...scripts, ...(fields?.scripts ?? [])].join(' ')}; style-src 'self'; ` +
    `img-src 'self'; connect-src ${["'self'", ...(fields?.requests ?? [])].join(' ')}; ` +
    `${fields ? `frame-src ${fields.frames.join(' ')}; ` : ''}` +
    `form-action 'self'; base-uri 'none'; frame-ancestors ${ancestor}`;
  /**
   * The URL contains the payer's key: `same-origin` hides it from other sites, and unlike `no-referrer` it lets the
   * browser send the origin of our own forms.
   */
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyFor(scriptOrigins, "'none'"),
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'x-robots-tag': 'noindex',
  };
  return {
    sendPage: (reply, status, page, { frame, origins } = {}) => {
      if (reply.sent) return reply;
      reply.code(status).headers(headers);
      if (frame) reply.header('content-security-policy', policyFor([], frame.origin));
      else if (origins) reply.header('content-security-policy', policyFor(scriptOrigins, "'none'", origins));
      return reply.send(page);
    },
    sendAway: (reply, path) => (reply.sent ? reply : reply.headers(headers).redirect(path, 303)),
    sendJson: (reply, body) => {
      if (reply.sent) return reply;
      reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store');
      return reply.send(JSON.stringify(body));
    },
  };
}
