// Hides what could pay or act in what the panel logs: card numbers, tokens, links of pay pages, fields that are secret by
// their name. Pure.

import { unescape as decoded } from 'node:querystring';

const masked = '(hidden)';

/** Names in lower case, without `_` and `-`. */
const secretNames =
  /^(current|(current|new|old)?password|code|token|(access|refresh|id|card|blik|payment)token|authorization|response|value|pan|card|cardnumber|cvv\d?|cvc\d?|securitycode|walletpaypaymentdata|(client|webhook)?secret|recoverycodes|uri|(transaction)?paymenturl)$/;

const isSecretName = (name: string) => secretNames.test(name.replaceAll(/[_-]/g, '').toLowerCase());

/**
 * What could be a card number (also with spaces of any kind between its digits, and in digits of any script), a saved
 * card, the link of a pay page, a secret in a query. One expression: each text is read once.
 */
const secretText =
  /\p{Nd}(?:[\s\p{Cf}\p{Pd}.|_·•]{0,3}\p{Nd}){12,}|card_[\w-]{8,}|((?:\/|%2F)pay(?:\/|%2F)|(?:token|secret|password)=)[^\s"'<>/?#&]+/giu;

/** A text without what could pay. */
export function maskedTexts(text: string): string {
  return text.replaceAll(secretText, (_, before: string | undefined) => `${before ?? ''}${masked}`);
}

const depthAtMost = 8;
/** The fewest characters of a card number. */
const cardDigits = 13;

/** A value of JSON without the contents of fields that are secret by their name, and without what could pay. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > depthAtMost) return '...';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => withoutSecrets(item, depth + 1));
  if (typeof value === 'string') return maskedTexts(value);
  if (typeof value === 'number') return maskedNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      maskedTexts(name),
      isSecretName(name) ? masked : withoutSecrets(inner, depth + 1),
    ]),
  );
}

function maskedNumber(value: number): number | string {
  const text = String(value);
  if (text.length < cardDigits) return value;
  const plain = maskedTexts(text);
  return plain === text ? value : plain;
}

/** How often a text may be percent-encoded and is still looked into. */
const decodedAtMost = 3;

/** A percent-encoded text: as it is, or decoded and masked if there is something to hide in it. */
export function maskedEncoded(text: string): string {
  let plain = text.replaceAll('+', ' ');
  for (let times = 0; times < decodedAtMost && plain.includes('%'); times += 1) plain = decoded(plain);
  const shown = maskedTexts(plain);
  return shown === plain ? text : shown;
}

function maskedParameter(pair: string): string {
  const [name = '', ...rest] = pair.split('=');
  if (isSecretName(decoded(name))) return `${name}=${masked}`;
  return rest.length === 0 ? maskedEncoded(pair) : `${maskedEncoded(name)}=${maskedEncoded(rest.join('='))}`;
}

/** The path and query of a request. */
export function maskedUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (query.length === 0) return maskedEncoded(path);
  return `${maskedEncoded(path)}?${query.join('?').split('&').map(maskedParameter).join('&')}`;
}
