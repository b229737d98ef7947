// What the log of requests keeps of a body, and how it is masked. Pure.

import { withoutSecrets } from '../../identity/index.ts';
import { isUlid } from '../../kernel/index.ts';
import { completed } from './partial-json.ts';

const keptAtMost = 4_000;
/** Of each body; masking makes it shorter, so it is more than is kept. */
const readAtMost = 8_192;

/** The beginning of a body, which waits to be masked, and the length of the whole. */
export interface Excerpt {
  readonly start: Buffer | string;
  readonly length: number;
}

/** Copies what is kept of a body, so that the rest, or the pool that it is in, is not held in memory while it waits. */
export function excerptOf(body: unknown): Excerpt {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return { start: '', length: 0 };
  const { length } = body;
  if (typeof body === 'string' && length <= readAtMost) return { start: body, length };
  const kept = Buffer.allocUnsafeSlow(Math.min(length, readAtMost));
  const bytes = typeof body === 'string' ? kept.write(body) : body.copy(kept);
  return { start: kept.subarray(0, bytes), length };
}

/** The beginning of a text, as a copy: a slice would hold the whole. */
export function copied(text: string, lengthAtMost: number): string {
  return text.length <= lengthAtMost ? text : Buffer.from(text.slice(0, lengthAtMost)).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id of what a request created, as its response names it: first of all. Null if it created nothing with an id. */
export function createdIn({ start, length }: Excerpt): string | null {
  const value = length <= readAtMost ? parsed(String(start)) : undefined;
  if (typeof value !== 'object' || value === null) return null;
  const id = Object.entries(value).find(([name, one]) => /^(?:\w+Id|id)$/.test(name) && isUlid(String(one)))?.[1];
  return typeof id === 'string' ? id : null;
}

/** A body as it may be stored: without secrets and card numbers, and not too long. What is not JSON is left out. */
export function maskedText({ start, length }: Excerpt): string {
  if (length === 0) return '';
  const text = String(start);
  const isCut = length > readAtMost;
  const value = parsed(isCut ? completed(text) : text);
  if (value === undefined) return `(${length} bytes that are not shown)`;
  const plain = JSON.stringify(withoutSecrets(value));
  return isCut || plain.length > keptAtMost ? `${plain.slice(0, keptAtMost).toWellFormed()}…` : plain;
}
