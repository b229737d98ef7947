// Hides what could pay or act in what the panel logs: card numbers, tokens, links of pay pages, fields that are secret by
// their name. Pure.

import { unescape as decoded } from 'node:querystring';
import { withoutCards } from './mask-cards.ts';
import { isOpenObject, isSecretInside, isSecretLabel, isSecretName } from './mask-names.ts';

const masked = '(hidden)';

/** A saved card, the link of a pay page. */
const secretText = /card_[\w-]{8,}|((?:\/|%2F)pay(?:\/|%2F))[^\s"'<>/?#&]+/giu;

/**
 * The name before a value, as in queries, forms, JSON and notes: `cvv=123`, `"pin": "0000"`. A name begins where none is
 * before it, so that each is read once.
 */
const label = /(?<![\p{L}\p{N}_.[\]-])([\p{L}\p{N}_.[\]-]+)\\?["']?\s{0,3}[:=：＝]\s{0,3}\\?["']?/gu;
const labeled = /(?:(?:bearer|basic)\s+)?[^\s"'<>#&,;\\]+/iuy;

/** A code of BLIK in a note, in one piece or in two: `BLIK 777 123`, `kod blik: 777123`. Amounts go on with cents. */
const blikText =
  /((?<![\p{L}\p{N}])blik(?:[ _-]?(?:code|kod|t6|nr|numer|number|ticket))?[^\p{L}\p{N}]{1,8})\p{Nd}{3}[\s\p{Cf}\p{Pd}.]{0,3}\p{Nd}{3}(?![.,]?\p{Nd})/giu;

/** `pin=1`: whatever is shorter has nothing to hide. */
const shortestSecret = 5;

/** A text without what could pay. */
export function maskedTexts(text: string): string {
  if (text.length < shortestSecret) return text;
  const plain = withoutCards(text, masked).replaceAll(blikText, (_, before: string) => `${before}${masked}`);
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

/** How much of a value is masked: as many values and pieces of text in all, so that a large one blocks nobody. */
const piecesAtMost = 2_000;
const pieceLength = 16;
/** Of a list, at most so many items are kept. Each may use a tenth of the room that is left: one alone tells little. */
const itemsAtMost = 100;
const itemShare = 10;

interface Room {
  left: number;
}

/**
 * A value of JSON without the contents of fields that are secret by their name, and without what could pay. Of a value
 * that is too large the beginning is kept, and how much there was.
 */
export function withoutSecrets(value: unknown): unknown {
  return maskedValue(value, 0, { left: piecesAtMost }, false);
}

function maskedValue(value: unknown, depth: number, room: Room, isInside: boolean): unknown {
  if (depth > depthAtMost) return '...';
  room.left -= 1;
  if (Array.isArray(value)) return maskedList(value, depth, room);
  if (typeof value === 'string') return maskedString(value, depth, room);
  if (typeof value === 'number') return maskedNumber(value);
  return typeof value === 'object' && value !== null ? maskedFields(value, depth, room, isInside) : value;
}

/** Runs something with a share of the room; what it leaves is for the others. */
function sharing<T>(room: Room, among: number, run: (share: Room) => T): T {
  const given = Math.max(1, Math.floor(room.left / among));
  const share = { left: given };
  const result = run(share);
  room.left -= given - share.left;
  return result;
}

function maskedList(list: readonly unknown[], depth: number, room: Room): unknown[] {
  const shown: unknown[] = [];
  while (shown.length < Math.min(list.length, itemsAtMost) && room.left > 0) {
    const among = Math.min(list.length - shown.length, itemShare);
    shown.push(sharing(room, among, (share) => maskedValue(list[shown.length], depth + 1, share, false)));
  }
  return shown.length < list.length ? [...shown, `… (${list.length} items)`] : shown;
}

/** Each field has its share, so that a long one hides no other. */
function maskedFields(value: object, depth: number, room: Room, isInside: boolean): Record<string, unknown> {
  const fields = Object.entries(value);
  const shown: [string, unknown][] = [];
  while (shown.length < fields.length && room.left > 0) {
    const [name, inner] = fields[shown.length] as [string, unknown];
    const maskedField = (share: Room) => {
      share.left -= Math.floor(name.length / pieceLength);
      if (isHidden(name, inner) || (isInside && isSecretInside(name))) return masked;
      return maskedValue(inner, depth + 1, share, isOpenObject(name));
    };
    shown.push([maskedTexts(cut(name, textAtMost)), sharing(room, fields.length - shown.length, maskedField)]);
  }
  const missing = fields.length - shown.length;
  return Object.fromEntries(missing > 0 ? [...shown, ['omitted', `${missing} fields`]] : shown);
}

function isHidden(name: string, inner: unknown): boolean {
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return isSecretName(name) && !(isObject && isOpenObject(name));
}

/** More than is ever kept of a text; cut before it is masked, so that a long one costs no more than a short one. */
const textAtMost = 4_000;

/** A text that is JSON itself is looked into like the JSON around it. */
function maskedString(text: string, depth: number, room: Room): string {
  room.left -= Math.floor(Math.min(text.length, textAtMost) / pieceLength);
  if (text.length <= textAtMost && /^\s*[[{]/.test(text)) {
    const inner = parsed(text);
    if (inner !== undefined) return JSON.stringify(maskedValue(inner, depth + 1, room, false));
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
