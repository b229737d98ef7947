// Requests that are the most expensive to read: long numbers, repeated separators, deep nesting, many keys, long texts
// of each class of characters, each as large as allowed.

import type { BodyKind, Endpoint } from '../../contract/endpoint.ts';
import { bodyBytesOf } from '../../contract/endpoint.ts';

export interface Sent {
  /** What makes it hostile. */
  readonly name: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a place accepts, and an ordinary request of the same size for comparison. */
export interface Attack {
  readonly plain: Sent;
  readonly hostile: () => Iterable<Sent>;
}

/** Node reads at most 16 KiB of headers, including the request line. */
const headerBytes = 12_000;

/** Characters that some parser treats specially, alone or repeated. Escaped for JSON where necessary. */
const repeated = {
  letters: 'a',
  digits: '7',
  zeros: '0',
  spaces: ' ',
  tabs: '\t',
  'line breaks': '\n',
  'no-break spaces': '\u00a0',
  NULs: '\0',
  hyphens: '-',
  dots: '.',
  commas: ',',
  ats: '@',
  slashes: '/',
  backslashes: '\\',
  quotes: '"',
  colons: ':',
  pluses: '+',
  percents: '%',
  'percent codes': '%20',
  ampersands: '&',
  pairs: 'a&',
  'equals signs': '=',
  'labels of hosts': 'a.',
  'words of mail': 'a@',
  brackets: '[',
  emoji: '😀',
  'combining marks': 'e\u0301',
  'halves of pairs': '\ud800',
};

/** As much of a text as fits, in encoded bytes. */
function fill(part: string, bytes: number): string {
  return part.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(part))));
}

function counted(bytes: number, width: number, item: (index: number) => string): string {
  return Array.from({ length: Math.max(1, Math.floor(bytes / width)) }, (_, index) => item(index)).join(',');
}

/** JSON values of a given size. */
const jsonValues: Readonly<Record<string, (bytes: number) => string>> = {
  'a long whole number': (bytes) => `1${'0'.repeat(bytes - 2)}1`,
  'a long fraction': (bytes) => `0.${'0'.repeat(bytes - 3)}1`,
  'a long exponent': (bytes) => `1e${'0'.repeat(bytes - 3)}5`,
  'long numbers': (bytes) => `[${counted(bytes, 20, () => '1234567890123456789')}]`,
  'long decimals': (bytes) => `[${counted(bytes, 20, () => '0.12345678901234567')}]`,
  'a long number among short ones': (bytes) => `[1234567890123456789,${counted(bytes - 30, 2, () => '1')}]`,
  'short numbers': (bytes) => `[${counted(bytes - 4, 2, () => '1')}]`,
  nulls: (bytes) => `[${counted(bytes - 4, 5, () => 'null')}]`,
  'empty objects': (bytes) => `[${counted(bytes - 4, 3, () => '{}')}]`,
  'empty texts': (bytes) => `[${counted(bytes - 4, 3, () => '""')}]`,
  'deep arrays': (bytes) => `${'['.repeat(bytes / 2 - 2)}${']'.repeat(bytes / 2 - 2)}`,
  'deep objects': (bytes) => `${'{"a":'.repeat(bytes / 6 - 2)}1${'}'.repeat(bytes / 6 - 2)}`,
  'many keys': (bytes) => `{${counted(bytes - 4, 13, (index) => `"k${String(index).padStart(6, '0')}":1`)}}`,
  'many keys of null': (bytes) => `{${counted(bytes - 4, 16, (index) => `"k${String(index).padStart(6, '0')}":null`)}}`,
  'many numbers as keys': (bytes) =>
    `{${counted(bytes - 4, 14, (index) => `"${(index * 104_729_003) % 4_294_967_291}":1`)}}`,
  'one key over and over': (bytes) => `{${counted(bytes - 4, 6, () => '"a":1')}}`,
  'names that JavaScript calls': (bytes) =>
    `{"toString":1,"valueOf":1,"toJSON":1,"then":1,"constructor":1,"a":"${fill('a', bytes - 80)}"}`,
  'a long key': (bytes) => `{"${'k'.repeat(bytes - 8)}":1}`,
  'escaped letters': (bytes) => `"${'\\u0041'.repeat(bytes / 6 - 2)}"`,
};

