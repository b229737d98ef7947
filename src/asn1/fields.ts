// Takes elements apart, strictly: anything unexpected is a fault.

import { Asn1Fault, type Element, isConstructed, tags } from './reader.ts';

/** The elements inside another one, taken in order. */
export class Fields {
  readonly #elements: readonly Element[];
  #next = 0;

  constructor(parent: Element, tag: number) {
    if (parent.tag !== tag) throw new Asn1Fault('Another element than expected.');
    this.#elements = parent.children;
  }

  /** The next element, which must have one of these tags. */
  next(...expected: readonly number[]): Element {
    const element = this.#elements[this.#next];
    if (!element || !expected.includes(element.tag)) throw new Asn1Fault('Another element than expected.');
    this.#next += 1;
    return element;
  }

  /** The next element if it has this tag. */
  nextIf(tag: number): Element | undefined {
    const element = this.#elements[this.#next];
    if (element?.tag !== tag) return undefined;
    this.#next += 1;
    return element;
  }

  /** The next element of any kind; undefined at the end. */
  nextAny(): Element | undefined {
    const element = this.#elements[this.#next];
    this.#next += 1;
    return element;
  }

  /** Nothing may follow. */
  end(): void {
    if (this.#next < this.#elements.length) throw new Asn1Fault('More elements than expected.');
  }
}

/** The bytes of a string, joined if it came in pieces. Also of `[n] IMPLICIT` strings. */
export function stringBytes(element: Element): Buffer {
  if (!isConstructed(element.tag)) return element.body;
  return Buffer.concat(element.children.map(stringBytes));
}

/** The bytes of an OCTET STRING, in one piece or several. */
export function octets(element: Element): Buffer {
  if (element.tag === tags.octetString) return element.body;
  const pieces = element.children;
  if (element.tag !== (tags.octetString | 0x20)) throw new Asn1Fault('Not an OCTET STRING.');
  return Buffer.concat(pieces.map(octets));
}

/** The bytes of a BIT STRING of whole bytes. */
export function bits(element: Element): Buffer {
  const { body } = element;
  if (element.tag !== tags.bitString || body[0] !== 0) throw new Asn1Fault('Not a BIT STRING of whole bytes.');
  return body.subarray(1);
}

/** An object identifier as hex digits of its encoding, as in `oids`. */
export function oid(element: Element): string {
  if (element.tag !== tags.oid || element.body.length === 0) throw new Asn1Fault('Not an OBJECT IDENTIFIER.');
  return element.body.toString('hex');
}

const timeShape = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** A UTCTime or GeneralizedTime with seconds and `Z`, as required in certificates and CMS, in epoch milliseconds. */
export function time(element: Element): number {
  const match = timeShape.exec(element.body.toString('latin1'));
  const digits = element.tag === tags.utcTime ? 2 : element.tag === tags.generalizedTime ? 4 : 0;
  if (match?.[1]?.length !== digits) throw new Asn1Fault('Not a time.');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  // RFC 5280: two digits are a year from 1950 to 2049.
  const fullYear = digits === 4 ? year : year + (year < 50 ? 2_000 : 1_900);
  const milliseconds = Date.UTC(fullYear, month - 1, day, hour, minute, second);
  const read = new Date(milliseconds);
  const isReal = read.getUTCMonth() === month - 1 && read.getUTCDate() === day && hour < 24 && minute < 60;
  if (!isReal || second > 59) throw new Asn1Fault('Not a time.');
  return milliseconds;
}
