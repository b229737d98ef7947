// Reads untrusted ASN.1: BER with indefinite lengths, within bounds, in one pass over the bytes.
//
// Our own reader instead of a library: it refuses before it allocates, never recurses deeper than its bound, and
// returns slices of the input instead of copies. docs/wallet.md has the measurement.

/** The input is not the expected ASN.1. Contains no text of the input. */
export class Asn1Fault extends Error {}

export interface Bounds {
  readonly depth: number;
  readonly elements: number;
}

/** A payment token has some 350 elements, 11 deep. */
const defaultBounds: Bounds = { depth: 24, elements: 2_048 };

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The tag of a constructed element in the context class: `[0]`, `[1]` and so on. */
export function contextTag(number: number): number {
  return 0xa0 | number;
}

export function isConstructed(tag: number): boolean {
  return (tag & 0x20) !== 0;
}

/** A string in pieces, which BER allows: universal class, constructed, and neither a sequence nor a set. */
export function isStringInPieces(tag: number): boolean {
  return isConstructed(tag) && (tag & 0xc0) === 0 && tag !== tags.sequence && tag !== tags.set;
}

export class Element {
  readonly tag: number;
  readonly children: readonly Element[];
  /** Shortest-form definite lengths, here and in everything inside. */
  readonly isDer: boolean;
  readonly #input: Buffer;
  readonly #start: number;
  readonly #bodyStart: number;
  readonly #bodyEnd: number;
  readonly #end: number;

  constructor(input: Buffer, at: Position, children: readonly Element[], isDer: boolean) {
    this.tag = at.tag;
    this.children = children;
    this.isDer = isDer;
    this.#input = input;
    this.#start = at.start;
    this.#bodyStart = at.bodyStart;
    this.#bodyEnd = at.bodyEnd;
    this.#end = at.end;
  }

  /** The element as it was sent: identifier, length and content. */
  get whole(): Buffer {
    return this.#input.subarray(this.#start, this.#end);
  }

  /** The content alone. */
  get body(): Buffer {
    return this.#input.subarray(this.#bodyStart, this.#bodyEnd);
  }
}

interface Position {
  readonly tag: number;
  readonly start: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly end: number;
}

class Reader {
  readonly #input: Buffer;
  readonly #bounds: Bounds;
  #at = 0;
  #elements = 0;

  constructor(input: Buffer, bounds: Bounds) {
    this.#input = input;
    this.#bounds = bounds;
  }

  /** The single element of the input. */
  read(): Element {
    const element = this.#element(this.#input.length, 0);
    if (this.#at !== this.#input.length) throw new Asn1Fault('There are bytes behind the end.');
    return element;
  }

  #element(limit: number, depth: number): Element {
    this.#elements += 1;
    if (depth > this.#bounds.depth || this.#elements > this.#bounds.elements) throw new Asn1Fault('Out of bounds.');
    const start = this.#at;
    const tag = this.#byte(limit);
    if (tag === 0 || (tag & 0x1f) === 0x1f) throw new Asn1Fault('An identifier that nothing here uses.');
    const { length, isShortest } = this.#length(limit);
    const bodyStart = this.#at;
    if (length === undefined) {
      if (!isConstructed(tag)) throw new Asn1Fault('A primitive element without a length.');
      const children = this.#untilEndMark(limit, depth);
      const position = { tag, start, bodyStart, bodyEnd: this.#at - 2, end: this.#at };
      return new Element(this.#input, position, children, false);
    }
    const bodyEnd = bodyStart + length;
    if (bodyEnd > limit) throw new Asn1Fault('A length beyond the end.');
    const children = isConstructed(tag) ? this.#until(bodyEnd, depth) : [];
    this.#at = bodyEnd;
    const isDer = isShortest && !isStringInPieces(tag) && children.every((child) => child.isDer);
    return new Element(this.#input, { tag, start, bodyStart, bodyEnd, end: bodyEnd }, children, isDer);
  }

  #until(end: number, depth: number): Element[] {
    const children: Element[] = [];
    while (this.#at < end) children.push(this.#element(end, depth + 1));
    return children;
  }

  #untilEndMark(limit: number, depth: number): Element[] {
    const children: Element[] = [];
    while (this.#input[this.#at] !== 0 || this.#at >= limit) children.push(this.#element(limit, depth + 1));
    this.#at += 1;
    if (this.#byte(limit) !== 0) throw new Asn1Fault('An end mark with a length.');
    return children;
  }

  #byte(limit: number): number {
    const byte = this.#at < limit ? this.#input[this.#at] : undefined;
    if (byte === undefined) throw new Asn1Fault('It ends too early.');
    this.#at += 1;
    return byte;
  }

  /** Undefined means indefinite length. Four length bytes are far more than any input here needs. */
  #length(limit: number): { length: number | undefined; isShortest: boolean } {
    const first = this.#byte(limit);
    if (first < 0x80) return { length: first, isShortest: true };
    if (first === 0x80) return { length: undefined, isShortest: false };
    const count = first & 0x7f;
    if (count > 4) throw new Asn1Fault('A length of too many bytes.');
    let length = 0;
    for (let index = 0; index < count; index += 1) length = length * 256 + this.#byte(limit);
    return { length, isShortest: length >= 0x80 && length >= 256 ** (count - 1) };
  }
}

/** The single element of the bytes, BER or DER; throws `Asn1Fault` if they are not one, or exceed the bounds. */
export function readBer(bytes: Buffer, bounds: Bounds = defaultBounds): Element {
  return new Reader(bytes, bounds).read();
}

/** Like `readBer`, but only shortest-form definite lengths. */
export function readDer(bytes: Buffer, bounds: Bounds = defaultBounds): Element {
  const element = readBer(bytes, bounds);
  if (!element.isDer) throw new Asn1Fault('It is not DER.');
  return element;
}

/** The result of reading; undefined if the input is not what was expected. Other errors are bugs and are rethrown. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Asn1Fault) return undefined;
    throw error;
  }
}
