// Hides what could pay or act in what the panel logs: card numbers, tokens, links of pay pages, fields that are secret by
// their name. Pure.

import { unescape as decoded } from 'node:querystring';
import { withoutCards } from './mask-cards.ts';
import { isOpenObject, isSecretLabel, isSecretName } from './mask-names.ts';

const masked = '(hidden)';

/** A saved card, the link of a pay page. */
const secretText = /card_[\w-]{8,}|((?:\/|%2F)pay(?:\/|%2F))[^\s"'<>/?#&]+/giu;

/**
 * The name before a value, as in queries, forms, JSON and notes: `cvv=123`, `"pin": "0000"`. A name begins where none is
 * before it, so that each is read once.
 */
const label = /(?<![\p{L}\p{N}_.[\]-])([\p{L}\p{N}_.[\]-]+)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?/gu;
const labeled = /(?:(?:bearer|basic)\s+)?[^\s"'<>#&,;\\]+/iuy;

/** `pin=1`: whatever is shorter has nothing to hide. */
const shortestSecret = 5;

/** A text without what could pay. */
export function maskedTexts(text: string): string {
  if (text.length < shortestSecret) return text;
  const plain = withoutCards(text, masked);
  return withoutLabeled(plain.replaceAll(secretText, (_, before: string | undefined) => `${before ?? ''}${masked}`));
}

function withoutLabeled(text: string): string {
  let shown = '';
  let from = 0;
  for (const found of text.matchAll(label)) {
    const start = found.index + found[0].length;
    if (found.index < from || !isSecretLabel(found[1] ?? '')) continue;
    labeled.lastIndex = start;
    const value = labeled.exec(text)?.[0];
    if (value === undefined) continue;
    shown += text.slice(from, start) + masked;
    from = start + value.length;
  }
  return shown + text.slice(from);
}

const depthAtMost = 8;
/** The fewest characters of a card number. */
const cardDigits = 13;

/** A value of JSON without the contents of fields that are secret by their name, and without what could pay. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > depthAtMost) return '...';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => withoutSecrets(item, depth + 1));
  if (typeof value === 'string') return maskedString(value, depth);
  if (typeof value === 'number') return maskedNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      maskedTexts(name),
      isHidden(name, inner) ? masked : withoutSecrets(inner, depth + 1),
    ]),
  );
}

function isHidden(name: string, inner: unknown): boolean {
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return isSecretName(name) && !(isObject && isOpenObject(name));
}

/** More than is ever kept of a text; cut before it is masked, so that a long one costs no more than a short one. */
const textAtMost = 4_000;

/** A text that is JSON itself is looked into like the JSON around it. */
function maskedString(text: string, depth: number): string {
  if (text.length <= textAtMost && /^\s*[[{]/.test(text)) {
    const inner = parsed(text);
    if (inner !== undefined) return JSON.stringify(withoutSecrets(inner, depth + 1));
  }
  if (text.length <= textAtMost) return maskedTexts(text);
  return `${maskedTexts(cut(text, textAtMost))}… (${text.length} characters)`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The beginning of a text, up to a space or a sign: half of a number would not be known for one. */
export function cut(text: string, lengthAtMost: number): string {
  if (text.length <= lengthAtMost) return text;
  let end = lengthAtMost;
  while (end > 0 && /[^\p{L}&?/,;"]/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function maskedNumber(value: number): number | string {
  const text = String(value);
  if (text.length < cardDigits) return value;
  const plain = maskedTexts(text);
  return plain === text ? value : plain;
}

/** How often a text may be percent-encoded and is still looked into. */
const decodedAtMost = 3;

function fullyDecoded(text: string): string {
  let plain = text.replaceAll('+', ' ');
  for (let times = 0; times < decodedAtMost && plain.includes('%'); times += 1) plain = decoded(plain);
  return plain;
}

/** A percent-encoded text: as it is, or decoded and masked if there is something to hide in it. */
export function maskedEncoded(text: string): string {
  const plain = fullyDecoded(text);
  const shown = maskedTexts(plain);
  return shown === plain ? text : shown;
}

function maskedParameter(pair: string): string {
  const [name = '', ...rest] = pair.split('=');
  if (isSecretName(fullyDecoded(name))) return `${name}=${masked}`;
  return rest.length === 0 ? maskedEncoded(pair) : `${maskedEncoded(name)}=${maskedEncoded(rest.join('='))}`;
}

/** The path and query of a request. */
export function maskedUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return maskedEncoded(path);
  return `${maskedEncoded(path)}?${query.join('?').split('&').map(maskedParameter).join('&')}`;
}
