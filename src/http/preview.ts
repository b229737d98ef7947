// Parameters that ask for a preview. Ignored like other unknown names they would move money that the caller only wanted
// to look at, so they are refused wherever the contract does not have them (docs/decisions/0002).

import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { type Fault, Refusal } from '../kernel/index.ts';
import type { JsonSchema } from './look.ts';

/** In lower case, without what separates words. */
const previewNames = new Set(
  (
    'dryrun isdryrun dryrunonly dryrunmode preview ispreview previewonly previewmode validateonly validationonly ' +
    'onlyvalidate checkonly onlycheck simulate simulateonly simulation testrun testonly whatif noop noexecute pretend'
  ).split(' '),
);
const longest = 24;

function asksForPreview(name: string): boolean {
  return name.length <= longest && previewNames.has(name.replaceAll(/[\W_]/g, '').toLowerCase());
}

/** The same of a name in a query or a form, where it may be inside another: `options[dryRun]`, `options.dryRun`. */
function asksInside(name: string): boolean {
  return asksForPreview(name) || (/[.[]/.test(name) && name.split(/[.[\]]+/).some(asksForPreview));
}

/** The only object that is looked into although no schema knows it; others, as metadata, are the caller's own. */
const optionsName = 'options';
/** Of an object in the body, as many names are looked at; of a list of objects, as many of them. */
const namesAtMost = 100;

/** The fields that a schema knows, in whichever of its forms. */
function fieldsOf(schema: JsonSchema): Record<string, JsonSchema> | undefined {
  return schema.properties ?? schema.anyOf?.find(({ properties }) => properties)?.properties;
}

/**
 * Names of a body that ask for a preview and that its schema does not know: of the body itself, of the objects that the
 * schema knows, and of `options`; of each of them also if it is in a list where the schema has none. False and null ask
 * for none, except where the schema takes no unknown field at all.
 */
function* bodyNames(schema: JsonSchema, body: unknown, before = ''): Generator<string> {
  if (typeof body !== 'object' || body === null) return;
  if (Array.isArray(body)) {
    for (const one of body.slice(0, namesAtMost)) if (!Array.isArray(one)) yield* bodyNames(schema, one, before);
    return;
  }
  const known = fieldsOf(schema) ?? {};
  const isStrict = schema.additionalProperties === false;
  const names = Object.keys(body);
  for (const name of before === '' ? names : names.slice(0, namesAtMost)) {
    const value = (body as Record<string, unknown>)[name];
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field) {
      if (fieldsOf(field)) yield* bodyNames(field, value, `${before}${name}.`);
    } else if (asksForPreview(name)) {
      if (isStrict || (value !== false && value !== null)) yield `${before}${name}`;
    } else if (before === '' && name === optionsName) yield* bodyNames({}, value, `${name}.`);
  }
}

/** The most words of a name that asks for a preview. */
const wordsAtMost = 3;

/** Names of headers that ask for a preview: by their last words, whoever's they are, or by a preference or mode. */
function headerNames(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter((name) => {
    const isMode = name === 'prefer' || /(?:^|[-_])mode$/.test(name);
    if (isMode && prefersPreview(String(headers[name]))) return true;
    const words = name.split(/[-_]+/).slice(-wordsAtMost);
    return words.some((_, first) => asksForPreview(words.slice(first).join('')));
  });
}

function prefersPreview(preferences: string): boolean {
  return preferences.split(/[\s,;="]+/).some(asksForPreview);
}

const propertiesOf = ({ query }: Endpoint) => (query as JsonSchema | undefined)?.properties ?? {};

/** The endpoints that have a preview. */
const previewed = endpoints
  .filter((endpoint) => 'dryRun' in propertiesOf(endpoint))
  .map(({ method, path }) => `${method} ${path}`)
  .join(' or ');

function fault(field: string): Fault {
  return {
    code: 'unexpected_field',
    field,
    message: 'This request has no preview: it would be carried out.',
    devMessage: `Leave it out. The only preview is the query parameter dryRun=true of ${previewed}.`,
  };
}

/** Refuses a request that asks for a preview where there is none. `body` is parsed. */
export function refusePreview(
  endpoint: Endpoint,
  { query, headers }: { readonly query: unknown; readonly headers: IncomingHttpHeaders },
  body: unknown,
): void {
  const known = propertiesOf(endpoint);
  const names = [
    ...Object.keys(query ?? {}).filter((name) => !Object.hasOwn(known, name) && asksInside(name)),
    ...bodyNames((endpoint.body ?? {}) as JsonSchema, body),
    ...headerNames(headers),
  ];
  if (names.length > 0) throw new Refusal(names.map(fault));
}

/**
 * The body of an endpoint that takes none. Nobody reads it, whatever it is, unless it asks for a preview: as JSON or as a
 * form, whatever its content type says.
 */
export function unreadBody(bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0) return {};
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    return JSON.parse(text);
  } catch {
    const names = [...new URLSearchParams(text).keys(), ...multipartNames(text)];
    return Object.fromEntries(
      names.filter(asksInside).map((name) => [name.split(/[.[\]]+/).find(asksForPreview), true]),
    );
  }
}

function multipartNames(text: string): string[] {
  return text
    .matchAll(/\bname="([^"]{1,100})"/g)
    .map(([, name = '']) => name)
    .toArray();
}
