// Types of a route: an endpoint of the contract with its handler, and what the server provides to all of them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Static, TSchema } from '../../contract/schema.ts';
import type { Fault } from '../kernel/index.ts';
import type { Ids } from '../runtime/index.ts';
import type { Envelope } from './failures.ts';
import type { Idempotency, Run } from './idempotency/index.ts';
import type { AddressLimit, RateLimit } from './limits.ts';

/** What the server needs to know about a caller; accounts adds the rest. */
export interface Caller {
  /** The account that the request is for; idempotency keys belong to it. */
  readonly id: string;
  /** The account that owns the token; rate limits count there. */
  readonly callerId: string;
  readonly readOnly: boolean;
  /** Whether it may act on the whole installation. */
  readonly operator: boolean;
  /** Whether it may change users and settings; only of people. */
  readonly owner?: boolean;
  readonly requestsPerSecond: number;
}

type Of<E extends Endpoint, Part extends 'params' | 'query' | 'body'> = E[Part] extends TSchema
  ? Static<E[Part]>
  : undefined;

/** The request. `caller` exists exactly if the endpoint requires a token. */
export interface Question<E extends Endpoint, C extends Caller> {
  readonly caller: E['access'] extends 'none' ? undefined : C;
  readonly params: Of<E, 'params'>;
  readonly query: Of<E, 'query'>;
  readonly body: Of<E, 'body'>;
  readonly requestId: string;
  readonly authorization: string | undefined;
  /** The header `Accept`, for endpoints that also give a file. */
  readonly accept: string | undefined;
  readonly client: () => Client;
}

/** Where a request comes from. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  readonly cookie: string;
  readonly origin: string | undefined;
}

/** What a handler gets. */
export interface Call<E extends Endpoint, C extends Caller, Checked = undefined> extends Question<E, C> {
  /**
   * With an idempotency key the handler may run again: `run` makes it create the same rows, or perform its effect once.
   */
  readonly run: Run;
  /**
   * The result of the route's `check`. A first run was checked before it started; a resumed one calls this when it
   * needs it, after looking for what the previous run left.
   */
  readonly checked: () => Promise<Checked>;
}

type Answers<E extends Endpoint> = {
  [S in keyof E['responses']]: E['responses'][S] extends TSchema ? Static<E['responses'][S]> : never;
};

/** A handler's response: only the body if the endpoint has a single success status, otherwise with its status. */
export type Handler<E extends Endpoint, C extends Caller, Checked = undefined> = (
  call: Call<E, C, Checked>,
) => Promise<Answers<E>[keyof E['responses']] | Answered<Answers<E>[keyof E['responses']]> | Streamed>;

export class Answered<T> {
  readonly status: number;
  readonly body: T;
  /** Cookies to set. Such a response is never stored under an idempotency key. */
  readonly cookies: readonly string[];
  constructor(status: number, body: T, cookies: readonly string[] = []) {
    this.status = status;
    this.body = body;
    this.cookies = cookies;
  }
}

/** A response that is sent as it is made, only as fast as it is read: for what would not fit into memory. */
export class Streamed {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** `headers` with the content type. */
  constructor(headers: Readonly<Record<string, string>>, chunks: AsyncIterable<string | Uint8Array>) {
    this.headers = headers;
    this.chunks = chunks;
  }
}

export interface Route<C extends Caller> {
  readonly endpoint: Endpoint;
  /**
   * Checks whether the request can be carried out, and collects what the handler needs. It changes nothing: what it
   * refuses has had no effect, so the corrected request may use the same idempotency key.
   */
  readonly check?: (question: Question<Endpoint, C>) => unknown;
  readonly handle: (call: Call<Endpoint, C, unknown>) => Promise<unknown>;
  /** Refuses callers that may not use the endpoint at all; called before the body is read. */
  readonly admit?: (caller: C) => void;
  /** Faults of a body that depend on the caller or on several fields. Called before the body is validated. */
  readonly faults: ((body: unknown, caller: C) => readonly Fault[]) | undefined;
}

