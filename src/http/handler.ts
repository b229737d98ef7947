// Answers the requests of one route: reads them along the contract, runs them once per idempotency key, writes the
// response.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Type } from '../../contract/schema.ts';
import { Refusal } from '../kernel/index.ts';
import { answeredInTime, enterTurn, laterTurn, type Weight } from '../runtime/index.ts';
import { type JsonAnswer, nameIgnored, sendJson, sendStream, withIgnored } from './answer.ts';
import { readBody } from './body.ts';
import { failureBody, statusOf } from './failures.ts';
import { headerText } from './form.ts';
import { hiderOf } from './hide.ts';
import type { Run } from './idempotency/index.ts';
import type { Look } from './look.ts';
import { refusePreview, unreadBody } from './preview.ts';
import type { Route, RouteTools } from './route.ts';
import { Answered, type Call, type Caller, type Client, type Question, Streamed } from './route.ts';
import { BodyReader, QueryReader, readParams } from './validate.ts';

/** A parsed request, and the refusal by the caller's rules, if any. */
interface Asked<C extends Caller> {
  readonly question: Omit<Question<Endpoint, C>, 'caller'> & { readonly caller: C | undefined };
  readonly refusal: Refusal | undefined;
  /** To be named in the response. */
  readonly ignored: readonly string[];
}

export class RouteHandler<C extends Caller> {
  readonly #route: Route<C>;
  readonly #endpoint: Endpoint;
  readonly #tools: RouteTools<C>;
  readonly #body: BodyReader | undefined;
  readonly #query: QueryReader;
  readonly #successStatus: number;
  readonly #hiders: ReadonlyMap<number, ReturnType<typeof hiderOf>>;
  /** For requests without a key. */
  readonly #keyless: Run;
  readonly #acceptsKey: boolean;

