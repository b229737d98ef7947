// Masks bodies for the log of requests. Pure.

import { withoutSecrets } from '../audit/rules.ts';

const keptAtMost = 4_000;
/** Larger bodies are not parsed; what matters is at their beginning. */
const parsedAtMost = 20_000;
/** What could be a card number, wherever it is. */
const cardNumbers = /\d(?:[ -]?\d){12,18}/g;
/** Fields of a form, or of JSON that cannot be parsed. */
const secretFields =
  /("?(?:password|token|card|cardToken|cardNumber|cvv|blikToken|walletPayPaymentData|client_secret|card_token)"?\s*[=:]\s*"?)[^"&,}]*/gi;

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? body.subarray(0, parsedAtMost + 1).toString('utf8') : '';
}

function parsed(text: string): unknown {
  if (text.length > parsedAtMost) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body as it may be stored: without secrets and card numbers, and not too long. */
export function maskedText(body: unknown): string {
  const text = textOf(body);
  if (text === '') return '';
  const value = parsed(text);
  const plain =
    value === undefined ? text.replaceAll(secretFields, '$1(hidden)') : JSON.stringify(withoutSecrets(value));
  const masked = plain.replaceAll(cardNumbers, '(hidden)').replaceAll('\u0000', '').toWellFormed();
  return masked.length > keptAtMost ? `${masked.slice(0, keptAtMost)}…` : masked;
}
