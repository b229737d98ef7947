// Bytes of a file as text. Bytes that do not fit the encoding are rejected, never replaced.

import { FileFault } from './fault.ts';

/** Reads the file from its beginning, each time it is called. */
export type Source = () => AsyncIterable<Uint8Array>;

interface Decoder {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string;
}

/** The upper half of CP852, which Polish banks' older programs write. */
const upperCp852 =
  'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0';

const cp852: Decoder = {
  decode: (bytes = new Uint8Array()) =>
    Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : upperCp852[byte - 128])).join(''),
};

/** Encodings by the names that banks and their files use, in small letters. */
const names: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  utf8: 'UTF-8',
  'us-ascii': 'UTF-8',
  'utf-16': 'UTF-16',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16BE',
  'iso-8859-1': 'ISO-8859-1',
  'iso-8859-2': 'ISO-8859-2',
  'windows-1250': 'windows-1250',
  cp1250: 'windows-1250',
  cp852: 'CP852',
  ibm852: 'CP852',
};

/** The name that we write. */
export function encodingName(given: string): string {
  const name = given.toLowerCase();
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  if (found === undefined) throw new FileFault({ code: 'encoding_unknown', parameters: { encoding: given } });
  return found;
}

/** What the platform calls those that it names differently. */
const labels: Readonly<Record<string, string>> = { 'UTF-16': 'utf-16le', 'ISO-8859-1': 'windows-1252' };

function decoderOf(encoding: string): Decoder {
  const name = encodingName(encoding);
  return name === 'CP852' ? cp852 : new TextDecoder(labels[name] ?? name, { fatal: true });
}

/** Those that files are written in. */
export const writableEncodings = ['UTF-8', 'windows-1250', 'ISO-8859-2', 'CP852'] as const;
export type WritableEncoding = (typeof writableEncodings)[number];

export interface Encoder {
  has(character: string): boolean;
  /** Throws if it does not have all characters. */
  encode(text: string): Uint8Array;
}

const encoders = new Map<WritableEncoding, Encoder>();

export function encoderOf(encoding: WritableEncoding): Encoder {
  let encoder = encoders.get(encoding);
  if (!encoder) {
    encoder = encoding === 'UTF-8' ? utf8 : singleBytes(encoding);
    encoders.set(encoding, encoder);
  }
  return encoder;
}

const utf8: Encoder = {
  has: (character) => character.isWellFormed(),
  encode: (text) => Buffer.from(text),
};

const asciiCodes = 128;

/** One byte for each character: what the decoder reads, the other way. */
function singleBytes(encoding: WritableEncoding): Encoder {
  const decoder = decoderOf(encoding);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)).charCodeAt(0), byte]),
  );
  return {
    has: (character) => bytes.has(character.charCodeAt(0)),
    encode(text) {
      const encoded = Buffer.from(text, 'latin1');
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        if (code < asciiCodes) continue;
        const byte = bytes.get(code);
        if (byte === undefined) throw new Error(`${encoding} does not have every character of the text.`);
        encoded[index] = byte;
      }
      return encoded;
    },
  };
}

/** The file as text, piece by piece. */
export async function* textOf(source: Source, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  try {
    for await (const bytes of source()) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileFault({ code: 'encoding_other', parameters: { encoding } });
  }
}

/** The first bytes of the file. */
export async function beginningOf(source: Source, length: number): Promise<Uint8Array> {
  let begin = new Uint8Array();
  for await (const bytes of source()) {
    begin = Buffer.concat([begin, bytes]);
    if (begin.length >= length) break;
  }
  return begin.subarray(0, length);
}

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding of the byte order mark that a file may begin with. */
export function markedEncoding(begin: Uint8Array): string | undefined {
  return marks.find(([, mark]) => mark.every((byte, index) => begin[index] === byte))?.[0];
}

/** The encoding that an XML file declares. */
export function declaredEncoding(begin: Uint8Array): string | undefined {
  const marked = markedEncoding(begin);
  if (marked !== undefined) return marked;
  const text = Buffer.from(begin).toString('latin1');
  return /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
}

/**
 * For a file that does not name its encoding: UTF-8 if all of it is valid UTF-8, otherwise what Polish banks usually
 * write.
 */
export async function guessedEncoding(source: Source): Promise<string> {
  try {
    for await (const _ of textOf(source, 'UTF-8'));
    return 'UTF-8';
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return 'windows-1250';
  }
}
