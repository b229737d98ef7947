// Who may enter a route, before the body is read: a rejected request need not be received.

import type { FastifyRequest } from 'fastify';
import { Refusal, refuse } from '../kernel/index.ts';
import { headerText } from './form.ts';
import type { Caller, Route, RouteTools } from './route.ts';

/** The headers of the API. */
function apiCredentials({ headers }: FastifyRequest) {
  return { authorization: headers.authorization, merchantId: headerText(headers['x-merchant-id']) };
}

export class Entrance<C extends Caller> {
  readonly #route: Route<C>;
  readonly #tools: RouteTools<C>;
  readonly #credentialsOf: typeof apiCredentials;

  constructor(route: Route<C>, tools: RouteTools<C>) {
    this.#route = route;
    this.#tools = tools;
    this.#credentialsOf = tools.identification?.credentials ?? apiCredentials;
  }

  /** A promise only if the caller is not known yet. */
  enter(request: FastifyRequest): Promise<void> | void {
    const { identification, addressLimit, authenticate, limit } = this.#tools;
    identification?.guard(request);
    if (this.#route.endpoint.access === 'none') {
      addressLimit.consume(request);
      return;
    }
    const { authorization, merchantId } = this.#credentialsOf(request);
    const known = authenticate.known(authorization, merchantId);
    if (!known) return this.#ask(request, authorization, merchantId);
    limit.consume(known.callerId, known.requestsPerSecond);
    this.#admit(request, known);
  }

  /**
   * Requests without a known token are limited by address; above the limit, unknown tokens from that address are not
   * looked up.
   */
  async #ask(request: FastifyRequest, authorization?: string, merchantId?: string): Promise<void> {
    const { addressLimit, authenticate, limit } = this.#tools;
    // Taken before the lookup and given back after it, so that only a few of many made-up tokens are looked up. Joining
    // a lookup in progress is free, so that many requests with one busy token are not mistaken for that.
    const joins = authenticate.isAsking(authorization);
    if (!joins) addressLimit.consume(request);
    const beganAt = performance.now();
    const owner = await authenticate.ask(authorization).catch((error: unknown) => {
      const isNobody = error instanceof Refusal && error.code === 'invalid_token';
      if (joins && isNobody) addressLimit.consume(request);
      if (!joins && !isNobody) addressLimit.release(request);
      throw error;
    });
    if (!joins) addressLimit.release(request);
    limit.consume(owner.callerId, owner.requestsPerSecond);
    const caller = await owner.actAs(merchantId);
    request.enteredMilliseconds = performance.now() - beganAt;
    this.#admit(request, caller);
  }

  #admit(request: FastifyRequest, caller: C): void {
    const { access } = this.#route.endpoint;
    if (access !== 'read' && caller.readOnly) {
      refuse('access_denied', '', 'This credential is read-only.');
    }
    if (access === 'operator' && !caller.operator) {
      refuse('access_denied', '', 'This requires an operator credential, because it acts on all accounts.');
    }
    if (access === 'owner' && !caller.owner) {
      refuse('access_denied', '', 'Only an owner of the account may do this.');
    }
    this.#route.admit?.(caller);
    request.caller = caller;
  }
}