/** JSON that breaks at its very end, or never ends. */
const brokenJson: Readonly<Record<string, (bytes: number) => string>> = {
  'an array without end': (bytes) => `[${'1,'.repeat(bytes / 2 - 2)}`,
  'a text without end': (bytes) => `"${'a'.repeat(bytes - 2)}`,
  'a number that is none': (bytes) => `${'1'.repeat(bytes - 2)}x`,
  'a long number with two points': (bytes) => `{"amount":1.${'0'.repeat(bytes - 20)}.1}`,
  'objects without end': (bytes) => '{"a":'.repeat(bytes / 5 - 1),
  'nothing but spaces': (bytes) => ' '.repeat(bytes),
  'a comma too many': (bytes) => `{"a":[${'1,'.repeat(bytes / 2 - 8)}1],}`,
};

type Fields = Record<string, unknown>;
export type JsonSchema = { readonly properties?: Record<string, JsonSchema>; readonly items?: JsonSchema };

/** Every value in a schema, as a path. */
export function placesOf(schema: JsonSchema | undefined, path: readonly string[] = []): string[][] {
  if (schema?.items) return placesOf(schema.items, [...path, '0']);
  if (!schema?.properties) return path.length === 0 ? [] : [[...path]];
  return Object.entries(schema.properties).flatMap(([name, inner]) => placesOf(inner, [...path, name]));
}

/** A body with a value at each of these places, as large as possible. */
export function bodyWith(places: readonly string[][], make: Make, bytes: number): string {
  const mark = 'the hostile value';
  const root: Fields = {};
  for (const place of places) {
    let at = root;
    for (const [index, name] of place.slice(0, -1).entries()) {
      at[name] ??= place[index + 1] === '0' ? [] : {};
      at = at[name] as Fields;
    }
    at[place.at(-1) ?? ''] = mark;
  }
  const text = JSON.stringify(root);
  const value = make(Math.floor((bytes - text.length) / Math.max(1, places.length)));
  return text.replaceAll(JSON.stringify(mark), () => value);
}

type Make = (bytes: number) => string;

/** With something before and after them: a backtracking parser tries every way to split what is in between. */
const jsonTexts = Object.entries(repeated).map(([name, part]): [string, Make] => {
  const spelled = JSON.stringify(part).slice(1, -1);
  return [name, (bytes) => `"1${fill(spelled, bytes - 4)}x"`];
});

const items = (bytes: number) => counted(bytes - 20, 48, () => '{"name":"Green tea","price":24.9,"quantity":2}');

/** JSON bodies: each hostile value alone, under an unknown name, and in all places of the schema at once. */
export function jsonAttack(schema: JsonSchema | undefined, bytes: number): Attack {
  const headers = { 'content-type': 'application/json' };
  const known = placesOf(schema);
  function* hostile(): Generator<Sent> {
    for (const [name, make] of Object.entries(brokenJson)) yield { name, headers, body: make(bytes) };
    for (const [name, make] of [...jsonTexts, ...Object.entries(jsonValues)]) {
      if (name in jsonValues) yield { name: `${name}, alone`, headers, body: make(bytes) };
      yield { name: `${name}, unknown`, headers, body: bodyWith([['unknown']], make, bytes) };
      if (known.length > 0) yield { name: `${name}, known`, headers, body: bodyWith(known, make, bytes) };
    }
  }
  return { plain: { name: 'plain', headers, body: `{"items":[${items(bytes)}]}` }, hostile };
}

const ordinary = 'An+ordinary+note+about+an+order%2C+as+people+write+it.+';

/** Forms: each class of characters as it is, and in all known fields; and as many fields as fit. */
function* formTexts(fields: readonly string[], others: string, bytes: number): Generator<[string, string]> {
  yield ['many fields', counted(bytes - 10, 9, (index) => `k${String(index).padStart(5, '0')}=`).replaceAll(',', '&')];
  yield ['the same field over and over', fill(`${fields[0] ?? 'a'}=1&`, bytes)];
  yield ['spaces as fields', fill('+&', bytes)];
  for (const [name, part] of Object.entries(repeated)) {
    const bare = part.toWellFormed();
    yield [name, fill(bare, bytes)];
    const room = Math.floor((bytes - others.length) / Math.max(1, fields.length)) - 30;
    for (const [how, text] of [
      ['encoded', encodeURIComponent(bare)],
      ['bare', bare],
    ] as const) {
      yield [`${name}, ${how}`, `${others}&${fields.map((field) => `${field}=1${fill(text, room)}x`).join('&')}`];
    }
  }
}

