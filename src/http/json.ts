// Parses JSON: marks numbers that a double cannot represent, refuses invalid JSON with the position, and names that occur
// twice.

import { Refusal, type RefusalCode, refuse } from '../kernel/index.ts';
import { repeatedNames } from './json-names.ts';
import { faultPosition } from './json-position.ts';
import { shapeFault } from './shape.ts';

/** Numbers with this many digits may not be exact as doubles; only then is the slower check worth it. */
const longNumberLength = 16;

/**
 * Replaces a number that a double cannot represent. It contains NUL, so no string field accepts it, and sending it as a
 * string gains nothing.
 */
export const inexactNumber = '\0 inexact number';
const tooHighNumber = '\0 number too high';
const tooLowNumber = '\0 number too low';

/** The error code of each mark where a number is expected. */
export const numberMarks: ReadonlyMap<string, RefusalCode> = new Map([
  [inexactNumber, 'incorrect_precision'],
  [tooHighNumber, 'too_high'],
  [tooLowNumber, 'too_low'],
]);

function markOf(source: string): string {
  const value = Number(source);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return inexactNumber;
  return value > 0 ? tooHighNumber : tooLowNumber;
}

/**
 * Parses what others wrote. Refuses what is not JSON, is nested too deeply, has too many fields or a field twice: of
 * two values one would win silently (docs/decisions/0002).
 */
export function readJson(text: string): unknown {
  const fault = shapeFault(text);
  if (fault !== undefined) refuse('invalid_request_body', '', fault);
  const value = parsed(text);
  const repeated = repeatedNames(text, value);
  if (repeated.length > 0) throw new Refusal(repeated.map((field) => ({ code: 'duplicate_field', field })));
  if (!hasLongNumber(text)) return value;
  const marked = markInexact(text);
  return marked === text ? value : JSON.parse(marked);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = endsTooEarly(text, error) ? text.length : faultPosition(text);
    return refuse('invalid_request_body', '', `The body is not valid JSON ${placeText(text, position)}.`);
  }
}

/** V8 says so itself; then there is nothing to search for, unless the text ends within a word or a string. */
function endsTooEarly(text: string, error: unknown): boolean {
  const isEnd = error instanceof SyntaxError && error.message === 'Unexpected end of JSON input';
  return isEnd && '[{,: '.includes(text.at(-1) ?? ' ');
}

/** Never quotes the text: it may contain a card number, and messages are passed on. */
function placeText(text: string, position: number): string {
  const line = text.slice(0, position).split('\n').length;
  const column = position - text.lastIndexOf('\n', position - 1);
  return `at position ${position} (line ${line}, column ${column})`;
}

function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46;
}

/**
 * Whether there is such a long run of digits and points. A run covers one of every 16 positions, so only those are
 * checked.
 */
function hasLongNumber(text: string): boolean {
  for (let place = longNumberLength - 1; place < text.length; place += longNumberLength) {
    if (!isOfNumber(text.charCodeAt(place))) continue;
    let first = place;
    while (first > 0 && isOfNumber(text.charCodeAt(first - 1))) first -= 1;
    let end = place + 1;
    while (end < text.length && isOfNumber(text.charCodeAt(end))) end += 1;
    if (end - first >= longNumberLength) return true;
  }
  return false;
}

/** Each check takes a microsecond or two; after this many, long numbers count as inexact without a check. */
const looksAtMost = 1_000;
const inexactText = JSON.stringify(inexactNumber);

const quote = 34;
const backslash = 92;
const minus = 45;

/**
 * Replaces each inexact number with the mark. Works on the text, because a reviver is called for every value: 50 ms of
 * CPU for 64 KiB of short numbers with a long one among them. The text is valid JSON.
 */
function markInexact(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let looks = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = behindString(text, at);
    } else if (code === minus || isOfNumber(code)) {
      const end = behindNumber(text, at);
      if (end - at >= longNumberLength) {
        looks += 1;
        const mark = looks > looksAtMost ? inexactText : markIfInexact(text.slice(at, end));
        if (mark !== undefined) {
          parts.push(text.slice(kept, at), mark);
          kept = end;
        }
      }
      at = end;
    } else at += 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

function markIfInexact(source: string): string | undefined {
  return isExact(source) ? undefined : JSON.stringify(markOf(source));
}

function behindString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

function behindNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && (isOfNumber(text.charCodeAt(at)) || isOfExponent(text.charCodeAt(at)))) at += 1;
  return at;
}

/** e, E, plus or minus. */
function isOfExponent(code: number): boolean {
  return code === 101 || code === 69 || code === 43 || code === minus;
}

/** Compares a number with its source text, digit by digit, so that no amount is silently rounded. */
function isExact(source: string): boolean {
  const value = Number(source);
  const shown = String(value);
  return Number.isFinite(value) && (shown === source || digitsOf(source) === digitsOf(shown));
}

const zero = 48;

/**
 * Significant digits and exponent in canonical form: 10.10, 1.01e1 and 10.1 are equal. With loops, because /0+$/
 * restarts at each zero of 1000...0001 and takes quadratic time.
 */
function digitsOf(source: string): string {
  const sign = source.charCodeAt(0) === minus ? 1 : 0;
  let mantissaEnd = sign;
  while (mantissaEnd < source.length && isOfNumber(source.charCodeAt(mantissaEnd))) mantissaEnd += 1;
  const exponent = mantissaEnd < source.length ? Number(source.slice(mantissaEnd + 1)) : 0;
  const mantissa = source.slice(sign, mantissaEnd);
  const point = mantissa.indexOf('.');
  const digits = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  const places = point < 0 ? 0 : mantissa.length - point - 1;
  let start = 0;
  while (digits.charCodeAt(start) === zero) start += 1;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === zero) end -= 1;
  return start === end ? '0' : `${digits.slice(start, end)}e${exponent - places + digits.length - end}`;
}
