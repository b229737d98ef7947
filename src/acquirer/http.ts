// The port over HTTP: an acquirer that speaks the protocol of docs/acquirer.md.
//
// Only a connection that was never established is `notReached`. Any failure after a byte may have been sent (a timeout,
// a reset, a response that is unreadable, unsigned or has another status) is `unknown`, and `find` resolves it later.

import { readJson } from '../http/index.ts';
import { Refusal } from '../kernel/index.ts';
import { type Clock, type Log, pause, StartFault } from '../runtime/index.ts';
import { type AskedOffers, KnownOffers, type OffersAnswer, offersFromWire } from './offers.ts';
import type { Acquirer } from './port.ts';
import {
  cancelAnswerFromWire,
  chargeAnswerFromWire,
  findAnswerFromWire,
  refundAnswerFromWire,
  statementAnswerFromWire,
  wireFromCharge,
  wireFromRefund,
  wireFromStatement,
} from './protocol.ts';
import { type SigningKey, signatureHeader, signRequest, verifyAnswer } from './signature.ts';

export interface HttpAcquirerOptions {
  /** The acquirer's base URL, to which the protocol's paths are added. https, or http on this machine. */
  readonly url: string;
  /** The first one signs. */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  /** The wall clock: signatures carry its time. */
  readonly wall: Clock;
  readonly log: Log;
  /** The acquirer's name in the ledger. */
  readonly name?: string;
  /** Card data would cross the network in plain text: for sandboxes only. */
  readonly allowPlainHttp?: boolean;
}

type NoAnswer = { readonly kind: 'notReached' } | { readonly kind: 'unknown' };
type Read<Answer> = (value: unknown) => Answer | undefined;

/** `key` is only for the log. */
interface Asked {
  readonly key?: string;
  readonly deadlineMilliseconds: number;
}

const answerBytesAtMost = 65_536;
const statementBytesAtMost = 4_194_304;
/** How long the start of the service waits for the offers. */
const offersMilliseconds = 5_000;

export interface HttpAcquirer extends Acquirer {
  /** Until it has answered once, it counts as offering everything; afterwards it is asked again while its offers are used. */
  readOffers(): Promise<OffersAnswer>;
}

/** Opens the port to an acquirer; refuses a URL over which cards would be sent in plain text. */
export function openHttpAcquirer(options: HttpAcquirerOptions): HttpAcquirer {
  if (!isSafe(new URL(options.url)) && !options.allowPlainHttp) {
    throw new StartFault('ACQUIRER_URL must be https, because card data is sent to it.');
  }
  const line = new Line(options);
  const post = <Answer>(path: string, request: Asked, message: object, read: Read<Answer>) =>
    line.call({ method: 'POST', path, request, message, read });
  const get = <Answer>(path: string, request: Asked, read: Read<Answer>) =>
    line.call({ method: 'GET', path, request, read });
  const { wall, log } = options;
  const ask = () =>
    line.call<AskedOffers>({
      method: 'GET',
      path: '/offers',
      request: { deadlineMilliseconds: offersMilliseconds },
      read: offersFromWire,
      absent: { signed: { kind: 'everything' }, unsigned: { kind: 'noPath' } },
    });
  const known = new KnownOffers({ ask, wall, log });
  return {
    name: options.name ?? 'acquirer',
    get offers() {
      return known.current;
    },
    readOffers: () => known.read(),
    charge: async (request) => {
      // The protocol has no card fields: a card that was typed elsewhere is another acquirer's.
      const { kind } = request.instrument;
      if (kind === 'fields' || kind === 'saved') return { kind: 'declined', reason: 'instrument rejected' };
      return post('/charges', request, wireFromCharge(request), chargeAnswerFromWire);
    },
    refund: (request) => post('/refunds', request, wireFromRefund(request), refundAnswerFromWire),
    cancel: ({ key, deadlineMilliseconds }) => {
      const message = { key, deadlineMilliseconds };
      return post('/cancels', message, message, cancelAnswerFromWire);
    },
    findCharge: (request) => get(`/charges/${encodeURIComponent(request.key)}`, request, findAnswerFromWire),
    findRefund: (request) => get(`/refunds/${encodeURIComponent(request.key)}`, request, findAnswerFromWire),
    statement: (request) => {
      const message = wireFromStatement(request);
      const bytesAtMost = statementBytesAtMost;
      const read = statementAnswerFromWire;
      return line.call({ method: 'POST', path: '/statements', request, message, read, bytesAtMost });
    },
  };
}

