// A file from a bank, part by part, however large it is. Anything that is not exactly right is rejected, with its line.

import { CamtReader } from './camt.ts';
import {
  beginningOf,
  declaredEncoding,
  encodingName,
  guessedEncoding,
  markedEncoding,
  type Source,
  textOf,
} from './encoding.ts';
import { FileFault } from './fault.ts';
import { type Format, formats, type Part, type PartReader } from './model.ts';
import { Mt940Reader } from './mt940.ts';
import { Pain002Reader } from './pain002.ts';

export interface ReadOptions {
  /** If not given, it is detected. */
  readonly format?: Format;
  /** What an XML file declares takes precedence. If neither says it, that of MT940 is guessed. */
  readonly encoding?: string;
}

const readers: Readonly<Record<Format, () => PartReader>> = {
  camt053: () => new CamtReader('camt.053'),
  camt054: () => new CamtReader('camt.054'),
  pain002: () => new Pain002Reader(),
  mt940: () => new Mt940Reader(),
};

/** How much of the file is read to detect what it is. */
const beginningLength = 4_096;

const namespaces: readonly (readonly [string, Format])[] = [
  ['camt.053.', 'camt053'],
  ['camt.054.', 'camt054'],
  ['pain.002.', 'pain002'],
];

/** Only the beginning of the file counts: what somebody wrote in a title must not decide the format. */
function formatIn(begin: Uint8Array): Format | undefined {
  const text = new TextDecoder(markedEncoding(begin) ?? 'latin1').decode(begin).trimStart();
  const [root] = /<(?:[\w.-]+:)?Document\b[^>]*>/.exec(text) ?? [];
  const named = text.startsWith('<') && namespaces.find(([name]) => root?.includes(`iso:20022:tech:xsd:${name}`));
  if (named) return named[1];
  return /^[\u0001]?(?::20:|\{1:)/.test(text) ? 'mt940' : undefined;
}

/** The format that the file begins like; undefined if that is none of them. */
export async function formatOf(source: Source): Promise<Format | undefined> {
  return formatIn(await beginningOf(source, beginningLength));
}

export function isFormat(text: string): text is Format {
  return formats.some((format) => format === text);
}

export interface BankFile {
  readonly format: Format;
  readonly encoding: string;
  /** The parts that each piece of the file adds, in order. Throws a `FileFault`. */
  readonly parts: AsyncIterable<readonly Part[]>;
}

/** Detects the format and the encoding. */
export async function openBankFile(source: Source, options: ReadOptions = {}): Promise<BankFile> {
  const begin = await beginningOf(source, beginningLength);
  if (begin.length === 0) throw new FileFault({ code: 'empty', parameters: {} });
  const format = options.format ?? formatIn(begin);
  if (format === undefined) throw new FileFault({ code: 'format_unknown', parameters: {} });
  const encoding = encodingName(await encodingOf(source, format, begin, options.encoding));
  return { format, encoding, parts: partsOf(source, format, encoding) };
}

/** XML declares it. */
async function encodingOf(source: Source, format: Format, begin: Uint8Array, said?: string): Promise<string> {
  if (format !== 'mt940') return declaredEncoding(begin) ?? said ?? 'utf-8';
  return said ?? markedEncoding(begin) ?? (await guessedEncoding(source));
}

async function* partsOf(source: Source, format: Format, encoding: string): AsyncGenerator<readonly Part[]> {
  const reader = readers[format]();
  for await (const text of textOf(source, encoding)) {
    const parts = reader.take(text);
    if (parts.length > 0) yield parts;
  }
  const last = reader.end();
  if (last.length > 0) yield last;
}
