// The contract's schemas as validators. Bodies are never coerced; query strings are, because they have no types.
// All faults are found at once.

import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { TSchema } from '../../../contract/schema.ts';
import { type Fault, Refusal, type RefusalCode, refuse } from '../../kernel/index.ts';
import { inexactNumber } from './body.ts';

type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
};

const faultsAtMost = 100;
const depthAtMost = 32;
const none: readonly Fault[] = [];

// TypeBox stops after eight unless told otherwise, and a caller would mend a long body in rounds.
Settings.Set({ maxErrors: faultsAtMost });

const byKeyword: Record<string, RefusalCode> = {
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_low',
  exclusiveMinimum: 'too_low',
  maximum: 'too_high',
  exclusiveMaximum: 'too_high',
  minItems: 'too_few',
  maxItems: 'too_many',
};

const byType: Record<string, RefusalCode> = {
  string: 'not_string',
  number: 'not_number',
  integer: 'not_integer',
  boolean: 'not_boolean',
  object: 'not_object',
  array: 'not_array',
};

type Problem = ReturnType<Validator['Errors']>[number];

function fieldOf(pointer: string, last?: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (last === undefined ? path : [...path, last]).join('.');
}

function faultsOf(problem: Problem): Fault[] {
  const { keyword, instancePath, params } = problem;
  const detail: Record<string, unknown> = params;
  if (keyword === 'required') {
    return problem.params.requiredProperties.map((name) => ({
      code: 'field_required',
      field: fieldOf(instancePath, name),
    }));
  }
  if (keyword === 'additionalProperties') {
    return problem.params.additionalProperties.map((name) => ({
      code: 'unexpected_field',
      field: fieldOf(instancePath, name),
    }));
  }
  const field = fieldOf(instancePath);
  // An additional property is reported as itself, before all are reported together: of many only these come.
  if (keyword === 'boolean') return [{ code: 'unexpected_field', field }];
  if (keyword === 'type') {
    const expected = String(detail.type);
    return [{ code: byType[expected] ?? 'not_valid', field }];
  }
  if (keyword === '~refine') {
    return [{ code: detail.message === 'incorrect_precision' ? 'incorrect_precision' : 'not_valid', field }];
  }
  if (keyword === 'enum') {
    return [
      {
        code: 'not_valid',
        field,
        message: `The value must be one of: ${String(detail.allowedValues).replaceAll(',', ', ')}.`,
      },
    ];
  }
  const code = byKeyword[keyword] ?? 'not_valid';
  const limit = detail.limit;
  return [limit === undefined ? { code, field } : { code, field, message: `${limitSentence[code] ?? ''} ${limit}.` }];
}

const limitSentence: Partial<Record<RefusalCode, string>> = {
  too_short: 'The least number of characters is',
  too_long: 'The greatest number of characters is',
  too_low: 'The limit below is',
  too_high: 'The limit above is',
  too_few: 'The least number of items is',
  too_many: 'The greatest number of items is',
};

/** Checks a body and gives it back typed; throws a refusal with every fault. */
export class BodyReader {
  readonly #validator: Validator;
  readonly #schema: JsonSchema;
  readonly #nullsRefused: boolean;

  constructor(schema: TSchema, nullsRefused = false) {
    this.#validator = Compile(schema);
    this.#schema = schema as JsonSchema;
    this.#nullsRefused = nullsRefused;
  }

