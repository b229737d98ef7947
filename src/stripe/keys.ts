// Which keys fit: test keys in the sandbox, live keys in live mode. Pure.

import { Secret } from '../kernel/index.ts';

export type KeyMode = 'sandbox' | 'live';

const secretShape = /^(sk|rk)_(test|live)_[A-Za-z0-9_]{8,255}$/;
const publishableShape = /^pk_(test|live)_[A-Za-z0-9_]{8,255}$/;
const webhookShape = /^whsec_[\x21-\x2b\x2d-\x7e]{8,255}$/;

/** Undefined if it is no secret key. */
export function readSecretKey(text: string): Secret | undefined {
  return secretShape.test(text) ? new Secret(text) : undefined;
}

export function isPublishableKey(text: string): boolean {
  return publishableShape.test(text);
}

/** One secret, or two with a comma while one is replaced. */
export function readWebhookSecrets(text: string): readonly Secret[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const fit = parts.length <= 2 && parts.every((part) => webhookShape.test(part));
  return fit && new Set(parts).size === parts.length ? parts.map((part) => new Secret(part)) : undefined;
}

/** Whether a key is for this mode: real money moves with live keys only, and never in a sandbox. */
export function isOfMode(key: string, mode: KeyMode): boolean {
  return key.split('_')[1] === (mode === 'live' ? 'live' : 'test');
}

/** A restricted key may do only what it is allowed to; a secret key may do everything with the account. */
export function isRestricted(key: Secret): boolean {
  return key.reveal().startsWith('rk_');
}

const loopbackShape = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Another address of the provider: on this machine only, since the key is sent there. A path before the provider's is
 * allowed.
 */
export function readLoopbackUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^\s?#@\\]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return loopbackShape.test(new URL(text).hostname) ? text.replace(/\/+$/, '') : undefined;
}
