// Which parameters an endpoint takes. Names are those of the official SDK's types, so a misspelled one does not compile;
// every other name is refused, as the provider refuses it. Pure.

import { InvalidParameter } from './errors.ts';
import type { Node } from './form.ts';

export type Kind =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'metadata'
  | 'range'
  | 'boolean or text'
  | { readonly of: readonly string[] }
  | { readonly list: Kind }
  | { readonly fields: Fields };

export interface Fields {
  readonly [name: string]: Kind;
}

/** The parameters of an SDK type that the fake understands. */
export type SpecOf<Params> = { readonly [Name in keyof Params]?: Kind };

const textAtMost = 5_000;
const metadataKeysAtMost = 50;
const metadataNameAtMost = 40;
const metadataValueAtMost = 500;

/** The parameters with their types; throws for the first one that is unknown or malformed. */
export function readParameters(node: Node, fields: Fields, required: readonly string[] = []): Record<string, unknown> {
  const read = readNode(node, fields, '');
  for (const name of required)
    if (read[name] === undefined)
      throw new InvalidParameter('parameter_missing', name, `The parameter ${name} is required.`);
  return read;
}

function readNode(node: Node, fields: Fields, prefix: string): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(node)) {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined)
      throw new InvalidParameter('parameter_unknown', path, `The parameter ${path} is unknown here.`);
    read[name] = readValue(value, kind, path);
  }
  return read;
}

function readValue(value: string | Node, kind: Kind, path: string): unknown {
  if (typeof kind === 'object') {
    if ('of' in kind) return readChoice(textOf(value, path), kind.of, path);
    if ('list' in kind) return Object.values(nodeOf(value, path)).map((one) => readValue(one, kind.list, `${path}[]`));
    return readNode(nodeOf(value, path), kind.fields, path);
  }
  switch (kind) {
    case 'text':
      return readText(value, path);
    case 'integer':
      return readInteger(textOf(value, path), path);
    case 'boolean':
      return readBoolean(textOf(value, path), path);
    case 'boolean or text':
      return value === 'true' || value === 'false' ? value === 'true' : readText(value, path);
    case 'metadata':
      return readMetadata(value, path);
    case 'range':
      return readRange(value, path);
  }
}

function readText(value: string | Node, path: string): string {
  const text = textOf(value, path);
  if (text === '') throw new InvalidParameter('parameter_invalid_empty', path, `The parameter ${path} is empty.`);
  if (text.length > textAtMost) throw new InvalidParameter('parameter_invalid', path, `${path} is too long.`);
  return text;
}

function readInteger(text: string, path: string): number {
  if (!/^-?\d{1,15}$/.test(text))
    throw new InvalidParameter('parameter_invalid_integer', path, `${path} must be a whole number.`);
  return Number(text);
}

function readBoolean(text: string, path: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new InvalidParameter('parameter_invalid', path, `${path} must be true or false.`);
  return text === 'true';
}

function readChoice(text: string, choices: readonly string[], path: string): string {
  if (!choices.includes(text))
    throw new InvalidParameter('parameter_invalid', path, `${path} must be one of ${choices.join(', ')}.`);
  return text;
}

function readMetadata(value: string | Node, path: string): Record<string, string> {
  // An empty text removes all of it.
  if (value === '') return {};
  const entries = Object.entries(nodeOf(value, path)).map(([name, one]): [string, string] => [name, textOf(one, path)]);
  if (entries.length > metadataKeysAtMost) throw badMetadata(path, `at most ${metadataKeysAtMost} keys`);
  for (const [name, text] of entries) {
    if (name.length > metadataNameAtMost) throw badMetadata(path, `names of at most ${metadataNameAtMost} characters`);
    if (text.length > metadataValueAtMost)
      throw badMetadata(path, `values of at most ${metadataValueAtMost} characters`);
  }
  return Object.fromEntries(entries);
}

function badMetadata(path: string, rule: string): InvalidParameter {
  return new InvalidParameter('parameter_invalid', path, `Metadata has ${rule}.`);
}

/** A time, or an object with bounds. */
function readRange(value: string | Node, path: string): unknown {
  if (typeof value === 'string') return readInteger(value, path);
  return readNode(value, { gt: 'integer', gte: 'integer', lt: 'integer', lte: 'integer' }, path);
}

function textOf(value: string | Node, path: string): string {
  if (typeof value !== 'string') throw new InvalidParameter('parameter_invalid', path, `${path} must be a text.`);
  return value;
}

function nodeOf(value: string | Node, path: string): Node {
  if (typeof value === 'string') throw new InvalidParameter('parameter_invalid', path, `${path} must have fields.`);
  return value;
}
