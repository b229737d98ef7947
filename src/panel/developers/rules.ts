// Masks bodies for the log of requests. Pure.

import { withoutSecrets } from '../mask.ts';

const keptAtMost = 4_000;
/** Larger bodies are left out. */
const parsedAtMost = 100_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body as it may be stored: without secrets and card numbers, and not too long. What is not JSON is left out. */
export function maskedText(body: unknown): string {
  const length = typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0;
  if (length === 0) return '';
  const value = length > parsedAtMost ? undefined : parsed(String(body));
  if (value === undefined) return `(${length} bytes that are not shown)`;
  const plain = JSON.stringify(withoutSecrets(value)).replaceAll('\u0000', '').toWellFormed();
  return plain.length > keptAtMost ? `${plain.slice(0, keptAtMost).toWellFormed()}…` : plain;
}
