// The HTTP server: limits, request ids, error handling. app.ts registers the routes.

import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RequestPayload,
} from 'fastify';
import { usualBodyBytes } from '../../contract/endpoint.ts';
import { DatabaseAway } from '../database/index.ts';
import { type Fault, Refusal, type RefusalCode, refuse, Unavailable } from '../kernel/index.ts';
import type { Log, Metrics, Random } from '../runtime/index.ts';
import { enterTurn, type Loop, startLoop } from '../runtime/index.ts';
import { type Failure, sendFailure, setCommonHeaders } from './answer.ts';
import { type Envelope, failureBody, statusOf } from './failures.ts';
import type { AddressLimit } from './limits.ts';
import { refuseUnknownPath, refuseWrongMethod, withoutLastSlash } from './methods.ts';
import { refuseRepeatedHeaders, singleHeaders } from './single-headers.ts';

export interface ServerOptions {
  readonly log: Log;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly envelope: Envelope;
  readonly addressLimit: AddressLimit;
  /** Headers that rooms read, which a request has once at most. */
  readonly singleHeaders: readonly string[];
  /** The page that browsers get instead of JSON for an unknown path. */
  readonly sendNotFound?: (reply: FastifyReply) => FastifyReply;
}

/** Errors that Fastify finds before a handler runs, mapped to our codes. */
const fromFastify: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request_body',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** A whole request must arrive within `requestTimeout`, its headers sooner; otherwise the response is 408. */
const requestTimeout = 30_000;
const headersTimeout = 15_000;
const connectionsCheckingInterval = 5_000;
/** An idle connection is closed after this. Node announces slightly less in `Keep-Alive`. */
const keepAliveTimeout = 72_000;
/** A connection without any traffic is closed, even in the middle of a response that the client does not read. */
const connectionTimeout = 120_000;

/** 20 hex digits. */
function newRequestId(random: Random): string {
  return random.bytes(10).toHex();
}

export function openServer(options: ServerOptions): FastifyInstance {
  const { envelope, random } = options;
  const answerError = errorAnswers(options);
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: usualBodyBytes,
    requestTimeout,
    keepAliveTimeout,
    connectionTimeout,
    forceCloseConnections: 'idle',
    // While closing, requests on open connections are still answered; then each connection is closed.
    return503OnClosing: false,
    // Without Host, Node would respond by itself, without our envelope; the hook below refuses it.
    http: { requireHostHeader: false, headersTimeout, connectionsCheckingInterval },
    requestIdHeader: false,
    rewriteUrl: ({ url = '/' }) => withoutLastSlash(app, url),
    genReqId: () => newRequestId(random),
    // The longest path parameter is an idempotency key of 255 characters, all of them percent-encoded.
    routerOptions: { maxParamLength: 765 },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId(random), envelope),
    frameworkErrors: (error, request, reply) => {
      // Errors of the framework itself skip the hooks.
      setCommonHeaders(reply as unknown as FastifyReply);
      answerError(error, request, reply as unknown as FastifyReply);
    },
  });
  acceptEverything(app);
  limitPages(app, options.addressLimit);
  addRequestHooks(app, options);
  closeIdleConnections(app, options.log);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    if (options.sendNotFound && isBrowser(request)) return options.sendNotFound(reply);
    return refuseUnknownPath(app, request);
  });
  return app;
}

function errorAnswers({ log, envelope }: ServerOptions) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = failureFrom(error, request);
    const status = statusOf(failure.faults[0]);
    const context = { requestId: request.id, method: request.method, endpoint: endpointOf(request), status };
    if (status === 500) log.error({ ...context, err: error }, 'unexpected error');
    else if (status === 503) log.warn({ ...context, err: error }, 'unavailable');
    // Only codes: a field name may be anything that the caller wrote, even a card number.
    else log.info({ ...context, codes: [...new Set(failure.faults.map(({ code }) => code))] }, 'refused');
    return sendFailure(reply, failure, envelope);
  };
}

/** What Fastify and Node would refuse by themselves, without our envelope, comes to our hooks and routes. */
function acceptEverything(app: FastifyInstance): void {
  // All methods are known to the framework, so that each path can respond with 405 to those that it does not have.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // Node would respond with 417. We ignore unknown expectations.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.removeAllContentTypeParsers();
  // Which content type is accepted depends on the endpoint, so every body is passed on as bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/**
 * Every route is rate-limited and waits for its turn: those of the contract by themselves, pages and anything added later
 * here, by address.
 */
function limitPages(app: FastifyInstance, addressLimit: AddressLimit): void {
  const count = async (request: FastifyRequest) => addressLimit.consume(request);
  const wait = async () => {
    await enterTurn('light');
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.counts) return;
    route.onRequest = [count, ...[route.onRequest ?? []].flat()].filter(isFirst);
    route.preHandler = [wait, ...[route.preHandler ?? []].flat()].filter(isFirst);
  });
}

