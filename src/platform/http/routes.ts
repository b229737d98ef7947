// Turns an endpoint of the contract into a route: access, limits, validation, idempotency, response. Handlers stay
// thin.

import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { bodyBytesOf, type Endpoint } from '../../../contract/endpoint.ts';
import { Type } from '../../../contract/schema.ts';
import { Refusal, refuse } from '../../kernel/index.ts';
import { answeredInTime } from '../answer-time.ts';
import type { Run } from '../idempotency/index.ts';
import { enterTurn, laterTurn, type Weight } from '../turns.ts';
import { nameIgnored, sendJson, sendStream, type Written, withIgnored } from './answer.ts';
import { readBody } from './body.ts';
import { failureBody, statusOf } from './failures.ts';
import { headerText } from './form.ts';
import { hiderOf } from './hide.ts';
import type { Look } from './look.ts';
import { refuseOtherMethods } from './methods.ts';
import { refusePreview, unreadBody } from './preview.ts';
import {
  Answered,
  type Call,
  type Caller,
  type Client,
  type Question,
  type Route,
  type RouteTools,
  Streamed,
} from './route.ts';
import { BodyReader, QueryReader, readParams } from './validate.ts';

/** The headers of the API. */
function apiCredentials({ headers }: FastifyRequest) {
  return { authorization: headers.authorization, merchantId: headerText(headers['x-merchant-id']) };
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
      true,
    );
}

/** A parsed request, and the refusal by the caller's rules, if any. */
interface Asked<C extends Caller> {
  readonly question: Omit<Question<Endpoint, C>, 'caller'> & { readonly caller: C | undefined };
  readonly refusal: Refusal | undefined;
  /** To be named in the response. */
  readonly ignored: readonly string[];
}

