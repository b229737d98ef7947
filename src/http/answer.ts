// Writes the common response headers. Pages add only those that concern their own content.

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type Envelope, type Failed, failureBody, statusOf } from './failures.ts';
import type { Look } from './look.ts';
import type { Streamed } from './route.ts';

/** A response as it is sent. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: string;
  readonly cookies?: readonly string[];
}

/** The headers of every response, page or JSON. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id);
  reply.header('x-content-type-options', 'nosniff');
}

export function sendJson(reply: FastifyReply, { status, body, cookies = [] }: JsonAnswer): FastifyReply {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(body);
}

/**
 * Sends what is made as fast as the client reads it. A client that hangs up ends its making; HEAD gets the headers only.
 */
export function sendStream(reply: FastifyReply, { headers, chunks }: Streamed): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', ...headers });
  if (reply.request.method !== 'HEAD') return reply.send(Readable.from(chunks, { objectMode: false }));
  void chunks[Symbol.asyncIterator]().return?.();
  return reply.send('');
}

/** A failed request, as it is reported. */
export interface Failure {
  readonly faults: readonly [Failed, ...Failed[]];
  readonly retryAfterSeconds?: number;
}

export function sendFailure(reply: FastifyReply, failure: Failure, envelope: Envelope): FastifyReply {
  const { faults, retryAfterSeconds } = failure;
  const [first] = faults;
  const status = statusOf(first);
  const body: Record<string, unknown> = failureBody(reply.request.id, faults, envelope, reply.request.url);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  // The keys that OAuth 2.0 clients expect (docs/decisions/0001).
  if (first.code === 'invalid_client') {
    body.error = 'invalid_client';
    body.error_description = first.message ?? 'Client authentication failed.';
  }
  return sendJson(reply, { status, body: JSON.stringify(body) });
}

const nameLengthAtMost = 64;

/**
 * Names the ignored fields, so that a typo is noticed: `X-Ignored-Fields: payer.emial, tint`. Percent-encoded except for
 * the characters of usual names, so that no name can end the header or look like two. Returns them as they are.
 */
export function nameIgnored(reply: FastifyReply, looks: readonly Look[]): readonly string[] {
  const names = looks.flatMap(({ ignored }) => ignored).map(shortName);
  if (names.length === 0) return names;
  const more = looks.some(({ ignoredMore }) => ignoredMore) ? ['...'] : [];
  reply.header('x-ignored-fields', [...names.map(encodeURIComponent), ...more].join(', '));
  return [...names, ...more];
}

/** The same in the body, for developers who do not look at headers. */
export function withIgnored(answer: JsonAnswer, names: readonly string[]): JsonAnswer {
  const { body } = answer;
  if (names.length === 0 || !body.startsWith('{') || !body.endsWith('}')) return answer;
  const comma = body === '{}' ? '' : ',';
  return { ...answer, body: `${body.slice(0, -1)}${comma}"ignoredFields":${JSON.stringify(names)}}` };
}

function shortName(name: string): string {
  return (name.length > nameLengthAtMost ? `${name.slice(0, nameLengthAtMost)}...` : name).toWellFormed();
}