function addRequestHooks(app: FastifyInstance, { log, metrics, addressLimit, ...options }: ServerOptions): void {
  const single = singleHeaders(options.singleHeaders);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('enteredMilliseconds', 0);
  app.decorateRequest('endpoint', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    refuseRepeatedHeaders(request.raw, single);
    // Here, so that an unreadable body does not hide the wrong method.
    if (request.is404) {
      addressLimit.consume(request);
      refuseWrongMethod(app, request, reply);
    }
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      refuse('invalid_request_body', '', 'The Host header is missing.');
    }
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.headers['transfer-encoding'] !== undefined) countChunks(payload);
    done(null, payload);
  });
  // In onSend and not onResponse: being notified of the end costs each request as much as its route.
  app.addHook('onSend', (request, reply, payload, done) => {
    setCommonHeaders(reply);
    const endpoint = endpointOf(request);
    const { statusCode: status } = reply;
    const milliseconds = performance.now() - request.startedAt;
    metrics.requests.observe({ endpoint, status, seconds: milliseconds / 1_000 });
    if (log.isLevelEnabled('debug')) log.debug({ requestId: request.id, endpoint, status, milliseconds }, 'request');
    done(null, payload);
  });
}

/**
 * A connection with a request in flight becomes idle only after its response: checks repeatedly, or closing would wait for
 * the keep-alive timeout.
 */
function closeIdleConnections(app: FastifyInstance, log: Log): void {
  let closing: Loop | undefined;
  app.addHook('preClose', async () => {
    const failed = (error: unknown) => log.error({ err: error }, 'connections could not be closed');
    closing = startLoop(50, async () => app.server.closeIdleConnections(), failed);
  });
  app.addHook('onClose', async () => closing?.stop());
}

/**
 * Each costs the parser a few microseconds, whatever its size: a maximum-size body in chunks of 64 bytes is accepted.
 */
const chunksAtMost = 1_024;

/** Stops reading a body that arrives in tiny chunks; the reader gets an error. */
function countChunks(payload: RequestPayload): void {
  let chunks = 0;
  payload.on('data', function count() {
    chunks += 1;
    if (chunks <= chunksAtMost) return;
    payload.removeListener('data', count);
    const message = `The body must have at most ${chunksAtMost} chunks.`;
    payload.emit('error', new Refusal([{ code: 'invalid_request_body', field: '', message }]));
  });
}

/** Whether somebody looks at the response: programs ask for JSON, or for anything. */
function isBrowser({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

/** A HEAD route inherits the hooks of its GET. */
function isFirst<T>(item: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(item) === index;
}

/**
 * The route's name in metrics and logs. Fastify creates a new object on each access to `routeOptions`, so API routes
 * set theirs.
 */
function endpointOf(request: FastifyRequest): string {
  return request.endpoint ?? request.routeOptions?.config?.endpoint ?? 'other';
}

function failureFrom(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Refusal) return { faults: error.faults };
  if (error instanceof Unavailable) {
    const { code, usual, sentence, fix, retryAfterSeconds } = error;
    const texts = {
      ...(sentence === undefined ? {} : { message: sentence }),
      ...(fix === undefined ? {} : { devMessage: fix }),
    };
    return { faults: [{ code, usual, field: '', ...texts }], retryAfterSeconds };
  }
  if (error instanceof DatabaseAway) {
    return { faults: [{ code: 'service_unavailable', field: '' }], retryAfterSeconds: 1 };
  }
  // The client hung up in the middle of the body, or was too slow: nobody reads this response, but logs and metrics
  // count it.
  if (request.raw.destroyed && !request.raw.complete) {
    return { faults: [{ code: 'invalid_request_body', field: '', message: 'The body is incomplete.' }] };
  }
  const code = fromFastify[(error as FastifyError | undefined)?.code ?? ''] ?? 'internal_server_error';
  if (code !== 'body_too_large') return { faults: [{ code, field: '' }] };
  const kibibytes = (request.routeOptions?.bodyLimit ?? usualBodyBytes) / 1_024;
  return { faults: [{ code, field: '', message: `The body must have at most ${kibibytes} KiB.` }] };
}

/** A request too broken to have a route: the response is written to the socket by hand, in the same envelope. */
function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  envelope: Envelope,
): void {
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
  const body = JSON.stringify(failureBody(requestId, [fault], envelope, ''));
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
