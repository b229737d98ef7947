// The simulated bank as a separate process that speaks the HTTP protocol: test a connector to a real acquirer against
// it, or use it as a model for one.

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import { methodNames } from '../../../contract/methods.ts';
import type {
  CancelAnswer,
  ChargeAnswer,
  FindAnswer,
  Offer,
  OnCallback,
  RefundAnswer,
  StatementAnswer,
} from '../../acquirer/index.ts';
import {
  callbackSender,
  cancelFromWire,
  chargeFromWire,
  refundFromWire,
  type SigningKey,
  signAnswer,
  statementFromWire,
  verifyRequest,
  wireFromAnswer,
  wireFromOffers,
  wireFromStatementAnswer,
} from '../../acquirer/index.ts';
import { readJson } from '../../http/index.ts';
import { Refusal } from '../../kernel/index.ts';
import type { Clock, Log } from '../../runtime/index.ts';
import { registerBankPages } from './pages.ts';
import type { Simulator } from './simulator.ts';

export interface BankHostOptions {
  readonly simulator: Simulator;
  /** All of them verify; the first one signs callbacks. */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  readonly wall: Clock;
  readonly log: Log;
  /** The service's callback URL: `{base}/acquirer/callback`. */
  readonly callbackUrl: string;
  /** What it says it takes; by default everything that it does take. */
  readonly offers?: readonly Offer[] | undefined;
}

export interface BankHost {
  readonly app: FastifyInstance;
  /** Sends one callback to the service; pass it to `simulator.deliverDue`. */
  readonly onCallback: OnCallback;
}

type Offers = { readonly kind: 'offers'; readonly offers: readonly Offer[] };
type Answer = ChargeAnswer | RefundAnswer | CancelAnswer | FindAnswer | StatementAnswer | Offers;
/** Undefined: the message does not match the protocol. */
type Handle = (request: FastifyRequest) => Promise<Answer> | undefined;

/** Up to the largest amount of the protocol. */
const everything = methodNames.map(
  (method): Offer => ({
    method,
    currency: 'PLN',
    leastMinor: 1n,
    mostMinor: 9_999_999_999_999n,
    fields: 'own',
    recurring: method === 'card' ? ['card'] : method === 'blik' ? ['A', 'M', 'O'] : [],
  }),
);

const bodyBytesAtMost = 32_768;
/** Lookups have no deadline in the protocol: the caller hangs up when it has waited long enough. */
const findDeadlineMilliseconds = 10_000;

/** Builds the server; the caller starts listening. */
export async function openBankHost(options: BankHostOptions): Promise<BankHost> {
  const { simulator, keys, wall, log } = options;
  const onCallback = callbackSender({ url: options.callbackUrl, key: keys[0], wall });
  const app = Fastify({ logger: false, bodyLimit: bodyBytesAtMost, routerOptions: { maxParamLength: 400 } });
  app.removeAllContentTypeParsers();
  // The signature covers the raw bytes.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

  function answer(handle: Handle) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const message = { method: request.method, path: request.url, body: bytesOf(request) };
      const verdict = verifyRequest(keys, message, request.headers, wall);
      if (verdict.kind === 'refused') {
        log.warn({ endpoint: request.routeOptions.url, why: verdict.why }, 'request rejected');
        return reply.code(401).send({ error: verdict.why });
      }
      const { result, field } = await resultOf(handle, request);
      // A lost response stays lost: close the connection.
      if (result?.kind === 'unknown') return hangUp(reply);
      const status = result ? 200 : 400;
      const body = JSON.stringify(result ? wireFromAny(result) : { error: 'malformed', ...(field && { field }) });
      return reply
        .code(status)
        .headers(signAnswer(verdict.key, verdict.signature, status, body))
        .header('content-type', 'application/json; charset=utf-8')
        .send(body);
    };
  }

  for (const [method, url, handle] of routesOf(options)) app.route({ method, url, handler: answer(handle) });
  await registerBankPages(app, simulator, { basePath: '/bank', onCallback, log });
  return { app, onCallback };
}

function routesOf({ simulator, offers = everything }: BankHostOptions): [HTTPMethods, string, Handle][] {
  return [
    ['POST', '/charges', (request) => given(chargeFromWire(jsonOf(request)), (charge) => simulator.charge(charge))],
    ['POST', '/refunds', (request) => given(refundFromWire(jsonOf(request)), (refund) => simulator.refund(refund))],
    ['POST', '/cancels', (request) => given(cancelFromWire(jsonOf(request)), (cancel) => simulator.cancel(cancel))],
    ['GET', '/charges/:key', (request) => simulator.findCharge(lookup(request))],
    ['GET', '/refunds/:key', (request) => simulator.findRefund(lookup(request))],
    [
      'POST',
      '/statements',
      (request) => given(statementFromWire(jsonOf(request)), (asked) => simulator.statement(asked)),
    ],
    ['GET', '/offers', async () => ({ kind: 'offers', offers })],
  ];
}

function wireFromAny(answer: Answer): object {
  if (answer.kind === 'offers') return wireFromOffers(answer.offers);
  return answer.kind === 'page' ? wireFromStatementAnswer(answer) : wireFromAnswer(answer);
}

function given<Request>(
  request: Request | undefined,
  act: (request: Request) => Promise<Answer>,
): Promise<Answer> | undefined {
  return request === undefined ? undefined : act(request);
}

function lookup(request: FastifyRequest) {
  const { key } = request.params as { key: string };
  return { key, deadlineMilliseconds: findDeadlineMilliseconds };
}

function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function jsonOf(request: FastifyRequest): unknown {
  return readJson(bytesOf(request).toString('utf8'));
}

/** Without a result: the message is malformed, because of `field` if it was sent twice. */
async function resultOf(handle: Handle, request: FastifyRequest): Promise<{ result?: Answer; field?: string }> {
  try {
    const result = await handle(request);
    return result ? { result } : {};
  } catch (error) {
    if (error instanceof Refusal) return { field: error.faults[0].field };
    throw error;
  }
}

function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
