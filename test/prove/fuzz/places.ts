// Every place of every endpoint where a value can be, found by walking the contract's schemas: a new endpoint or field
// is fuzzed automatically.

import type { Endpoint } from '../../../contract/endpoint.ts';
import { jsons, texts, words } from './values.ts';

export interface FuzzedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One place, and the requests that put each boundary value there; the rest of the request is valid. */
export interface Place {
  readonly name: string;
  readonly values: readonly string[];
  request(value: string): FuzzedRequest;
}

type Shape = { readonly properties?: Record<string, Shape>; readonly items?: Shape; readonly anyOf?: readonly Shape[] };
type Path = readonly string[];

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const strangeKeys = ['x', '__proto__', 'constructor', 'toString'];

/** Headers that the service, the framework or a proxy reads. */
const headerNames = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-for',
  'x-merchant-id',
  'x-request-id',
];

/** A text for a path or a query, without unpaired surrogates, which have no percent-encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text.slice(0, 4_000).toWellFormed());
}

/** What a client can send as a header. */
function asHeader(text: string): string {
  return text
    .slice(0, 4_000)
    .replaceAll(/[^\t -~]/gu, '?')
    .trim();
}

/** The path with real ids, except for one given parameter. */
function pathWith(template: string, idOf: (name: string) => string, given: Record<string, string> = {}): string {
  return template.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, braced?: string, colon?: string) => {
    const name = braced ?? colon ?? '';
    return given[name] ?? encodeURIComponent(idOf(name));
  });
}

function queryText(query: object): string {
  const text = new URLSearchParams({ ...query }).toString();
  return text === '' ? '' : `?${text}`;
}

/** Ids for the requests. */
export interface FuzzIds {
  /** An existing one, for a path parameter. */
  known(name: string): string;
  fresh(): string;
}

/** The example's body, with a new id each time if it contains one. */
function exampleOf({ example }: Endpoint, ids: FuzzIds): unknown {
  const spelled = JSON.stringify(example.request ?? {});
  return JSON.parse(spelled.replaceAll(/"[0-7][0-9A-HJKMNP-TV-Z]{25}"/g, () => `"${ids.fresh()}"`));
}

/** All places of an endpoint. */
export function placesOf(endpoint: Endpoint, ids: FuzzIds): Place[] {
  const { id, method, path } = endpoint;
  const query = { ...endpoint.example.query };
  const idOf = (name: string) => ids.known(name);
  const usual = () =>
    endpoint.body ? { method, headers: json, body: JSON.stringify(exampleOf(endpoint, ids)) } : { method, headers: {} };
  const address = () => pathWith(path, idOf) + queryText(query);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => ({
      name: `${id} path ${name}`,
      values: texts,
      request: (value: string) => ({
        ...usual(),
        path: pathWith(path, idOf, { [name]: encoded(value) || '%20' }) + queryText(query),
      }),
    })),
    ...queryNames(endpoint).map((name) => ({
      name: `${id} query ${name}`,
      values: [...texts, ...repeated],
      request: (value: string) => ({ ...usual(), path: `${pathWith(path, idOf)}?${queryWith(query, name, value)}` }),
    })),
    ...headerNames.map((name) => ({
      name: `${id} header ${name}`,
      values: words,
      request: (value: string) => ({
        ...usual(),
        path: address(),
        headers: { ...usual().headers, [name]: asHeader(value) },
      }),
    })),
    ...bodyPlaces(endpoint, ids, address),
  ];
}

/** A route outside the contract: a page, a form, a file. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** With `:names`. */
  readonly url: string;
  /** Of the form that is sent there. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The places of a page: its URL, query, headers and form fields. */
