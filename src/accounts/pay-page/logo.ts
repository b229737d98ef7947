// A logo as somebody uploaded it. What it is, its bytes say, never its name. SVG is refused: it can run scripts.

import { hash } from 'node:crypto';
import { type Size, sizeOfJpeg, sizeOfPng, sizeOfWebp } from './image.ts';
import type { Logo } from './store.ts';

export const logoBytesAtMost = 102_400;
/** A browser needs four bytes for each: a small file could fill the memory of a payer's phone. */
export const logoPixelsAtMost = 2_000;

const kinds: readonly (readonly [Logo['type'], RegExp, (bytes: Buffer) => Size | undefined])[] = [
  ['image/png', /^89504e470d0a1a0a/, sizeOfPng],
  ['image/jpeg', /^ffd8ff/, sizeOfJpeg],
  ['image/webp', /^52494646.{8}57454250/, sizeOfWebp],
];

/** Undefined if it is no PNG, JPEG or WebP, or not a whole one. */
export function readLogo(given: Uint8Array): (Logo & { readonly size: Size }) | undefined {
  const bytes = Buffer.from(given);
  const start = bytes.subarray(0, 12).toString('hex');
  const [type, , sizeOf] = kinds.find(([, shape]) => shape.test(start)) ?? [];
  const size = sizeOf?.(bytes);
  if (!type || !size || size.width === 0 || size.height === 0) return undefined;
  return { type, bytes: given, hash: hash('sha256', given, 'hex'), size };
}
