// A file from a bank, part by part, however large it is. What is not exactly right is refused with its place.

import { CamtReader } from './camt.ts';
import { beginningOf, declaredEncoding, guessedEncoding, type Source, textOf } from './encoding.ts';
import { FileFault } from './fault.ts';
import { type Format, formats, type Part, type PartReader } from './model.ts';
import { Mt940Reader } from './mt940.ts';
import { Pain002Reader } from './pain002.ts';

export interface ReadOptions {
  /** Otherwise it is recognized. */
  readonly format?: Format;
  /** Otherwise the file says it, or it is guessed. */
  readonly encoding?: string;
}

const readers: Readonly<Record<Format, () => PartReader>> = {
  camt053: () => new CamtReader('camt.053'),
  camt054: () => new CamtReader('camt.054'),
  pain002: () => new Pain002Reader(),
  mt940: () => new Mt940Reader(),
};

/** So much of the file says what it is. */
const beginningLength = 4_096;

const namespaces: readonly (readonly [string, Format])[] = [
  ['camt.053.', 'camt053'],
  ['camt.054.', 'camt054'],
  ['pain.002.', 'pain002'],
];

function formatOf(begin: string): Format {
  const text = begin.replaceAll('\u0000', '');
  const named = namespaces.find(([name]) => text.includes(`iso:20022:tech:xsd:${name}`));
  if (named) return named[1];
  if (!text.trimStart().startsWith('<') && /(^|\n|\{4:\r?\n?):20:/.test(text)) return 'mt940';
  throw new FileFault({ code: 'format_unknown', parameters: {} });
}

export function isFormat(text: string): text is Format {
  return formats.some((format) => format === text);
}

export interface BankFile {
  readonly format: Format;
  readonly encoding: string;
  /** What each piece of the file adds, in its order. Throws a `FileFault`. */
  readonly parts: AsyncIterable<readonly Part[]>;
}

/** Recognizes the file. */
export async function openBankFile(source: Source, options: ReadOptions = {}): Promise<BankFile> {
  const begin = await beginningOf(source, beginningLength);
  const format = options.format ?? formatOf(Buffer.from(begin).toString('latin1'));
  const declared = options.encoding ?? declaredEncoding(begin);
  const encoding = declared ?? (format === 'mt940' ? await guessedEncoding(source) : 'utf-8');
  return { format, encoding, parts: partsOf(source, format, encoding) };
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
