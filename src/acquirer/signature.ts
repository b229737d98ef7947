// Signatures of the protocol: HMAC-SHA256 with a shared secret (docs/acquirer.md).
//
// A request's signature covers its method, path, time and body. A response's signature covers its request, so that it
// cannot be replayed for another one.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../kernel/index.ts';
import type { Clock } from '../runtime/index.ts';

export interface SigningKey {
  readonly id: string;
  readonly secret: Secret;
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SignedMessage {
  readonly method: string;
  /** With the query string, if any, exactly as sent. */
  readonly path: string;
  readonly body: string | Uint8Array;
}

export const keyIdHeader = 'acquirer-key-id';
export const timestampHeader = 'acquirer-timestamp';
export const signatureHeader = 'acquirer-signature';

/** Maximum clock difference between sender and receiver, in either direction. */
export const toleranceSeconds = 300;

function mac(secret: Secret, head: string, body: string | Uint8Array): string {
  return `v1=${createHmac('sha256', secret.reveal()).update(head).update(body).digest('hex')}`;
}

function equal(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function requestHead(message: SignedMessage, timestamp: string): string {
  return `${message.method}\n${message.path}\n${timestamp}\n`;
}

/** The three headers of a request or callback. */
export function signRequest(key: SigningKey, message: SignedMessage, wall: Clock): Record<string, string> {
  const timestamp = String(Math.floor(wall.now().epochMilliseconds / 1_000));
  return {
    [keyIdHeader]: key.id,
    [timestampHeader]: timestamp,
    [signatureHeader]: mac(key.secret, requestHead(message, timestamp), message.body),
  };
}

export type Verdict =
  | { readonly kind: 'valid'; readonly key: SigningKey; readonly signature: string }
  | { readonly kind: 'refused'; readonly why: 'unsigned' | 'unknown key' | 'stale' | 'wrong signature' };

/** Whether one of these keys signed exactly this message within the tolerance. */
export function verifyRequest(
  keys: readonly SigningKey[],
  message: SignedMessage,
  headers: Headers,
  wall: Clock,
): Verdict {
  const [id, timestamp, signature] = [headers[keyIdHeader], headers[timestampHeader], headers[signatureHeader]];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string')
    return refused('unsigned');
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) return refused('unknown key');
  if (!equal(mac(key.secret, requestHead(message, timestamp), message.body), signature))
    return refused('wrong signature');
  const apart = Math.abs(Number(timestamp) - wall.now().epochMilliseconds / 1_000);
  return apart <= toleranceSeconds ? { kind: 'valid', key, signature } : refused('stale');
}

function refused(why: (Verdict & { kind: 'refused' })['why']): Verdict {
  return { kind: 'refused', why };
}

/** The header of a response, which identifies the request by its signature. */
export function signAnswer(
  key: SigningKey,
  requestSignature: string,
  status: number,
  body: string | Uint8Array,
): Record<string, string> {
  return { [signatureHeader]: mac(key.secret, `ANSWER\n${requestSignature}\n${status}\n`, body) };
}

export function verifyAnswer(
  key: SigningKey,
  requestSignature: string,
  status: number,
  body: string | Uint8Array,
  signature: string | null,
): boolean {
  return signature !== null && equal(mac(key.secret, `ANSWER\n${requestSignature}\n${status}\n`, body), signature);
}