function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function registerRoute<C extends Caller>(app: FastifyInstance, route: Route<C>, tools: RouteTools<C>): void {
  const { endpoint } = route;
  const body = endpoint.body && new BodyReader(endpoint.body, endpoint.nullsRefused);
  const query = new QueryReader(endpoint.query ?? Type.Object({}));
  const kinds = endpoint.bodyKinds ?? ['json'];
  const successStatus = Number(Object.keys(endpoint.responses)[0]);
  const hiders = new Map(
    Object.entries(endpoint.responses).map(([status, schema]) => [Number(status), hiderOf(schema)]),
  );
  const credentialsOf = tools.identification?.credentials ?? apiCredentials;
  const keyless: Run = { ids: tools.ids, resumed: false, once: tools.idempotency.once };
  const keyed = endpoint.method === 'POST' && endpoint.access !== 'none' && endpoint.idempotent !== false;

  /** Before the body is read: a rejected request need not be received. */
  function enter(request: FastifyRequest): Promise<void> | void {
    tools.identification?.guard(request);
    if (endpoint.access === 'none') {
      tools.addressLimit.take(request);
      return;
    }
    const { authorization, merchantId } = credentialsOf(request);
    const known = tools.authenticate.known(authorization, merchantId);
    if (!known) return askWho(request, authorization, merchantId);
    tools.limit.take(known.callerId, known.requestsPerSecond);
    admit(request, known);
  }

  /**
   * Requests without a known token are limited by address; above the limit, unknown tokens from that address are not
   * looked up.
   */
  async function askWho(request: FastifyRequest, authorization?: string, merchantId?: string): Promise<void> {
    // Taken before the lookup and given back after it, so that only a few of many made-up tokens are looked up. Joining
    // a lookup in progress is free, so that many requests with one busy token are not mistaken for that.
    const joins = tools.authenticate.isAsking(authorization);
    if (!joins) tools.addressLimit.take(request);
    const beganAt = performance.now();
    const holder = await tools.authenticate.ask(authorization).catch((error: unknown) => {
      const isNobody = error instanceof Refusal && error.code === 'invalid_token';
      if (joins && isNobody) tools.addressLimit.take(request);
      if (!joins && !isNobody) tools.addressLimit.giveBack(request);
      throw error;
    });
    if (!joins) tools.addressLimit.giveBack(request);
    tools.limit.take(holder.callerId, holder.requestsPerSecond);
    const caller = await holder.actAs(merchantId);
    request.enteredMilliseconds = performance.now() - beganAt;
    admit(request, caller);
  }

  function admit(request: FastifyRequest, caller: C): void {
    if (endpoint.access !== 'read' && caller.readOnly) {
      refuse('access_denied', '', 'This credential is read-only.');
    }
    if (endpoint.access === 'operator' && !caller.operator) {
      refuse('access_denied', '', 'This requires an operator credential, because it acts on all accounts.');
    }
    if (endpoint.access === 'owner' && !caller.owner) {
      refuse('access_denied', '', 'Only an owner of the account may do this.');
    }
    route.admit?.(caller);
    request.caller = caller;
  }

  function clientOf(request: FastifyRequest): Client {
    const { 'user-agent': userAgent = '', cookie = '', origin } = request.headers;
    return { address: tools.addressLimit.addressOf(request), userAgent, cookie, origin };
  }

  /** The request as its handler sees it, with every fault found; `X-Ignored-Fields` names unknown fields. */
  function read(request: FastifyRequest, reply: FastifyReply, given: unknown): Asked<C> {
    const [asked, told] = [query.look(request.query as Record<string, unknown>), body?.look(given)];
    const names = nameIgnored(reply, told ? [asked, told] : [asked]);
    const question = {
      caller: request.caller,
      params: readParams(request.params),
      query: query.check(asked),
      body: told?.value,
      requestId: request.id,
      authorization: request.headers.authorization,
      client: () => clientOf(request),
    } as unknown as Asked<C>['question'];
    const ignored = tools.tellsIgnored ? names : [];
    return { question, refusal: told && refusalOf(request, told), ignored };
  }

  /**
   * Throws the schema's faults of a body; returns those of the caller's rules, which apply to new requests only: they
   * may have changed since the first run of a repeated one.
   */
  function refusalOf(request: FastifyRequest, told: Look): Refusal | undefined {
    const { faults } = route;
    try {
      body?.check(told, faults && ((value) => faults(value, request.caller as C)));
      return undefined;
    } catch (refusal) {
      if (refusal instanceof Refusal && body?.accepts(told)) return refusal;
      throw refusal;
    }
  }

  function callOf({ question }: Asked<C>, run: Run): Call<Endpoint, C, unknown> {
    let checking: Promise<unknown> | undefined;
    const check = async () => route.check?.(question as Question<Endpoint, C>);
    const checked = () => {
      checking ??= check();
      return checking;
    };
    return { ...question, run, checked } as Call<Endpoint, C, unknown>;
  }

  function write(call: Call<Endpoint, C, unknown>, answered: unknown): Written {
    const status = answered instanceof Answered ? answered.status : successStatus;
    const full = answered instanceof Answered ? answered.body : answered;
    const hide = call.caller?.readOnly ? hiders.get(status) : undefined;
    const value = hide ? hide(full) : full;
    tools.checkAnswer?.(endpoint, status, value);
    const cookie = answered instanceof Answered ? answered.cookie : undefined;
    return { status, body: JSON.stringify(value), ...(cookie === undefined ? {} : { cookie }) };
  }

  /** From when the body has arrived, and with what identifying the caller took. */
  function inTime<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    return answeredInTime(performance.now() - request.enteredMilliseconds, work, (ended) => {
      ended.catch((error: unknown) => tools.onLate?.(request, error));
    });
  }

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const weight = weightOf(request);
    const waits = enterTurn(weight);
    if (waits) await waits;
    const parsed = body ? readBody(request.body as Buffer | undefined, request.headers['content-type'], kinds) : {};
    const given = parsed instanceof Promise ? await parsed : parsed;
    if (endpoint.method !== 'GET')
      refusePreview(endpoint, request, body ? given : unreadBody(request.body as Buffer | undefined));
    // Faults of the request itself are found before the key is claimed, so that the corrected request may use the same
    // key.
    if (weight === 'heavy') await laterTurn(weight);
    const asked = read(request, reply, given);
    if (weight === 'heavy') await laterTurn(weight);
    const key = keyed ? headerText(request.headers['idempotency-key']) : undefined;
    if (key === undefined || !request.caller) {
      if (asked.refusal) throw asked.refusal;
      const call = callOf(asked, keyless);
      const answered = await inTime(request, () => route.handle(call));
      if (answered instanceof Streamed) return sendStream(reply, answered);
      return sendJson(reply, withIgnored(write(call, answered), asked.ignored));
    }
    const keyedRequest = {
      accountId: request.caller.id,
      key,
      method: request.method,
      // A query changes what is requested, as the body does.
      path: endpoint.query ? request.url : pathOf(request.url),
      body: given,
      refusal: asked.refusal,
    };
    const kept = await inTime(request, () =>
      tools.idempotency.run(keyedRequest, (run) => {
        const call = callOf(asked, run);
        return { check: call.checked, perform: () => answerOrRefusal(call) };
      }),
    );
    if (kept.replayed) reply.header('idempotent-replayed', 'true');
    // Added to what is stored: the same request ignores the same fields.
    return sendJson(reply, withIgnored(kept, asked.ignored));
  }

  /** A refusal is a response too, and is stored: the request has ended. */
  async function answerOrRefusal(call: Call<Endpoint, C, unknown>): Promise<Written> {
    try {
      return write(call, await route.handle(call));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return {
        status: statusOf(error.faults[0]),
        body: JSON.stringify(failureBody(call.requestId, error.faults, tools.envelope, endpoint.path)),
      };
    }
  }

  app.route({
    method: endpoint.method,
    url: urlOf(endpoint.path),
    config: { endpoint: endpoint.id, counts: true },
    bodyLimit: bodyBytesOf(endpoint),
    // With a callback: most callers are known immediately, and nothing is awaited.
    onRequest: (request, _reply, done) => {
      request.endpoint = endpoint.id;
      let entering: Promise<void> | void;
      try {
        entering = enter(request);
      } catch (error) {
        return done(error as Error);
      }
      if (entering) entering.then(() => done(), done);
      else done();
    },
    ...(tools.record ? { onSend: recorder(tools.record) } : {}),
    handler,
    errorHandler: (error, request, reply) => {
      // An empty body is `{}`, whatever its content type, even without one (docs/decisions.md 2).
      if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && hasNoBody(request)) return handler(request, reply);
      throw error;
    },
  });
}

function recorder(record: NonNullable<RouteTools<Caller>['record']>): onSendHookHandler {
  return (request, reply, payload, done) => {
    record(request, reply, payload);
    done(null, payload);
  };
}

/** From this size on, reading a body may take milliseconds. */
const heavyBytes = 16_384;

function weightOf({ body }: FastifyRequest): Weight {
  return Buffer.isBuffer(body) && body.length > heavyBytes ? 'heavy' : 'light';
}

function hasNoBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