  constructor(route: Route<C>, tools: RouteTools<C>) {
    const { endpoint } = route;
    const responses = Object.entries(endpoint.responses);
    this.#route = route;
    this.#endpoint = endpoint;
    this.#tools = tools;
    this.#body = endpoint.body && new BodyReader(endpoint.body, endpoint.nullsRefused);
    this.#query = new QueryReader(endpoint.query ?? Type.Object({}));
    this.#successStatus = Number(responses[0]?.[0]);
    this.#hiders = new Map(responses.map(([status, schema]) => [Number(status), hiderOf(schema)]));
    this.#keyless = { ids: tools.ids, resumed: false, once: tools.idempotency.once };
    this.#acceptsKey = endpoint.method === 'POST' && endpoint.access !== 'none' && endpoint.idempotent !== false;
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const weight = weightOf(request);
    const waits = enterTurn(weight);
    if (waits) await waits;
    const parsed = this.#parse(request);
    const given = parsed instanceof Promise ? await parsed : parsed;
    // Faults of the request itself are found before the key is claimed, so that the corrected request may use the same
    // key.
    if (weight === 'heavy') await laterTurn(weight);
    const asked = this.#read(request, reply, given);
    if (weight === 'heavy') await laterTurn(weight);
    const key = this.#acceptsKey ? headerText(request.headers['idempotency-key']) : undefined;
    if (key !== undefined && request.caller) return this.#answerKeyed(request, reply, asked, { key, body: given });
    if (asked.refusal) throw asked.refusal;
    const call = this.#callOf(asked, this.#keyless);
    const answered = await this.#inTime(request, () => this.#route.handle(call));
    if (answered instanceof Streamed) return sendStream(reply, answered);
    return sendJson(reply, withIgnored(this.#serialize(call, answered), asked.ignored));
  }

  /** Not async: nothing is awaited unless a large body is read in turns. */
  #parse(request: FastifyRequest): unknown {
    const bytes = request.body as Buffer | undefined;
    const kinds = this.#endpoint.bodyKinds ?? ['json'];
    const parsed = this.#body ? readBody(bytes, request.headers['content-type'], kinds) : {};
    return parsed instanceof Promise
      ? parsed.then((given) => this.#withoutPreview(request, given))
      : this.#withoutPreview(request, parsed);
  }

  #withoutPreview(request: FastifyRequest, given: unknown): unknown {
    if (this.#endpoint.method !== 'GET')
      refusePreview(this.#endpoint, request, this.#body ? given : unreadBody(request.body as Buffer | undefined));
    return given;
  }

  /** The request as its handler sees it, with every fault found; `X-Ignored-Fields` names unknown fields. */
  #read(request: FastifyRequest, reply: FastifyReply, given: unknown): Asked<C> {
    const [asked, bodyLook] = [this.#query.look(request.query as Record<string, unknown>), this.#body?.look(given)];
    const names = nameIgnored(reply, bodyLook ? [asked, bodyLook] : [asked]);
    const question = {
      caller: request.caller,
      params: readParams(request.params),
      query: this.#query.check(asked),
      body: bodyLook?.value,
      requestId: request.id,
      authorization: request.headers.authorization,
      accept: request.headers.accept,
      client: () => this.#clientOf(request),
    } as unknown as Asked<C>['question'];
    const ignored = this.#tools.namesIgnored ? names : [];
    return { question, refusal: bodyLook && this.#refusalOf(request, bodyLook), ignored };
  }

  /**
   * Throws the schema's faults of a body; returns those of the caller's rules, which apply to new requests only: they
   * may have changed since the first run of a repeated one.
   */
  #refusalOf(request: FastifyRequest, bodyLook: Look): Refusal | undefined {
    const { faults } = this.#route;
    try {
      this.#body?.check(bodyLook, faults && ((value) => faults(value, request.caller as C)));
      return undefined;
    } catch (refusal) {
      if (refusal instanceof Refusal && this.#body?.accepts(bodyLook)) return refusal;
      throw refusal;
    }
  }

  #clientOf(request: FastifyRequest): Client {
    const { 'user-agent': userAgent = '', cookie = '', origin } = request.headers;
    return { address: this.#tools.addressLimit.addressOf(request), userAgent, cookie, origin };
  }

  #callOf({ question }: Asked<C>, run: Run): Call<Endpoint, C, unknown> {
    let checking: Promise<unknown> | undefined;
    const check = async () => this.#route.check?.(question as Question<Endpoint, C>);
    const checked = () => {
      checking ??= check();
      return checking;
    };
    return { ...question, run, checked } as Call<Endpoint, C, unknown>;
  }

  async #answerKeyed(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Asked<C>,
    { key, body }: { readonly key: string; readonly body: unknown },
  ): Promise<FastifyReply> {
    const keyed = {
      accountId: request.caller?.id ?? '',
      key,
      method: request.method,
      // A query changes what is requested, as the body does.
      path: this.#endpoint.query ? request.url : pathOf(request.url),
      body,
      refusal: asked.refusal,
    };
    const kept = await this.#inTime(request, () =>
      this.#tools.idempotency.run(keyed, (run) => {
        const call = this.#callOf(asked, run);
        return { check: call.checked, perform: () => this.#answerOrRefusal(call) };
      }),
    );
    if (kept.replayed) reply.header('idempotent-replayed', 'true');
    // Added to what is stored: the same request ignores the same fields.
    return sendJson(reply, withIgnored(kept, asked.ignored));
  }

  /** A refusal is a response too, and is stored: the request has ended. */
  async #answerOrRefusal(call: Call<Endpoint, C, unknown>): Promise<JsonAnswer> {
    try {
      return this.#serialize(call, await this.#route.handle(call));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { envelope } = this.#tools;
      return {
        status: statusOf(error.faults[0]),
        body: JSON.stringify(failureBody(call.requestId, error.faults, envelope, this.#endpoint.path)),
      };
    }
  }

  #serialize(call: Call<Endpoint, C, unknown>, answered: unknown): JsonAnswer {
    const status = answered instanceof Answered ? answered.status : this.#successStatus;
    const full = answered instanceof Answered ? answered.body : answered;
    const hide = call.caller?.readOnly ? this.#hiders.get(status) : undefined;
    const value = hide ? hide(full) : full;
    this.#tools.checkAnswer?.(this.#endpoint, status, value);
    const cookies = answered instanceof Answered ? answered.cookies : [];
    return { status, body: JSON.stringify(value), cookies };
  }

  /** From when the body has arrived, and with what identifying the caller took. */
  #inTime<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    return answeredInTime(performance.now() - request.enteredMilliseconds, work, (ended) => {
      ended.catch((error: unknown) => this.#tools.onLate?.(request, error));
    });
  }
}

/** From this size on, reading a body may take milliseconds. */
const heavyBytes = 16_384;

function weightOf({ body }: FastifyRequest): Weight {
  return Buffer.isBuffer(body) && body.length > heavyBytes ? 'heavy' : 'light';
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
