// Parses the shared secrets from their setting.

import { Secret } from '../kernel/index.ts';
import type { SigningKey } from './signature.ts';

const keyShape = /^([A-Za-z0-9_-]{1,64}):([!-+\--~]{32,})$/;

/**
 * `id:secret`, comma-separated; the first one signs and all verify, so that keys can be rotated. Undefined if the text
 * is malformed or repeats an id, whose second secret would never be used. The text is secret, so error messages must
 * not quote it.
 */
export function signingKeysFrom(text: string): readonly [SigningKey, ...SigningKey[]] | undefined {
  const keys = text.split(',').map((part) => {
    const [, id, secret] = keyShape.exec(part.trim()) ?? [];
    return id === undefined || secret === undefined ? undefined : { id, secret: new Secret(secret) };
  });
  const [first, ...others] = keys.filter((key) => key !== undefined);
  if (new Set(keys.map((key) => key?.id)).size < keys.length) return undefined;
  return first && others.length + 1 === keys.length ? [first, ...others] : undefined;
}
