// The shared secrets as a setting spells them.

import { Secret } from '../kernel/index.ts';
import type { SigningKey } from './signature.ts';

const keyShape = /^([A-Za-z0-9_-]{1,64}):([!-+\--~]{32,})$/;

/**
 * `id:secret`, comma between several; the first signs, all verify, so that one can be changed after another. Undefined
 * when the text has another shape or an id twice, of which the second would never be asked; it is a secret, so nobody repeats it in a message.
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
