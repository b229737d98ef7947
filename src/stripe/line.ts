// The line to the provider: the official package with our own idempotency keys, timeouts and pace, and without its
// retries and telemetry. Every request ends as one of five outcomes; none throws because of the other side.

import type { Stripe } from 'stripe';
import { neverConnected } from '../acquirer/index.ts';
import type { Secret } from '../kernel/index.ts';
import { type Log, pause } from '../runtime/index.ts';
import type { ProviderFailure } from './declines.ts';
import type { Pace } from './pace.ts';

export interface Refused extends ProviderFailure {
  readonly status: number;
  readonly type: string;
  /** What of the request was wrong. */
  readonly param: string | undefined;
  readonly intent: Stripe.PaymentIntent | undefined;
}

/**
 * `never`: nothing happened and nothing will. `refused`: the provider said no, for good. `failed`: it may have happened,
 * and the provider keeps this response for its idempotency key. `lost`: it may have happened.
 */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly refused: Refused }
  /** 401: our key is not known, or no more; 403: it may not do this. Nothing happened, but nothing is known either. */
  | { readonly kind: 'forbidden'; readonly status: 401 | 403 }
  | { readonly kind: 'never' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'lost' };

/** What is left of the time that a room waits. */
export class Allowance {
  readonly #until: number;
  readonly #half: number;

  constructor(deadlineMilliseconds: number) {
    this.#until = performance.now() + deadlineMilliseconds;
    this.#half = deadlineMilliseconds / 2;
  }

  /** For one request: at most half of the whole, so that one that hangs leaves time to ask. */
  next(): number {
    return Math.min(this.#half, this.#until - performance.now() - spareMilliseconds);
  }
}

/** For what is done after the last request. */
const spareMilliseconds = 100;
const shortestMilliseconds = 50;

export interface LineOptions {
  readonly key: Secret;
  /** Instead of the provider's own address. */
  readonly apiUrl: string | undefined;
  readonly pace: Pace;
  readonly log: Log;
  /** How a request is sent, if not by `fetch`. */
  readonly send?: typeof fetch | undefined;
}

export interface Request<T> {
  /** For the pace and the log: `POST /v1/refunds`. */
  readonly endpoint: string;
  readonly time: Allowance;
  /** Of every POST, and of no GET. */
  readonly idempotencyKey?: string;
  /** Refusals are expected, and not logged. */
  readonly quiet?: true;
  readonly run: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>;
}

interface Sdk {
  readonly stripe: Stripe;
  readonly errors: typeof Stripe.errors;
}

export class Line {
  readonly #sdk: Sdk;
  readonly #options: LineOptions;

  private constructor(sdk: Sdk, options: LineOptions) {
    this.#sdk = sdk;
    this.#options = options;
  }

  /** The package is loaded only where it is used: it takes as long as a fifth of a start. */
  static async open(options: LineOptions): Promise<Line> {
    return new Line(await openSdk(options), options);
  }

  /** For signatures of events, which need no request. */
  get webhooks(): Stripe['webhooks'] {
    return this.#sdk.stripe.webhooks;
  }

  /** Tries again, within the time, while the provider says that there are too many requests. */
  async ask<T>(request: Request<T>): Promise<Outcome<T>> {
    for (;;) {
      const outcome = await this.#askOnce(request);
      if (outcome !== 'too many') return outcome;
    }
  }

  async #askOnce<T>({ endpoint, time, idempotencyKey, quiet, run }: Request<T>): Promise<Outcome<T> | 'too many'> {
    const { pace } = this.#options;
    const wait = pace.reserve(endpoint, performance.now(), time.next() - shortestMilliseconds);
    if (wait === undefined) {
      this.#warn(endpoint, { kind: 'never' }, 'no time is left');
      return { kind: 'never' };
    }
    if (wait > 0) await pause(wait);
    try {
      const timeout = Math.max(1, Math.floor(time.next()));
      const value = await run(this.#sdk.stripe, { timeout, ...(idempotencyKey !== undefined && { idempotencyKey }) });
      pace.faster();
      return { kind: 'done', value };
    } catch (error) {
      const said = error instanceof this.#sdk.errors.StripeError ? error : undefined;
      const outcome = said ? this.#outcomeOf(said) : lost;
      const expected = quiet && (outcome.kind === 'refused' || outcome.kind === 'forbidden');
      if (!expected) this.#warn(endpoint, outcome, said ? whyOf(said) : 'a fault of ours');
      if (said?.statusCode !== tooManyRequests) return outcome;
      pace.slower(performance.now());
      return outcome.kind === 'never' ? 'too many' : outcome;
    }
  }

