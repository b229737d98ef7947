// A kind of bad token: how it is made, and the step that must refuse it.

import type { TokenFaultReason } from '../../../wallet/index.ts';
import type { Tampering, TokenObject } from '../mint.ts';
import type { Vendor } from '../vendor.ts';

export interface BadKind {
  readonly name: string;
  readonly reason: TokenFaultReason;
  readonly tampering: (vendor: Vendor) => Tampering;
}

export function kind(
  name: string,
  reason: TokenFaultReason,
  tampering: Tampering | ((vendor: Vendor) => Tampering),
): BadKind {
  return { name, reason, tampering: typeof tampering === 'function' ? tampering : () => tampering };
}

/** Changes the finished token, after it was signed. */
export function afterwards(change: Readonly<Record<string, unknown>>): Tampering {
  return { object: (token) => ({ ...token, ...change }) };
}

/** The same for its header. A value of undefined removes the key. */
export function headerAfterwards(
  change: (header: TokenObject['header']) => Readonly<Record<string, unknown>>,
): Tampering {
  return { object: (token) => ({ ...token, header: { ...token.header, ...change(token.header) } }) };
}

/** Flips one bit; `at` counts from the end if negative. */
export function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}
