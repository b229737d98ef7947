// What a route is: a row of the contract with its handler, and what the platform lends to all of them.

import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Static, TSchema } from '../../../contract/schema.ts';
import type { Fault } from '../../kernel/index.ts';
import type { Idempotency, Run } from '../idempotency/index.ts';
import type { Ids } from '../random.ts';
import type { AddressLimit, RateLimit } from './limits.ts';

/** What the platform must know of a caller; accounts adds the rest. */
export interface Caller {
  /** The account that the request is for; idempotency keys belong to it. */
  readonly id: string;
  /** The account whose token it is; limits count there. */
  readonly callerId: string;
  readonly readOnly: boolean;
  /** Whether it may act on the installation as a whole. */
  readonly operator: boolean;
  readonly requestsPerSecond: number;
}

type Of<E extends Endpoint, Part extends 'params' | 'query' | 'body'> = E[Part] extends TSchema
  ? Static<E[Part]>
  : undefined;

/** What is asked. `caller` exists exactly where the endpoint asks for a token. */
export interface Question<E extends Endpoint, C extends Caller> {
  readonly caller: E['access'] extends 'none' ? undefined : C;
  readonly params: Of<E, 'params'>;
  readonly query: Of<E, 'query'>;
  readonly body: Of<E, 'body'>;
  readonly requestId: string;
  readonly authorization: string | undefined;
}

/** What a handler gets. */
export interface Call<E extends Endpoint, C extends Caller, Checked = undefined> extends Question<E, C> {
  /** Under an idempotency key the handler may run again: by `run` it makes the same rows, or does its one thing once. */
  readonly run: Run;
  /**
   * What the route's `check` found. A first run was checked before it began; one that was resumed asks when it needs to,
   * after it has looked for what the run before left.
   */
  readonly checked: () => Promise<Checked>;
}

type Answers<E extends Endpoint> = {
  [S in keyof E['responses']]: E['responses'][S] extends TSchema ? Static<E['responses'][S]> : never;
};

/** A handler's answer: the body alone when the endpoint has one success status, else with its status. */
export type Handler<E extends Endpoint, C extends Caller, Checked = undefined> = (
  call: Call<E, C, Checked>,
) => Promise<Answers<E>[keyof E['responses']] | Answered<Answers<E>[keyof E['responses']]>>;

export class Answered<T> {
  readonly status: number;
  readonly body: T;
  constructor(status: number, body: T) {
    this.status = status;
    this.body = body;
  }
}

export interface Route<C extends Caller> {
  readonly endpoint: Endpoint;
  /**
   * Finds out whether the request can be done, and what the handler needs for it. It changes nothing: what it refuses has
   * had no effect, and the corrected request may use the same idempotency key.
   */
  readonly check?: (question: Question<Endpoint, C>) => unknown;
  readonly handle: (call: Call<Endpoint, C, unknown>) => Promise<unknown>;
  /** Faults of a body that depend on the caller or on several fields. The body was not validated when it is asked. */
  readonly faults: ((body: unknown, caller: C) => readonly Fault[]) | undefined;
}

export function on<const E extends Endpoint, C extends Caller>(
  endpoint: E,
  handle: Handler<E, C>,
  faults?: Route<C>['faults'],
): Route<C> {
  return { endpoint, handle: handle as unknown as Route<C>['handle'], faults };
}

/** A route whose request can be wrong in ways that only the database or secrets can show. */
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

/** Whose token it is: its requests count there, whichever account they are for. */
export interface Holder<C extends Caller> extends Pick<Caller, 'callerId' | 'requestsPerSecond'> {
  /** The account of X-Merchant-Id; refuses one that the holder may not act for. */
  actAs(merchantId: string | undefined): Promise<C>;
}

/** From the headers `Authorization` and `X-Merchant-Id` to the caller. */
export interface Authenticate<C extends Caller> {
  /** The holder of a token that was looked up a moment ago. */
  known(authorization: string | undefined, merchantId: string | undefined): C | undefined;
  /** Whether a lookup of this token is in progress, which `ask` would join. */
  isAsking(authorization: string | undefined): boolean;
  /** Refuses a token that is not valid. */
  ask(authorization: string | undefined): Promise<Holder<C>>;
}

export interface RouteTools<C extends Caller> {
  readonly authenticate: Authenticate<C>;
  readonly idempotency: Idempotency;
  readonly ids: Ids;
  /** Of accounts. */
  readonly limit: RateLimit;
  /** Of those who have no valid token. */
  readonly addressLimit: AddressLimit;
  readonly docsUrl: string;
  /** Tests check every answer against the contract; a wrong one becomes a bug of ours. */
  readonly checkAnswer?: ((endpoint: Endpoint, status: number, body: unknown) => void) | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** On the machine's steady clock. */
    startedAt: number;
    /** The contract's id, where the route is one of the contract. */
    endpoint: string | undefined;
  }
  interface FastifyContextConfig {
    /** The contract's id, as the metrics call the route. */
    endpoint?: string;
    /** Whether the route counts its callers by itself; all others count by address. */
    counts?: boolean;
  }
}