export function placesOfPage({ method, url, fields }: PageRoute, ids: FuzzIds): Place[] {
  const idOf = (name: string) => ids.known(name);
  const formOf = (given: object) => new URLSearchParams({ ...fields, ...given }).toString();
  const usual = method === 'POST' ? { method, headers: form, body: formOf({}) } : { method, headers: {} };
  const path = pathWith(url, idOf);
  const place = (name: string, values: readonly string[], request: Place['request']): Place => ({
    name: `${method} ${url} ${name}`,
    values,
    request,
  });
  return [
    ...[...url.matchAll(/:(\w+)/g)].map(([, name = '']) =>
      place(`path ${name}`, texts, (value) => ({
        ...usual,
        path: pathWith(url, idOf, { [name]: encoded(value) || '%20' }),
      })),
    ),
    ...['method', 'already', 'v', ...strangeKeys].map((name) =>
      place(`query ${name}`, [...texts, ...repeated], (value) => ({
        ...usual,
        path: `${path}?${queryWith({}, name, value)}`,
      })),
    ),
    ...headerNames.map((name) =>
      place(`header ${name}`, words, (value) => ({
        ...usual,
        path,
        headers: { ...usual.headers, [name]: asHeader(value) },
      })),
    ),
    ...(method === 'GET' ? [] : [...Object.keys(fields), ...strangeKeys]).map((name) =>
      place(`form ${name}`, texts, (value) => ({ ...usual, path, body: formOf({ [name]: value.toWellFormed() }) })),
    ),
    ...(method === 'GET' ? [] : [place('body', jsons, (value) => ({ ...usual, path, body: value }))]),
  ];
}

const repeatedMark = '\u0001';
/** A repeated parameter, or one in array notation. */
const repeated = [`${repeatedMark}=1&=2`, `${repeatedMark}[]=1`, `${repeatedMark}[a]=1`, `${repeatedMark}`];

function queryWith(query: object, name: string, value: string): string {
  const rest = Object.entries(query).filter(([key]) => key !== name);
  const others = rest.map(([key, text]) => `&${encodeURIComponent(key)}=${encodeURIComponent(String(text))}`).join('');
  if (!value.startsWith(repeatedMark)) return `${encodeURIComponent(name)}=${encoded(value)}${others}`;
  const spelled = value.slice(1).split('&');
  return spelled.map((part) => encodeURIComponent(name) + part).join('&') + others;
}

function queryNames({ query }: Endpoint): string[] {
  return [...Object.keys((query as Shape | undefined)?.properties ?? {}), ...(query ? strangeKeys : ['x'])];
}

function bodyPlaces(endpoint: Endpoint, ids: FuzzIds, address: () => string): Place[] {
  if (!endpoint.body) return [];
  const { id, method } = endpoint;
  const paths = [[], ...walk(endpoint.body as Shape, [])];
  const asJson = paths.map((path: Path) => ({
    name: `${id} body ${path.join('.')}`,
    values: jsons,
    request: (value: string) => ({
      method,
      path: address(),
      headers: json,
      body: jsonWith(exampleOf(endpoint, ids), path, value),
    }),
  }));
  if (!endpoint.bodyKinds?.includes('form')) return asJson;
  const names = Object.keys((endpoint.body as Shape).properties ?? {});
  const asForm = [...names, ...strangeKeys].map((name) => ({
    name: `${id} form ${name}`,
    values: texts,
    request: (value: string) => ({
      method,
      path: address(),
      headers: form,
      body: new URLSearchParams({ ...(exampleOf(endpoint, ids) as object), [name]: value.toWellFormed() }).toString(),
    }),
  }));
  return [...asJson, ...asForm];
}

/** The paths of all properties and items in a schema, and some unknown ones in each object. */
function walk({ properties, items, anyOf }: Shape, path: Path): Path[] {
  const inner = [
    ...Object.entries(properties ?? {}),
    ...(items ? ([['0', items]] as const) : []),
    ...(properties ? strangeKeys.map((key) => [key, {}] as const) : []),
  ];
  return [
    ...inner.flatMap(([key, schema]) => [[...path, key], ...walk(schema, [...path, key])]),
    ...(anyOf ?? []).flatMap((schema) => walk(schema, path)),
  ];
}

const mark = '\u0001here\u0001';

/** The example with this JSON at that path, which is created if necessary. */
function jsonWith(example: unknown, path: Path, value: string): string {
  const body: unknown = path.length === 0 ? mark : put(example, path);
  return JSON.stringify(body).replace(JSON.stringify(mark), () => value);
}

function put(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return mark;
  const container: object = typeof value === 'object' && value !== null ? value : key === '0' ? [] : {};
  const copy = Array.isArray(container) ? [...container] : { ...container };
  const inner = Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined;
  // Not by assignment: `__proto__` must be an ordinary property.
  Object.defineProperty(copy, key, { value: put(inner, rest), enumerable: true, configurable: true, writable: true });
  return copy;
}