export function formAttack(fields: readonly string[], others: string, bytes: number): Attack {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  function* hostile(): Generator<Sent> {
    for (const [name, body] of formTexts(fields, others, bytes)) yield { name, headers, body };
  }
  return { plain: { name: 'plain', headers, body: `${others}&note=${fill(ordinary, bytes - 200)}` }, hostile };
}

function multipartAttack(fields: readonly string[], bytes: number): Attack {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  function* hostile(): Generator<Sent> {
    yield { name: 'many parts', headers, body: `${fill(part('a', ''), bytes - 10)}--x--\r\n` };
    yield { name: 'parts without end', headers, body: fill(part('a', ''), bytes) };
    yield { name: 'boundaries', headers, body: fill('--x\r\n', bytes) };
    yield { name: 'a header without end', headers, body: `--x\r\n${fill('a', bytes - 10)}` };
    yield { name: 'many headers', headers, body: `--x\r\n${fill('a:b\r\n', bytes - 10)}` };
    for (const [name, text] of Object.entries(repeated)) {
      const value = fill(text.toWellFormed(), bytes / fields.length - 200);
      yield { name, headers, body: `${fields.map((field) => part(field, value)).join('')}--x--\r\n` };
    }
  }
  const plain = `${part('note', fill(ordinary, bytes - 200))}--x--\r\n`;
  return { plain: { name: 'plain', headers, body: plain }, hostile };
}

/** Queries: like forms, except for what a URL cannot contain. */
function queryAttack(names: readonly string[]): Attack {
  function* hostile(): Generator<Sent> {
    for (const [name, query] of formTexts([...names, 'unknown'], 'z=1', headerBytes)) {
      if (!/[^\x21-\x7e]|#/.test(query)) yield { name: `${name} in the query`, query };
    }
  }
  return { plain: { name: 'plain query', query: `note=${fill(ordinary, headerBytes)}` }, hostile };
}

/** What a parser of each header expects before it reads on. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  authorization: ['Basic ', 'Bearer '],
  'content-type': ['application/json;', 'application/json; a="', 'multipart/form-data; boundary='],
  'accept-language': ['pl;q=', 'pl,'],
};

/** Headers that the service reads, one after the other. */
export function headerAttack(names: readonly string[], plain: Readonly<Record<string, string>> = {}): Attack {
  function* hostile(): Generator<Sent> {
    for (const header of names) {
      for (const [name, part] of Object.entries(repeated)) {
        if (/[^\x20-\x7e\t]/.test(part)) continue;
        for (const beginning of ['1', ...(beginnings[header] ?? [])]) {
          const headers = { [header]: `${beginning}${fill(part, headerBytes)}x` };
          yield { name: `${name} in ${header} ${beginning}`, headers };
        }
      }
    }
  }
  return { plain: { name: 'plain header', headers: { 'x-note': fill('ordinary ', headerBytes), ...plain } }, hostile };
}

/** What an endpoint of the contract accepts: bodies of each kind, and queries. */
export function attacksOn(endpoint: Endpoint): Attack[] {
  const [query, body] = [endpoint.query, endpoint.body] as (JsonSchema | undefined)[];
  const asked = queryAttack(Object.keys(query?.properties ?? {}));
  if (endpoint.method === 'GET') return [asked];
  const fields = Object.keys(body?.properties ?? {});
  const bytes = bodyBytesOf(endpoint);
  const byKind: Record<BodyKind, () => Attack> = {
    json: () => jsonAttack(body, bytes),
    form: () => formAttack(fields, 'z=1', bytes),
    multipart: () => multipartAttack(fields, bytes),
  };
  return [asked, ...(endpoint.bodyKinds ?? ['json']).map((kind) => byKind[kind]())];
}
