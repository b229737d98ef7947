// The HTTP server: limits, request ids, one way for every error. Routes are registered by app.ts.

import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Fault, Refusal, type RefusalCode, refuse } from '../../kernel/index.ts';
import { DatabaseAway } from '../db/index.ts';
import type { Log } from '../log.ts';
import { type Loop, startLoop } from '../loop.ts';
import type { Metrics } from '../metrics.ts';
import type { Random } from '../random.ts';
import { bodyBytesAtMost, Message } from './body.ts';
import { failureBody, statusOf } from './failures.ts';
import { Connections, keepAlive, lookEveryMilliseconds } from './silence.ts';
import { keepTickShape } from './ticks.ts';

export interface ServerOptions {
  readonly log: Log;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly docsUrl: string;
  readonly trustProxy: boolean;
}

/** Errors that Fastify finds before a handler runs, as our own codes. */
const fromFastify: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request_body',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** 20 hex digits (decisions 2). */
function newRequestId(random: Random): string {
  return random.bytes(10).toHex();
}

export function openServer(options: ServerOptions): FastifyInstance {
  const { log, metrics, docsUrl } = options;
  keepTickShape();
  const app = Fastify({
    logger: false,
    bodyLimit: bodyBytesAtMost,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    // While we close, what still arrives on open connections is answered as ever; each such connection then ends.
    return503OnClosing: false,
    // Without Host, Node would answer by itself, without our envelope; the hook below refuses it.
    http: { requireHostHeader: false, IncomingMessage: Message },
    trustProxy: options.trustProxy,
    requestIdHeader: false,
    genReqId: () => newRequestId(options.random),
    // The longest that any path takes is an idempotency key of 255 characters, each of them percent-encoded.
    routerOptions: { maxParamLength: 765 },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId(options.random), docsUrl),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as unknown as FastifyReply),
  });

  // No timers for each request: silent connections are closed below. Fastify takes 0 in its options for its default.
  app.server.keepAliveTimeout = 0;
  // Every method is known, so that each path can answer 405 to those that it does not have.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // Node would answer 417 by itself, without our envelope. We expect nothing that HTTP does not.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  app.removeAllContentTypeParsers();
  // For pages and their forms; endpoints of the contract collect their bodies themselves, in routes.ts.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

  app.decorateRequest('caller', undefined);
  app.decorateRequest('contentType', undefined);
  app.decorateRequest('unread', undefined);
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('endpoint', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify would refuse a malformed type even where the body is empty, which is `{}` whatever the type (decisions 2).
    request.contentType = request.raw.headers['content-type'];
    // Set, not deleted: an object with a deleted property is slower for everybody who reads it afterwards.
    request.raw.headers['content-type'] = undefined;
    request.startedAt = performance.now();
    if (request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined) {
      refuse('invalid_request_body', '', 'The header Host is missing.');
    }
    done();
  });
  app.decorate('answered', (request: FastifyRequest, status: number) => {
    const endpoint = endpointOf(request);
    const milliseconds = performance.now() - request.startedAt;
    metrics.requests.observe({ endpoint, status, seconds: milliseconds / 1_000 });
    if (log.isLevelEnabled('debug')) log.debug({ requestId: request.id, endpoint, status, milliseconds }, 'request');
  });
  // At sending, not at the end of the answer: to be told of the end costs each request as much as its route.
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('keep-alive', keepAlive);
    app.answered(request, reply.statusCode);
    done(null, payload);
  });

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refusal = refusalFrom(error);
    const status = statusOf(refusal.code);
    const endpoint = endpointOf(request);
    const context = { requestId: request.id, method: request.method, endpoint, status };
    if (status === 500) log.error({ ...context, err: error }, 'a bug or an unexpected fault');
    else if (status === 503) log.warn({ ...context, err: error }, 'not available');
    else
      log.info({ ...context, codes: refusal.faults.map((fault) => `${fault.code} ${fault.field}`.trim()) }, 'refused');
    return answerRefusal(reply, refusal, request.id, docsUrl);
  }

  const loops: Loop[] = [];
  const look = (everyMilliseconds: number, close: () => void) => {
    const failed = (error: unknown) => log.error({ err: error }, 'connections could not be closed');
    loops.push(startLoop(everyMilliseconds, async () => close(), failed));
  };
  const connections = new Connections();
  app.server.on('connection', (socket) => connections.add(socket));
  app.server.on('listening', () => look(lookEveryMilliseconds, () => connections.closeSilent()));
  // A connection whose request was in flight when the end began is idle only after its answer: look again and again, or
  // the end would wait until it has been silent for long.
  app.addHook('preClose', async () => look(50, () => app.server.closeIdleConnections()));
  app.addHook('onClose', () => Promise.all(loops.map((loop) => loop.stop())).then(() => undefined));

  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    answerError(new Refusal([{ code: 'not_found', field: '' }]), request, reply),
  );
  return app;
}

/** As metrics and logs call it. Fastify makes a new object for each look at `routeOptions`, so routes of the API say theirs. */
function endpointOf(request: FastifyRequest): string {
  return request.endpoint ?? request.routeOptions?.config?.endpoint ?? 'other';
}

function refusalFrom(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseAway) return new Refusal([{ code: 'service_unavailable', field: '' }]);
  const known = fromFastify[(error as FastifyError | undefined)?.code ?? ''];
  return new Refusal([{ code: known ?? 'internal_server_error', field: '' }]);
}

function answerRefusal(reply: FastifyReply, refusal: Refusal, requestId: string, docsUrl: string): FastifyReply {
  const status = statusOf(refusal.code);
  const body: Record<string, unknown> = failureBody(requestId, refusal.faults, docsUrl);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const retryAfterSeconds = refusal.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  // The keys that OAuth 2.0 clients look for (decisions 1).
  if (refusal.code === 'invalid_client') {
    body.error = 'invalid_client';
    body.error_description = refusal.faults[0]?.message ?? 'Client authentication failed.';
  }
  return (
    reply
      .code(status)
      // Errors of the framework itself come without the hook that sets these.
      .header('x-request-id', requestId)
      .header('x-content-type-options', 'nosniff')
      .header('keep-alive', keepAlive)
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(JSON.stringify(body))
  );
}

/** A request so broken that it has no route: answered by hand on the socket, in the same envelope. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket, requestId: string, docsUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  const fault: Fault = late
    ? { code: 'request_timeout', field: '' }
    : {
        code: 'invalid_request_body',
        field: '',
        message: large ? 'The headers are too large.' : 'This is not a valid HTTP request.',
      };
  const body = JSON.stringify(failureBody(requestId, [fault], docsUrl));
  socket.end(
    [
      `HTTP/1.1 ${late ? '408 Request Timeout' : large ? '431 Request Header Fields Too Large' : '400 Bad Request'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