  /** `more` finds what no schema can say. It sees bodies with other faults too, so that all are answered at once. */
  read(body: unknown, more?: (given: unknown) => readonly Fault[]): unknown {
    const seen = survey(body, 0);
    if (seen & Seen.tooDeep) {
      refuse('invalid_request_body', '', `The JSON is nested deeper than ${depthAtMost} levels.`);
    }
    const given = seen & Seen.nulls && !this.#nullsRefused ? withoutNulls(this.#schema, body) : body;
    const unstorable = seen & Seen.unstorable ? unstorableText(this.#schema, given, '') : none;
    const others = more?.(given) ?? none;
    if (unstorable.length === 0 && others.length === 0 && this.#validator.Check(given)) return given;
    throw new Refusal(this.#faults(given, [...unstorable, ...others]));
  }

  /** One fault for each field: what the schema says comes first. */
  #faults(given: unknown, others: readonly Fault[]): Fault[] {
    const seen = new Map<string, Fault>();
    for (const fault of [...this.#validator.Errors(given).flatMap(faultsOf), ...others]) {
      if (seen.has(fault.field)) continue;
      const wantsNumber = fault.code === 'not_number' || fault.code === 'not_integer';
      const inexact = wantsNumber && valueAt(given, fault.field) === inexactNumber;
      seen.set(fault.field, inexact ? { code: 'incorrect_precision', field: fault.field } : fault);
    }
    // A refusal without a fault would have no status.
    if (seen.size === 0) return [{ code: 'not_valid', field: '' }];
    return [...seen.values()].slice(0, faultsAtMost);
  }
}

function valueAt(value: unknown, field: string): unknown {
  let at = value;
  for (const part of field.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** JSON null for an optional field means "not given" (decisions 2). Copies only what changes. */
function withoutNulls(schema: JsonSchema | undefined, value: unknown): unknown {
  if (!schema || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (!schema.items) return value;
    const items = schema.items;
    const kept = value.map((item) => withoutNulls(items, item));
    return kept.some((item, index) => item !== value[index]) ? kept : value;
  }
  const { properties } = schema;
  if (!properties) return value;
  let copy: Record<string, unknown> | undefined;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const item = fields[key];
    if (typeof item !== 'object') continue;
    const inner = properties[key];
    if (!inner) continue;
    const next = item === null ? undefined : withoutNulls(inner, item);
    const dropped = item === null && !schema.required?.includes(key);
    if (!dropped && (item === null || next === item)) continue;
    copy ??= { ...fields };
    if (dropped) delete copy[key];
    else copy[key] = next;
  }
  return copy ?? value;
}

/** What one look over a whole body finds, so that the slower looks are taken only by bodies that need them. */
const Seen = { nulls: 1, unstorable: 2, tooDeep: 4 } as const;

function survey(value: unknown, depth: number): number {
  if (typeof value === 'string') return isStorable(value) ? 0 : Seen.unstorable;
  if (typeof value !== 'object') return 0;
  if (value === null) return Seen.nulls;
  if (depth === depthAtMost) return Seen.tooDeep;
  const items = value as Record<string, unknown>;
  let seen = 0;
  for (const key in items) seen |= survey(items[key], depth + 1);
  return seen;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Texts that the database could not give back as they came: NUL characters and halves of surrogate pairs. Looks only at
 * what the schema knows: the rest is ignored anyway.
 */
function unstorableText(schema: JsonSchema, value: unknown, field: string): Fault[] {
  if (typeof value === 'string') {
    if (isStorable(value)) return [];
    return [{ code: 'not_valid', field, message: 'The text has a character that cannot be stored.' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const faults: Fault[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string' && typeof item !== 'object') continue;
    const inner = innerOf(schema, key);
    if (inner) faults.push(...unstorableText(inner, item, field === '' ? key : `${field}.${key}`));
  }
  return faults;
}

/** The schema of one property or item; undefined for a property that the schema does not know. */
function innerOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  if (schema.properties) return Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  return schema.items ?? {};
}

/** Gives the parameters of a path back; text that no column can hold names nothing. */
export function readParams<Params>(params: Params): Params {
  if (survey(params, 0) & Seen.unstorable) refuse('not_found');
  return params;
}

/** Reads a query string: integers and booleans come out of their text, a repeated parameter is a fault. */
export class QueryReader {
  readonly #body: BodyReader;
  readonly #properties: Record<string, JsonSchema & { default?: unknown }>;

  constructor(schema: TSchema) {
    this.#body = new BodyReader(schema);
    this.#properties = (schema as JsonSchema).properties ?? {};
  }

  read(query: Record<string, unknown>): unknown {
    const typed: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(this.#properties)) {
      const given = query[key];
      if (given === undefined) {
        if (schema.default !== undefined) typed[key] = schema.default;
      } else typed[key] = schema.type === 'integer' && isInteger(given) ? Number(given) : given;
    }
    return this.#body.read(typed);
  }
}

function isInteger(given: unknown): boolean {
  return typeof given === 'string' && /^-?\d{1,15}$/.test(given);
}