  #outcomeOf(error: Stripe.errors.StripeError): Exclude<Outcome<never>, { kind: 'done' }> {
    if (error instanceof this.#sdk.errors.StripeConnectionError)
      return { kind: neverConnected(error.detail) ? 'never' : 'lost' };
    const { statusCode: status = 0, code, decline_code, param, payment_intent: intent, rawType: type = '' } = error;
    if (status === 401 || status === 403) return { kind: 'forbidden', status };
    // The limit of requests is checked before anything is done; a lock that was not got says nothing.
    if (status === tooManyRequests) return { kind: code === 'lock_timeout' ? 'lost' : 'never' };
    if (status === 400 || status === 402 || status === 404)
      return { kind: 'refused', refused: { status, type, code, decline_code, param, intent } };
    // Only what the API itself says is kept under the key.
    return { kind: status === 500 && type === 'api_error' ? 'failed' : 'lost' };
  }

  /** Never with a message of the provider: those may quote keys and what payers wrote. */
  #warn(endpoint: string, outcome: Outcome<unknown>, why: string): void {
    const { log } = this.#options;
    if (isDecline(outcome)) log.info({ endpoint, why }, 'the provider declined');
    else if (outcome.kind !== 'forbidden')
      log.warn({ endpoint, outcome: outcome.kind, why }, 'the provider did not do what was asked');
    else if (outcome.status === 401) log.error({ endpoint, why }, 'the provider does not know our key');
    else log.error({ endpoint, why }, 'our key lacks a permission');
  }
}

const tooManyRequests = 429;
const paymentRequired = 402;

/** Nothing is wrong with our request: the payer has too little money, or mistyped a code. */
function isDecline(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.refused.status === paymentRequired;
}

const lost = { kind: 'lost' } as const;

function whyOf(error: Stripe.errors.StripeError): string {
  const { statusCode, rawType, code, decline_code: decline, requestId } = error;
  if (statusCode === undefined) return networkCode(error.detail) ?? error.type;
  return [statusCode, rawType, code, decline, requestId].filter(Boolean).join(' ');
}

function networkCode(detail: unknown): string | undefined {
  const cause = detail instanceof Error ? (detail.cause ?? detail) : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/** What the package would tell about this machine with every request. */
const telemetryHeaders = ['x-stripe-client-user-agent', 'x-stripe-client-telemetry'];

/**
 * By `fetch`, whose connections the package never retries by itself (it repeats a reset of its usual client even without
 * retries), and whose timeout is that of the whole request.
 */
async function openSdk({ key, apiUrl, send = fetch }: LineOptions): Promise<Sdk> {
  const { Stripe: Package } = await import('stripe');
  const base = apiUrl === undefined ? undefined : new URL(apiUrl);
  const prefix = base?.pathname.replace(/\/+$/, '') ?? '';
  const sendPlainly = (address: string | URL | globalThis.Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(address instanceof globalThis.Request ? address.url : address);
    url.pathname = prefix + url.pathname;
    const headers = new Headers(init.headers);
    for (const name of telemetryHeaders) headers.delete(name);
    headers.set('user-agent', 'Grosz');
    return send(url, { ...init, headers, redirect: 'manual' });
  };
  const stripe = new Package(key.reveal(), {
    apiVersion: '2026-10-28.endive',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Package.createFetchHttpClient(sendPlainly as typeof fetch),
    ...(base && {
      host: base.hostname,
      port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  });
  return { stripe, errors: Package.errors };
}
