// Parameters that ask for a preview. Ignored like other unknown names they would move money that the caller only wanted
// to look at, so they are refused wherever the contract does not have them (docs/decisions/0002).

import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
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

export function asksForPreview(name: string): boolean {
  return name.length <= longest && previewNames.has(name.replaceAll(/[\W_]/g, '').toLowerCase());
}

/** The only object that is looked into although no schema knows it; others, as metadata, are the caller's own. */
const optionsName = 'options';
/** Of an object in the body, as many names are looked at. */
const namesAtMost = 100;

/** The fields that a schema knows, in whichever of its forms. */
function fieldsOf(schema: JsonSchema): Record<string, JsonSchema> | undefined {
  return schema.properties ?? schema.anyOf?.find(({ properties }) => properties)?.properties;
}

/**
 * Names of a body that ask for a preview and that its schema does not know: of the body itself, of the objects that the
 * schema knows, and of `options`. False and null ask for none, except where the schema takes no unknown field at all.
 */
function* bodyNames(schema: JsonSchema, body: unknown, before = ''): Generator<string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
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

/** Names of headers that ask for a preview, with or without x- before them, and `prefer` with such a preference. */
function headerNames(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter((name) =>
    name === 'prefer' ? prefersPreview(String(headers[name])) : asksForPreview(name.replace(/^x[-_]/, '')),
  );
}

function prefersPreview(preferences: string): boolean {
  return preferences.split(/[\s,;="]+/).some(asksForPreview);
}

function fault(field: string): Fault {
  return {
    code: 'unexpected_field',
    field,
    message: 'This request has no preview: it would be carried out.',
    devMessage:
      'Leave it out. The only preview is the query parameter dryRun=true of ' +
      'POST /marketplace/v1/transaction/{transactionId}/refund.',
  };
}

/** Refuses a request that asks for a preview where there is none. `body` is parsed. */
export function refusePreview(
  endpoint: Endpoint,
  { query, headers }: { readonly query: unknown; readonly headers: IncomingHttpHeaders },
  body: unknown,
): void {
  const known = (endpoint.query as JsonSchema | undefined)?.properties ?? {};
  const names = [
    ...Object.keys(query ?? {}).filter((name) => !Object.hasOwn(known, name) && asksForPreview(name)),
    ...bodyNames((endpoint.body ?? {}) as JsonSchema, body),
    ...headerNames(headers),
  ];
  if (names.length > 0) throw new Refusal(names.map(fault));
}

/**
 * The body of an endpoint that takes none. Nobody reads it, whatever it is, unless it may ask for a preview: a short one
 * that is JSON.
 */
export function unreadBody(bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0 || bytes.length > 2_048) return {};
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return {};
  }
}
