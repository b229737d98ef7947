// A logo as somebody uploaded it. What it is, its first bytes say, never its name. SVG is refused: it can run scripts.

import { hash } from 'node:crypto';
import type { Logo } from './store.ts';

export const logoBytesAtMost = 102_400;

const magic: readonly (readonly [Logo['type'], RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/webp', /^52494646.{8}57454250/],
];

/** Undefined if it is no PNG, JPEG or WebP. */
export function readLogo(bytes: Uint8Array): Logo | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  const type = magic.find(([, shape]) => shape.test(start))?.[0];
  return type && { type, bytes, hash: hash('sha256', bytes, 'hex') };
}
