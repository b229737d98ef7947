// From bytes to a value: JSON, form, multipart. Strict about what could lose or change a value on the way.

import { isUtf8 } from 'node:buffer';
import { IncomingMessage } from 'node:http';
import type { BodyKind } from '../../../contract/endpoint.ts';
import { refuse } from '../../kernel/index.ts';

export const bodyBytesAtMost = 1_048_576;

type Collected = (bytes: Buffer | 'too large') => void;

/** The pieces of one body; `done` is called once, unless the caller went away. */
class Collector {
  readonly #done: Collected;
  readonly #pieces: Buffer[] = [];
  #received = 0;

  constructor(done: Collected) {
    this.#done = done;
  }

  take(piece: Buffer): void {
    const before = this.#received;
    this.#received += piece.length;
    if (this.#received <= bodyBytesAtMost) this.#pieces.push(piece);
    else if (before <= bodyBytesAtMost) this.#done('too large');
  }

  end(): void {
    if (this.#received > bodyBytesAtMost) return;
    const [only] = this.#pieces;
    this.#done(this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces, this.#received));
  }
}

/**
 * A request whose body can be collected as Node's parser finds it. Read as a stream, a body of one piece goes through five
 * ticks of the process and is destroyed in two more, which was a twelfth of E1.
 */
export class Message extends IncomingMessage {
  #collector: Collector | undefined;

  /** Node itself sees to it that there are as many bytes as Content-Length says. */
  collect(contentLength: string | undefined, done: Collected): void {
    if (Number(contentLength) > bodyBytesAtMost) {
      done('too large');
      return;
    }
    const collector = new Collector(done);
    // What came while the caller was looked up stands in the stream already.
    if (this.complete || this.readableLength > 0) {
      this.on('data', (piece: Buffer) => collector.take(piece));
      this.on('end', () => collector.end());
    } else this.#collector = collector;
  }

  /** Called by the parser with each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    if (!this.#collector) return super.push(piece);
    if (piece) this.#collector.take(piece);
    else this.#collector.end();
    return true;
  }

  /** Whether all of the body was collected: its stream then never begins, and so never ends. */
  get collected(): boolean {
    return this.#collector !== undefined && this.complete;
  }
}

// After the answer Node lets run off what nobody read, and keeps the request until its stream has ended.
const { _dump: letRunOff } = IncomingMessage.prototype as unknown as { _dump(): void };
Object.defineProperties(Message.prototype, {
  _dump: {
    value(this: Message) {
      if (!this.collected) letRunOff.call(this);
    },
  },
  readableEnded: {
    get(this: Message) {
      return this.collected || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
    },
  },
});

/** Numbers of so many digits may not survive as doubles; only then is the slower exact look worth it. */
const longNumberLength = 16;

/** The mark that stands in for a number that a double cannot hold; the validator answers `incorrect_precision` for it. */
export const inexactNumber = Symbol('inexact number');

function kindOf(contentType: string): BodyKind | undefined {
  if (contentType === 'application/json') return 'json';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return undefined;
}

/** Reads the body, at once but for multipart, which is a promise; an empty one, whatever its type says, is `{}` (decisions 2). */
export function readBody(
  bytes: Buffer | undefined,
  contentType: string | undefined,
  kinds: readonly BodyKind[],
): unknown {
  if (!bytes || bytes.length === 0) return {};
  const kind = kindOf(contentType ?? '');
  if (!kind || !kinds.includes(kind)) refuse('unsupported_media_type');
  if (kind === 'multipart') return readMultipart(bytes, contentType ?? '');
  const text = bytes.toString('utf8');
  // What is no UTF-8 is read as U+FFFD, which may also stand there by itself.
  if (text.includes('\ufffd') && !isUtf8(bytes)) refuse('invalid_request_body', '', 'The body is not valid UTF-8.');
  return kind === 'json' ? readJson(text) : Object.fromEntries(new URLSearchParams(text));
}

function readJson(text: string): unknown {
  try {
    return hasLongNumber(text) ? JSON.parse(text, markInexact) : JSON.parse(text);
  } catch {
    return refuse('invalid_request_body', '', 'The body is not valid JSON.');
  }
}

function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 46;
}

/** Whether digits and points stand in a row so long. Such a row covers one of every 16th places, so only those are asked. */
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

/** Compares a number with its source text, digit by digit, so that no amount is silently rounded. */
function markInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return digitsOf(context.source) === digitsOf(String(value)) ? value : inexactNumber;
}

/** Significant digits and exponent in one spelling: 10.10, 1.01e1 and 10.1 are alike. */
function digitsOf(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const shift = Number(exponent) - fraction.length;
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '0' : `${trimmed}e${shift + digits.length - trimmed.length}`;
}

async function readMultipart(bytes: Buffer, contentType: string): Promise<unknown> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  } catch {
    return refuse('invalid_request_body', '', 'The multipart body could not be read.');
  }
}
