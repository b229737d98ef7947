// Writes DER, and re-encodes parsed elements as DER.

import { stringBytes } from './fields.ts';
import { contextTag, type Element, isConstructed, isStringInPieces, tags } from './reader.ts';

/** Identifier, shortest-form length, content. */
export function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([header(tag, length), ...parts]);
}

function header(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tag, length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([tag, 0x80 | bytes.length, ...bytes]);
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(tags.sequence, ...parts);
}

/** SET OF: DER requires the encodings in ascending order. */
export function setOf(...parts: readonly Uint8Array[]): Buffer {
  return tlv(tags.set, ...[...parts].sort(Buffer.compare));
}

export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return tlv(contextTag(number), ...parts);
}

export function octetString(bytes: Uint8Array): Buffer {
  return tlv(tags.octetString, bytes);
}

export function bitString(bytes: Uint8Array): Buffer {
  return tlv(tags.bitString, Buffer.from([0]), bytes);
}

export function utf8String(text: string): Buffer {
  return tlv(tags.utf8String, Buffer.from(text));
}

/** A non-negative number from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const shortest = bytes.subarray(start);
  return tlv(tags.integer, ...((shortest[0] ?? 0x80) >= 0x80 ? [Buffer.from([0])] : []), shortest);
}

export function smallInteger(value: number): Buffer {
  return integer(Buffer.from([value]));
}

/** The content of an object identifier in dotted form. */
export function oidBody(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return Buffer.from([first * 40 + second, ...rest.flatMap(base128)]);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** An object identifier, from the hex digits of its encoding. */
export function objectIdentifier(hex: string): Buffer {
  return tlv(tags.oid, Buffer.from(hex, 'hex'));
}

/** UTCTime until 2049, GeneralizedTime from 2050, as RFC 5280 requires. */
export function timeOf(instant: Temporal.Instant): Buffer {
  const digits = instant.toString({ smallestUnit: 'second' }).replaceAll(/[-:T]/g, '');
  return digits < '2050'
    ? tlv(tags.utcTime, Buffer.from(digits.slice(2)))
    : tlv(tags.generalizedTime, Buffer.from(digits));
}

/** DER of a parsed element, optionally with another tag: definite lengths, strings in one piece, sets in order. */
export function derOf(element: Element, tag = element.tag): Buffer {
  if (!isConstructed(tag)) return tlv(tag, element.body);
  if (isStringInPieces(tag)) return tlv(tag & ~0x20, stringBytes(element));
  const parts = element.children.map((child) => derOf(child));
  return tag === tags.set ? setOf(...parts) : tlv(tag, ...parts);
}
