// From a row of the contract to a route: access, limits, validation, idempotency, answer. Handlers stay thin.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { Refusal, refuse } from '../../kernel/index.ts';
import type { Ids } from '../random.ts';
import { type Message, readBody } from './body.ts';
import { failureBody, statusOf } from './failures.ts';
import { hiderOf } from './hide.ts';
import { Answered, type Call, type Caller, type Route, type RouteTools } from './route.ts';
import { keepAlive } from './silence.ts';
import { BodyReader, QueryReader, readParams } from './validate.ts';

/** An answer as it goes over the wire. */
interface Written {
  readonly status: number;
  readonly body: string;
}

/** Registers the routes, and a 405 for every other method of their paths. */
export function registerRoutes<C extends Caller>(
  app: FastifyInstance,
  routes: readonly Route<C>[],
  tools: RouteTools<C>,
): void {
  for (const route of routes) registerRoute(app, route, tools);
  const paths = Map.groupBy(routes, (route) => route.endpoint.path);
  for (const [path, ofPath] of paths)
    refuseOtherMethods(
      app,
      path,
      ofPath.map((route) => route.endpoint.method),
    );
}

const keptRefusals = new Set([404, 406, 409]);

function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** An address that exists, asked with a method that it does not have: 405, and `Allow` says which it has. */
export function refuseOtherMethods(app: FastifyInstance, path: string, allowed: readonly string[]): void {
  const others = app.supportedMethods.filter((method) => method !== 'HEAD' && !allowed.includes(method));
  const shown = allowed.includes('GET') ? ['HEAD', ...allowed] : allowed;
  app.route({
    method: [...others, ...(allowed.includes('GET') ? [] : ['HEAD'])],
    url: urlOf(path),
    // In onRequest, because an unreadable body must not hide that the method is wrong.
    onRequest: async (_request, reply) => {
      reply.header('allow', shown.join(', '));
      refuse('method_not_allowed');
    },
    handler: async () => undefined,
  });
}