export function on<const E extends Endpoint, C extends Caller>(
  endpoint: E,
  handle: Handler<E, C>,
  faults?: Route<C>['faults'],
): Route<C> {
  return { endpoint, handle: handle as unknown as Route<C>['handle'], faults };
}

/** The same routes for callers that `admit` does not refuse, whatever they send. */
export function onlyFor<C extends Caller>(admit: (caller: C) => void, routes: readonly Route<C>[]): Route<C>[] {
  return routes.map((route) => ({ ...route, admit }));
}

/** A route whose request can be invalid in ways that only the database or secrets reveal. */
export function onChecked<const E extends Endpoint, C extends Caller, Checked>(
  endpoint: E,
  {
    check,
    handle,
    faults,
  }: {
    readonly check: (question: Question<E, C>) => Checked | Promise<Checked>;
    readonly handle: Handler<E, C, Checked>;
    readonly faults?: Route<C>['faults'];
  },
): Route<C> {
  return {
    endpoint,
    check: check as unknown as NonNullable<Route<C>['check']>,
    handle: handle as unknown as Route<C>['handle'],
    faults,
  };
}

/** The owner of a token: its requests count there, whichever account they are for. */
export interface TokenOwner<C extends Caller> extends Pick<Caller, 'callerId' | 'requestsPerSecond'> {
  /** The account of X-Merchant-Id; refuses one that the owner may not act for. */
  actAs(merchantId: string | undefined): Promise<C>;
}

/** From the headers `Authorization` and `X-Merchant-Id` to the caller. */
export interface Authenticate<C extends Caller> {
  /** The caller, if the token was looked up a moment ago. */
  known(authorization: string | undefined, merchantId: string | undefined): C | undefined;
  /** Whether a lookup of this token is in progress, which `ask` would join. */
  isAsking(authorization: string | undefined): boolean;
  /** Refuses an invalid token. */
  ask(authorization: string | undefined): Promise<TokenOwner<C>>;
}

/** How requests identify their caller, if not by the headers of the API. */
export interface Identification {
  /** Refuses requests that another site made, whoever the caller is. */
  readonly guard: (request: FastifyRequest) => void;
  readonly credentials: (request: FastifyRequest) => {
    readonly authorization: string | undefined;
    readonly merchantId: string | undefined;
  };
}

export interface RouteTools<C extends Caller> {
  /** Paths that are not suggested to somebody who asks for an unknown one: others do the same. */
  readonly isSecondary?: (path: string) => boolean;
  /** Gets every request with its response; must not take time. */
  readonly record?: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void;
  readonly authenticate: Authenticate<C>;
  readonly identification?: Identification;
  readonly idempotency: Idempotency;
  readonly ids: Ids;
  /** Per account. */
  readonly limit: RateLimit;
  /** For requests without a valid token. */
  readonly addressLimit: AddressLimit;
  readonly envelope: Envelope;
  /** In the sandbox ignored fields are named in the body too. */
  readonly namesIgnored: boolean;
  /** Gets how a request failed that had been answered before, because it took too long. */
  readonly onLate?: (request: FastifyRequest, error: unknown) => void;
  /** Tests check every response against the contract; a mismatch is reported as a bug of ours. */
  readonly checkAnswer?: ((endpoint: Endpoint, status: number, body: unknown) => void) | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** By the monotonic clock. */
    startedAt: number;
    /** How long identifying the caller took, if it had to be looked up. */
    enteredMilliseconds: number;
    /** The endpoint's id in the contract, if it has one. */
    endpoint: string | undefined;
  }
  interface FastifyContextConfig {
    /** The endpoint's id in the contract, as used in the metrics. */
    endpoint?: string;
    /** Whether the route applies rate limits itself; all others are limited by address. */
    counts?: boolean;
  }
}
