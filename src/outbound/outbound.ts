// Sends requests to URLs chosen by others. The only module that opens such connections.
//
// A URL is checked again before each send. A name is resolved once per connection, all of its addresses must be
// allowed, and the connection goes to exactly those addresses, so a second resolution cannot differ. Redirects are
// never followed.

import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Secret } from '../kernel/index.ts';
import { elsewhere, later } from '../runtime/index.ts';
import { type AddressRefusal, allowed, type OutboundPolicy, readAddress, type Target } from './policy.ts';
import { type Resolve, systemResolve } from './resolve.ts';

export interface OutboundLimits {
  /** For everything, from resolving the name to the last byte of the response. */
  readonly milliseconds: number;
  /** Maximum size of the response body; beyond it the connection is closed. */
  readonly answerBytes: number;
}

export type OutboundFault =
  | `address_${AddressRefusal}`
  | 'name_not_found'
  | 'connection_refused'
  | 'connection_failed'
  | 'certificate_refused'
  | 'timed_out'
  | 'answer_too_large'
  | 'closing';

export interface Posted {
  /** Null if no response began. */
  readonly status: number | null;
  readonly fault: OutboundFault | null;
  /** What was read of the response body. */
  readonly answer: Buffer;
  readonly milliseconds: number;
}

export interface Outbound {
  readonly policy: OutboundPolicy;
  /** Never rejects: every outcome is a result. */
  get(url: string, headers: Record<string, string>, limits: OutboundLimits): Promise<Posted>;
  /** Never rejects either. */
  post(url: string, headers: Record<string, string>, body: Uint8Array, limits: OutboundLimits): Promise<Posted>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  readonly policy: OutboundPolicy;
  readonly resolve?: Resolve;
  /** Certificate authorities that replace the default ones, as PEM. */
  readonly ca?: string;
  /** Client certificate, sent to servers that ask for one. */
  readonly identity?: ClientIdentity;
}

/** Key and certificates in PEM. */
export interface ClientIdentity {
  readonly privateKey: Secret;
  readonly certificate: string;
}

const connectMilliseconds = 5_000;

/** Aborts a connection attempt that must not be made. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

export function openOutbound(options: OutboundOptions): Outbound {
  const { policy } = options;
  const connect = guardedConnect(options);
  const agent = new Agent({ connect, allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  async function checkAndSend(url: string, request: Sent, limits: OutboundLimits): Promise<Posted> {
    const began = performance.now();
    const address = readAddress(url, policy);
    const end = address.refusal
      ? { status: null, fault: `address_${address.refusal}` as const, answer: Buffer.alloc(0) }
      : await send(agent, address, request, limits);
    return { ...end, milliseconds: Math.round(performance.now() - began) };
  }
  return {
    policy,
    get: (url, headers, limits) => elsewhere(() => checkAndSend(url, { method: 'GET', headers, body: null }, limits)),
    post: (url, headers, body, limits) => elsewhere(() => checkAndSend(url, { method: 'POST', headers, body }, limits)),
    close: () => agent.destroy(),
  };
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | null;
}

/** Connects only to vetted addresses, and checks the connected address once more. */
function guardedConnect({ policy, resolve, ca, identity }: OutboundOptions): buildConnector.connector {
  const plain = buildConnector({
    allowH2: false,
    timeout: connectMilliseconds,
    lookup: vettedLookup(policy, resolve ?? systemResolve()),
    ...(ca === undefined ? {} : { ca }),
    ...(identity ? { key: identity.privateKey.reveal(), cert: identity.certificate } : {}),
  });
  return (options, callback) => {
    plain(options, (error, socket) => {
      if (!error && !isAllowed(socket, policy)) {
        socket.destroy();
        callback(new AddressRefused('Connected to an address that is refused.'), null);
      } else if (error) callback(error, null);
      else callback(null, socket);
    });
  };
}

function isAllowed(socket: Socket, policy: OutboundPolicy): boolean {
  return socket.remoteAddress !== undefined && allowed(socket.remoteAddress, policy);
}

/** Refuses a name if any of its addresses is refused. Supports both ways in which Node calls it. */
function vettedLookup(policy: OutboundPolicy, resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every((address) => allowed(address, policy))) {
          callback(new AddressRefused(`The name ${name} leads to an address that is refused.`), '', 4);
          return;
        }
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) callback(null, found);
        else callback(null, first, first.includes(':') ? 6 : 4);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    );
  };
}

type End = Omit<Posted, 'milliseconds'>;

/** One request on the agent; ends with its response, a fault or a limit, whichever comes first. */
function send(agent: Agent, { origin, path }: Target, request: Sent, limits: OutboundLimits): Promise<End> {
  return new Promise<End>((resolve) => {
    const answer = new AnswerReader(limits.answerBytes, (end) => {
      ended();
      resolve(end);
    });
    const ended = later(limits.milliseconds, () => answer.stop('timed_out'));
    try {
      agent.dispatch({ origin, path, ...request }, answer);
    } catch {
      answer.stop('connection_failed');
    }
  });
}

/** Reads a response within its limit. The first end counts; anything later is ignored. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #bytesAtMost: number;
  #end: ((end: End) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(bytesAtMost: number, end: (end: End) => void) {
    this.#bytesAtMost = bytesAtMost;
    this.#end = end;
  }

  /** Ends with a fault and closes the connection; a request that has not started never will. */
  stop(fault: OutboundFault): void {
    if (!this.#end) return;
    this.#finish(fault);
    this.#controller?.abort(new Error(fault));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#end) controller.abort(new Error('The time was over before the connection stood.'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#status = statusCode;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#end) return;
    const room = this.#bytesAtMost - this.#bytes;
    this.#chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesAtMost) this.stop('answer_too_large');
  }

  onResponseEnd(): void {
    this.#finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(faultOf(error));
  }

  #finish(fault: OutboundFault | null): void {
    this.#end?.({ status: this.#status, fault, answer: Buffer.concat(this.#chunks) });
    this.#end = undefined;
    this.#chunks = [];
  }
}

const faultsByCode: Readonly<Record<string, OutboundFault>> = {
  ADDRESS_REFUSED: 'address_not_public',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  ETIMEOUT: 'name_not_found',
  ECONNREFUSED: 'connection_refused',
  UND_ERR_CONNECT_TIMEOUT: 'timed_out',
  UND_ERR_DESTROYED: 'closing',
  UND_ERR_CLOSED: 'closing',
};

function faultOf(error: Error): OutboundFault {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = inner instanceof Error && 'code' in inner ? inner.code : undefined;
  if (typeof code !== 'string') return 'connection_failed';
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) return 'certificate_refused';
  return faultsByCode[code] ?? 'connection_failed';
}
