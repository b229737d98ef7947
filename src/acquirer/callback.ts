// Callbacks over HTTP: how an acquirer with our protocol sends them and how we read them (docs/acquirer.md).

import { readJson } from '../http/index.ts';
import { type Fault, Refusal } from '../kernel/index.ts';
import { type Clock, pause } from '../runtime/index.ts';
import type { Callback, OnCallback } from './port.ts';
import { callbackFault, callbackFromWire, wireFromCallback } from './protocol.ts';
import type { Received, Receiver } from './receive.ts';
import { type Headers, type SigningKey, signRequest, type Verdict, verifyRequest } from './signature.ts';

/** Where an acquirer sends its callbacks, below the base URL. `name` is that in ACQUIRERS. */
export const eventsPath = (name: string) => `/acquirer/${name}/events`;

/** The path of callbacks when there was one acquirer; it stays valid for `http`. */
export const callbackPath = '/acquirer/callback';

/** Fifty times the longest callback of the protocol. */
export const callbackBytesAtMost = 8_192;

export interface ReceivedCallback {
  readonly headers: Headers;
  /** The raw bytes, which the signature covers. Undefined if there was no body. */
  readonly rawBody: Uint8Array | undefined;
}

export type ReadCallback =
  | { readonly kind: 'callback'; readonly callback: Callback }
  | { readonly kind: 'refused'; readonly why: (Verdict & { kind: 'refused' })['why'] }
  /** `faults`: what is wrong with it, and where. */
  | { readonly kind: 'refused'; readonly why: 'malformed'; readonly faults: readonly Fault[] };

/**
 * Returns the callback, or why it is refused: respond with 401 for a signature, 400 for `malformed`. `path` is the one
 * that the acquirer calls; a proxy may have shortened the one we see.
 */
export function readCallback(
  received: ReceivedCallback,
  keys: readonly SigningKey[],
  wall: Clock,
  path: string = callbackPath,
): ReadCallback {
  const body = received.rawBody ?? new Uint8Array();
  const message = { method: 'POST', path, body };
  const verdict = verifyRequest(keys, message, received.headers, wall);
  if (verdict.kind === 'refused') return verdict;
  try {
    const value = readJson(Buffer.from(body).toString('utf8'));
    const callback = callbackFromWire(value);
    if (callback) return { kind: 'callback', callback };
    return { kind: 'refused', why: 'malformed', faults: [{ code: 'invalid_request_body', ...callbackFault(value) }] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'refused', why: 'malformed', faults: error.faults };
  }
}

/** Reads callbacks of the protocol that are signed with one of these keys. */
export function httpReceiver(keys: readonly SigningKey[], wall: Clock): Receiver {
  return {
    bodyBytesAtMost: callbackBytesAtMost,
    acceptedStatus: 204,
    receive: async ({ headers, rawBody, path }) => receivedOf(readCallback({ headers, rawBody }, keys, wall, path)),
  };
}

function receivedOf(read: ReadCallback): Received {
  if (read.kind === 'callback') return { kind: 'callbacks', callbacks: [read.callback] };
  const { why } = read;
  if (why !== 'malformed') return { kind: 'refused', why, refusal: notSigned() };
  return { kind: 'refused', why, refusal: new Refusal(read.faults) };
}

function notSigned(): Refusal {
  return new Refusal([{ code: 'invalid_token', field: '' }]);
}

export interface CallbackSenderOptions {
  readonly url: string;
  readonly key: SigningKey;
  readonly wall: Clock;
  readonly deadlineMilliseconds?: number;
}

const usualDeadlineMilliseconds = 10_000;

/** Sends signed callbacks to one address. Throws unless the response is 2xx and in time; the caller retries later. */
export function callbackSender(options: CallbackSenderOptions): OnCallback {
  const url = new URL(options.url);
  const path = url.pathname + url.search;
  return async (callback) => {
    const over = new AbortController();
    const answered = new AbortController();
    pause(options.deadlineMilliseconds ?? usualDeadlineMilliseconds, answered.signal).then(() => over.abort());
    try {
      const body = JSON.stringify(wireFromCallback(callback));
      const signed = signRequest(options.key, { method: 'POST', path, body }, options.wall);
      const headers = { ...signed, 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: over.signal });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The callback was answered with ${response.status}.`);
    } finally {
      answered.abort();
    }
  };
}