interface LineCall<Answer> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly request: Asked;
  readonly message?: object;
  readonly read: Read<Answer>;
  readonly bytesAtMost?: number;
  /** The answers to assume if the connector does not have this path (404), because it may be older than the path. */
  readonly absent?: { readonly signed: Answer; readonly unsigned: Answer };
}

/** Signed requests, and answers that are believed only if they are signed for their request. */
class Line {
  readonly #base: string;
  readonly #options: HttpAcquirerOptions;

  constructor(options: HttpAcquirerOptions) {
    this.#base = options.url.replace(/\/+$/, '');
    this.#options = options;
  }

  async call<Answer>(call: LineCall<Answer>): Promise<Answer | NoAnswer> {
    const { path, request } = call;
    const over = new AbortController();
    const answered = new AbortController();
    pause(request.deadlineMilliseconds, answered.signal).then(() => over.abort());
    try {
      return await this.#exchange(call, over.signal);
    } catch (error) {
      if (neverConnected(error)) return this.#away(request, path, reasonOf(error));
      return this.#doubt(request, path, over.signal.aborted ? 'the deadline passed' : reasonOf(error));
    } finally {
      answered.abort();
    }
  }

  async #exchange<Answer>(call: LineCall<Answer>, signal: AbortSignal): Promise<Answer | NoAnswer> {
    const { method, path, request, message, read, bytesAtMost = answerBytesAtMost, absent } = call;
    const [key] = this.#options.keys;
    const url = new URL(`${this.#base}${path}`);
    const body = message === undefined ? '' : JSON.stringify(message);
    const signed = signRequest(key, { method, path: url.pathname, body }, this.#options.wall);
    const response = await fetch(url, {
      method,
      headers: { ...signed, accept: 'application/json', ...(message && { 'content-type': 'application/json' }) },
      ...(message && { body }),
      redirect: 'manual',
      signal,
    });
    const bytes = await readAtMost(response, bytesAtMost);
    const proof = response.headers.get(signatureHeader);
    const isProven = verifyAnswer(key, signed[signatureHeader] ?? '', response.status, bytes, proof);
    if (response.status === 404 && absent !== undefined) return isProven ? absent.signed : absent.unsigned;
    if (!isProven) {
      return this.#doubt(request, path, `status ${response.status}, not signed for this request`);
    }
    if (response.status !== 200) return this.#doubt(request, path, `status ${response.status}`);
    const answer = read(readJson(bytes.toString('utf8')));
    return answer ?? this.#doubt(request, path, 'a response that is not in the protocol');
  }

  #doubt(request: Asked, path: string, why: string): { readonly kind: 'unknown' } {
    this.#warn(request, path, why, 'the acquirer gave no valid response');
    return { kind: 'unknown' };
  }

  #away(request: Asked, path: string, why: string): { readonly kind: 'notReached' } {
    this.#warn(request, path, why, 'the acquirer was not reached');
    return { kind: 'notReached' };
  }

  /** Logs for the operator, never with a body or a header, because those contain cards and secrets. */
  #warn({ key }: Asked, path: string, why: string, what: string): void {
    this.#options.log.warn({ key, endpoint: path.split('/')[1], why }, what);
  }
}

/** Encrypted, or never leaving this machine. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Reads the body; throws above the limit without reading the rest. */
async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > limit) throw new Error(`The answer has more than ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Codes of connections that were never opened: no byte of the request can have arrived. */
const neverConnectedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether a failed `fetch` sent nothing. */
export function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  // Several addresses were tried: none of them may have been connected.
  if (cause instanceof AggregateError) return cause.errors.every(hasUnconnectedCode);
  return hasUnconnectedCode(cause);
}

function hasUnconnectedCode(error: unknown): boolean {
  return error instanceof Error && 'code' in error && neverConnectedCodes.has(String(error.code));
}

/** The code of a network error, or its class name; messages may quote the response. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return 'an answer that is no JSON, or has a field twice';
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.name : 'unknown';
}