function registerRoute<C extends Caller>(app: FastifyInstance, route: Route<C>, tools: RouteTools<C>): void {
  const { endpoint } = route;
  const body = endpoint.body && new BodyReader(endpoint.body, endpoint.nullsRefused);
  const query = endpoint.query && new QueryReader(endpoint.query);
  const kinds = endpoint.bodyKinds ?? ['json'];
  const successStatus = Number(Object.keys(endpoint.responses)[0]);
  const hiders = new Map(
    Object.entries(endpoint.responses).map(([status, schema]) => [Number(status), hiderOf(schema)]),
  );
  const hides = [...hiders.values()].some((hide) => hide !== undefined);
  const keyed = endpoint.method === 'POST' && endpoint.access !== 'none' && endpoint.idempotent !== false;

  /** Before the body is read: whoever may not come in need not be listened to. */
  function enter(request: FastifyRequest): Promise<void> | void {
    if (endpoint.access === 'none') {
      tools.limit.take(`address ${request.ip}`, tools.openRequestsPerSecond);
      return;
    }
    const { authorization } = request.headers;
    const merchantId = headerText(request.headers['x-merchant-id']);
    const known = tools.authenticate.known(authorization, merchantId);
    if (known) admit(request, known);
    else return askWho(request, authorization, merchantId);
  }

  /** Those who are nobody count by their address; once they are too many, nobody unknown is asked about from there. */
  async function askWho(request: FastifyRequest, authorization?: string, merchantId?: string): Promise<void> {
    const address = `address ${request.ip}`;
    tools.limit.check(address, tools.openRequestsPerSecond);
    try {
      admit(request, await tools.authenticate.ask(authorization, merchantId));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_token') {
        tools.limit.take(address, tools.openRequestsPerSecond);
      }
      throw error;
    }
  }

  function admit(request: FastifyRequest, caller: C): void {
    tools.limit.take(caller.callerId, caller.requestsPerSecond);
    if (endpoint.access !== 'read' && caller.readOnly) {
      refuse('access_denied', '', 'This credential may only read.');
    }
    if (endpoint.access === 'operator' && !caller.operator) {
      refuse('access_denied', '', 'This acts on every account: it needs a credential of the operator.');
    }
    request.caller = caller;
  }

  function read(request: FastifyRequest, given: unknown): unknown {
    const { faults } = route;
    return body?.read(given, faults && ((value) => faults(value, request.caller as C)));
  }

  function callOf(request: FastifyRequest, given: unknown, ids: Ids): Call<Endpoint, C> {
    const call = {
      caller: request.caller,
      params: readParams(request.params),
      query: query?.read(request.query as Record<string, unknown>),
      body: read(request, given),
      requestId: request.id,
      ids,
      authorization: request.headers.authorization,
      remoteAddress: request.ip,
    };
    return call as unknown as Call<Endpoint, C>;
  }

  function write(answered: unknown, hiding = false): Written {
    const status = answered instanceof Answered ? answered.status : successStatus;
    const full = answered instanceof Answered ? answered.body : answered;
    const hide = hiding ? hiders.get(status) : undefined;
    const value = hide ? hide(full) : full;
    tools.checkAnswer?.(endpoint, status, value);
    return { status, body: JSON.stringify(value) };
  }

  const writeInFull = (answered: unknown) => write(answered);
  const writeHiding = (answered: unknown) => write(answered, true);

  /**
   * Past Fastify's own parsers, which make an asynchronous resource for each request and refuse by type before we look; and
   * not as a promise, which takes Fastify several turns more.
   */
  function handler(request: FastifyRequest, reply: FastifyReply): void {
    if (!body || request.unread === undefined) answer(request, reply, undefined);
    else (request.raw as Message).collect(request.unread, (bytes) => answer(request, reply, bytes));
  }

  /** One small step after the other, so that the requests of one turn take each of them in a row. */
  function answer(request: FastifyRequest, reply: FastifyReply, bytes: Buffer | 'too large' | undefined): void {
    const key = keyed ? headerText(request.headers['idempotency-key']) : undefined;
    const refused = (error: unknown) => void reply.send(errorFrom(error));
    const send = (written: Written, replayed?: boolean) => sendJson(app, reply, written, replayed);
    const given = turn().then(() => {
      if (bytes !== 'too large') return body ? readBody(bytes, request.contentType, kinds) : {};
      // What still comes is not listened to.
      reply.header('connection', 'close');
      return refuse('body_too_large');
    });
    if (key !== undefined && request.caller) {
      const { caller } = request;
      given
        .then((value) => answerOnce(request, caller, key, value))
        .then((kept) => send(kept, kept.replayed))
        .catch(refused);
      return;
    }
    given
      .then((value) => callOf(request, value, tools.ids))
      .then((call) => {
        // Not given back: a promise within a promise takes two steps more.
        const writing = hides && request.caller?.readOnly ? writeHiding : writeInFull;
        route.handle(call).then(writing).then(send).catch(refused);
      })
      .catch(refused);
  }

  /** Faults of the request itself are found before the key is taken, so that the mended request may use the same key. */
  function answerOnce(request: FastifyRequest, caller: Caller, key: string, given: unknown) {
    read(request, given);
    const keyedRequest = { accountId: caller.id, key, method: request.method, path: pathOf(request.url), body: given };
    return tools.idempotency.run(keyedRequest, (ids) => answerOrFinalRefusal(request, given, ids));
  }

  /** Refusals of the state (404, 406, 409) are answers too and are kept; faults of the body and those that ask to come back are not. */
  async function answerOrFinalRefusal(request: FastifyRequest, given: unknown, ids: Ids): Promise<Written> {
    try {
      return write(await route.handle(callOf(request, given, ids)));
    } catch (error) {
      if (!(error instanceof Refusal) || !keptRefusals.has(statusOf(error.code))) throw error;
      return {
        status: statusOf(error.code),
        body: JSON.stringify(failureBody(request.id, error.faults, tools.docsUrl)),
      };
    }
  }

  app.route({
    method: endpoint.method,
    url: urlOf(endpoint.path),
    config: { endpoint: endpoint.id },
    // By callback: most callers are known at once, and then nothing is waited for.
    onRequest: (request, _reply, done) => {
      request.endpoint = endpoint.id;
      keepBody(request);
      let entering: Promise<void> | void;
      try {
        entering = enter(request);
      } catch (error) {
        return done(error as Error);
      }
      if (entering) entering.then(() => done(), done);
      else done();
    },
    handler,
  });
}

let nextTurn: Promise<void> | undefined;

/**
 * Resolves for all requests that were read in this turn of the loop at once. What follows in small steps of promises is then
 * done for all of them in a row, step by step: the same code many times over is faster than the same code between the
 * parsing of one request and the next. It gave E1 a tenth more requests a second.
 */
function turn(): Promise<void> {
  nextTurn ??= new Promise((resolve) => {
    setImmediate(() => {
      nextTurn = undefined;
      resolve();
    });
  });
  return nextTurn;
}

/** Keeps the body away from Fastify, which believes that there is none: the handler collects it. */
function keepBody(request: FastifyRequest): void {
  const { headers } = request.raw;
  request.unread = headers['content-length'] ?? headers['transfer-encoding'];
  headers['content-length'] = undefined;
  headers['transfer-encoding'] = undefined;
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

function errorFrom(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('Something that is no error was thrown.', { cause: thrown });
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

const json = 'application/json; charset=utf-8';

/** Sends an answer past Fastify, whose way looks at the type and at every header again. */
function sendJson(app: FastifyInstance, reply: FastifyReply, answer: Written, replayed = false): void {
  const { request, raw } = reply;
  const length = Buffer.byteLength(answer.body);
  const head = ['content-type', json, 'content-length', String(length), 'cache-control', 'no-store'];
  head.push('x-request-id', request.id, 'x-content-type-options', 'nosniff', 'keep-alive', keepAlive);
  if (replayed) head.push('idempotent-replayed', 'true');
  reply.hijack();
  raw.writeHead(answer.status, head);
  // A text of as many bytes as characters is ASCII, which goes out as it is.
  raw.end(answer.body, length === answer.body.length ? 'latin1' : 'utf8');
  app.answered(request, answer.status);
}
