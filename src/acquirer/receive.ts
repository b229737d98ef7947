// What an acquirer sends us by itself. Each has its own way to say it and to prove that it is from there; what is left of
// it are callbacks of the port.

import type { Refusal } from '../kernel/index.ts';
import type { Callback } from './port.ts';
import type { Headers } from './signature.ts';

/** A request to the address of an acquirer's callbacks, as it came. */
export interface RawCallback {
  readonly headers: Headers;
  /** The raw bytes, which signatures cover. Empty if there was no body. */
  readonly rawBody: Uint8Array;
  /** The path that the acquirer called; a proxy may have shortened the one that we see. */
  readonly path: string;
}

/** `why` is for the log, never with anything of the body. */
export type Received =
  /** Settled in order, each before the response: none of them, if it concerns nothing of ours. */
  | { readonly kind: 'callbacks'; readonly callbacks: readonly Callback[] }
  /** Not genuine, or not readable: the refusal is the response. */
  | { readonly kind: 'refused'; readonly why: string; readonly refusal: Refusal }
  /** It cannot be judged now: the response is 503, and the acquirer sends it again. */
  | { readonly kind: 'later'; readonly why: string };

/** How one acquirer's callbacks are read. */
export interface Receiver {
  readonly bodyBytesAtMost: number;
  /** The status of the response, with an empty body, when everything is durable. */
  readonly acceptedStatus: 200 | 204;
  /** Never throws because of what was sent. */
  receive(raw: RawCallback): Promise<Received>;
}

/** Applies a callback that is genuinely from this acquirer; durable when it resolves. */
export type HandleCallback = (acquirer: string, callback: Callback) => Promise<void>;
