// Validators from the contract's schemas. Bodies are never coerced; query strings are, because they have no types. All
// faults are reported together.

import { Compile, type Validator } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { notValid, ruled } from '../../contract/codes/english/values.ts';
import type { ValueRule } from '../../contract/codes/values.ts';
import { meaningOf, ruleIn, type TSchema, tooPrecise } from '../../contract/schema.ts';
import { type Fault, Refusal, type RefusalCode, refuse } from '../kernel/index.ts';
import { numberMarks } from './json.ts';
import { faultsAtMost, ignoredAtMost, isStorable, type JsonSchema, Look, limitFault } from './look.ts';
import { closest } from './suggest.ts';

const none: readonly Fault[] = [];

// TypeBox reports eight errors by default; callers would have to fix a long body in several rounds.
Settings.Set({ maxErrors: faultsAtMost });

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
  const field = fieldOf(instancePath);
  // Each additional property is reported by itself before all are reported together; with many, only the former come.
  if (keyword === 'boolean') return [{ code: 'unexpected_field', field }];
  if (keyword === 'type') {
    const expected = String(detail.type);
    return [{ code: byType[expected] ?? 'not_valid', field }];
  }
  if (keyword === '~refine') return [refinedFault(field, String(detail.message))];
  if (keyword === 'enum') {
    return [notValid(field, 'one_of', { values: String(detail.allowedValues).replaceAll(',', ', ') })];
  }
  if (keyword === 'const') return [notValid(field, 'exactly', { value: JSON.stringify(detail.allowedValue) })];
  if (keyword === 'format' && detail.format === 'email') return [notValid(field, 'email')];
  if (keyword === 'pattern') {
    const pattern = String(detail.pattern);
    const devMessage = `The value must match the regular expression ${pattern}.`;
    return [{ ...ruledFault(field, meaningOf(pattern)), devMessage }];
  }
  return [limitFault(keyword, field, detail.limit) ?? { code: 'not_valid', field }];
}

/** `error` is that of the schema: a rule, or the code of an amount with too many decimal places. */
function refinedFault(field: string, error: string): Fault {
  const rule = ruleIn(error);
  if (error === tooPrecise || rule?.code === 'decimal_places_at_most') return precisionFault(field, rule);
  return rule ? ruledFault(field, rule) : { code: 'not_valid', field, message: error };
}

function precisionFault(field: string, rule: ValueRule | undefined): Fault {
  return { code: tooPrecise, ...(rule ? ruled(field, rule.code, rule.parameters as never) : { field }) };
}

function ruledFault(field: string, rule: ValueRule | undefined): Fault {
  return { code: 'not_valid', ...(rule ? ruled(field, rule.code, rule.parameters as never) : { field }) };
}

/** Validates bodies and returns them typed; throws a refusal with every fault. */
export class BodyReader {
  #compiled: Validator | undefined;
  readonly #schema: JsonSchema;
  readonly #nullsRefused: boolean;

  constructor(schema: TSchema, nullsRefused = false) {
    this.#schema = schema as JsonSchema;
    this.#nullsRefused = nullsRefused;
  }

  /** Compiled with the first request: most processes serve few of the endpoints. */
  get #validator(): Validator {
    this.#compiled ??= Compile(this.#schema as TSchema);
    return this.#compiled;
  }

  /** Splits a body into what the schema knows and what it does not. */
  look(body: unknown): Look {
    return new Look(this.#schema, body, this.#nullsRefused);
  }

  /**
   * `more` finds what no schema can express. It also sees bodies with other faults, so that all are reported together.
   */
  check(look: Look, more?: (given: unknown) => readonly Fault[]): unknown {
    const given = look.value;
    const others = more?.(given) ?? none;
    if (others.length === 0 && this.accepts(look)) return given;
    throw new Refusal(this.#faults(look, others));
  }

  /** Whether the schema accepts the body. */
  accepts({ value, faults, unstorable }: Look): boolean {
    return faults.length === 0 && unstorable.length === 0 && this.#validator.Check(value);
  }

  /** One fault per field: the schema's takes precedence. */
  #faults({ value, faults, unstorable, ignored }: Look, others: readonly Fault[]): Fault[] {
    const seen = new Map<string, Fault>();
    for (const fault of [...faults, ...this.#validator.Errors(value).flatMap(faultsOf), ...unstorable, ...others]) {
      if (!seen.has(fault.field)) seen.set(fault.field, misspelled(ignored, typeFault(this.#schema, value, fault)));
    }
    dropOtherShape(seen);
    // A refusal without a fault would have no status.
    if (seen.size === 0) return [{ code: 'not_valid', field: '' }];
    return [...seen.values()].slice(0, faultsAtMost);
  }
}

/** Where a field takes one thing or a list of them, the faults of the given shape count, not that it is not the other. */
function dropOtherShape(seen: Map<string, Fault>): void {
  for (const { code, field } of [...seen.values()]) {
    if (code !== 'not_object' && code !== 'not_array') continue;
    if ([...seen.keys()].some((other) => other.startsWith(`${field}.`))) seen.delete(field);
  }
}

/** Suggests a similar name that was sent instead of a missing field. */
function misspelled(ignored: readonly string[], fault: Fault): Fault {
  if (fault.code !== 'field_required') return fault;
  const end = fault.field.lastIndexOf('.') + 1;
  const [parent, name] = [fault.field.slice(0, end), fault.field.slice(end)];
  const siblings = ignored.flatMap((field) => (field.startsWith(parent) ? [field.slice(end)] : []));
  const given = closest(name, siblings);
  return given === undefined ? fault : { ...fault, devMessage: `The request has ${given}. Did you mean ${name}?` };
}

/** The fault of a value of another type, with the advice of its schema if that has one. */
function typeFault(schema: JsonSchema, value: unknown, fault: Fault): Fault {
  const devMessage = fault.code === 'not_string' ? schemaAt(schema, fault.field)?.['x-fix'] : undefined;
  return devMessage === undefined ? numberFault(schema, value, fault) : { ...fault, devMessage };
}

/** A number that was marked as inexact is a string to the schema; the mark tells what is wrong with it. */
function numberFault(schema: JsonSchema, value: unknown, fault: Fault): Fault {
  if (fault.code !== 'not_number' && fault.code !== 'not_integer') return fault;
  const given = valueAt(value, fault.field);
  const code = typeof given === 'string' ? numberMarks.get(given) : undefined;
  // A number with too many decimal places is not an integer; "not an integer" is the better message.
  const better = code === undefined || (code === tooPrecise && fault.code === 'not_integer');
  if (better) return fault;
  return code === tooPrecise
    ? precisionFault(fault.field, precisionRule(schema, fault.field))
    : { code, field: fault.field };
}

/** What the schema of a field says about a number with too many decimal places. */
function precisionRule(schema: JsonSchema, field: string): ValueRule | undefined {
  return ruleIn(schemaAt(schema, field)?.['~refine']?.[0]?.error() ?? '');
}

function schemaAt(schema: JsonSchema, field: string): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const part of field.split('.')) at = at?.items ?? at?.properties?.[part];
  return at;
}

function valueAt(value: unknown, field: string): unknown {
  let at = value;
  for (const part of field.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** Returns the path parameters; a string that no column can hold matches nothing. */
export function readParams<Params>(params: Params): Params {
  if (Object.values(params ?? {}).some((text) => !isStorable(String(text)))) refuse('not_found');
  return params;
}

/** Parses a query string: converts integers and booleans; a repeated parameter is a fault. */
export class QueryReader {
  readonly #body: BodyReader;
  readonly #properties: Record<string, JsonSchema & { default?: unknown }>;
  readonly #hasLists: boolean;

  constructor(schema: TSchema) {
    this.#body = new BodyReader(schema);
    this.#properties = (schema as JsonSchema).properties ?? {};
    this.#hasLists = Object.values(this.#properties).some(({ type }) => type === 'array');
  }

  look(query: Record<string, unknown>): Look {
    const typed: Record<string, unknown> = {};
    const lists = this.#lists(query);
    const unknown = Object.keys(query).filter((key) => !Object.hasOwn(this.#properties, key) && !lists.keys.has(key));
    // Of unknown parameters only the names matter, and only as many as are reported.
    for (const key of unknown.slice(0, ignoredAtMost + 1)) typed[key] = '';
    for (const [key, schema] of Object.entries(this.#properties)) {
      const given = schema.type === 'array' ? lists.values.get(key) : query[key];
      if (given === undefined) {
        if (schema.default !== undefined) typed[key] = schema.default;
      } else typed[key] = schema.type === 'integer' && isInteger(given) ? Number(given) : given;
    }
    return this.#body.look(typed);
  }

  check(look: Look): unknown {
    return this.#body.check(look);
  }

  /** Lists are spelled `name`, `name[]` or `name[0]`, each as often as one likes, in the order of the query. */
  #lists(query: Record<string, unknown>): { keys: ReadonlySet<string>; values: ReadonlyMap<string, unknown[]> } {
    const keys = new Set<string>();
    const values = new Map<string, unknown[]>();
    if (!this.#hasLists) return { keys, values };
    for (const [key, given] of Object.entries(query)) {
      const name = key.replace(/\[\d{0,4}\]$/, '');
      if (this.#properties[name]?.type !== 'array') continue;
      keys.add(key);
      values.set(name, [...(values.get(name) ?? []), ...(Array.isArray(given) ? given : [given])]);
    }
    return { keys, values };
  }
}

function isInteger(given: unknown): boolean {
  return typeof given === 'string' && given.length <= 16 && /^-?\d{1,15}$/.test(given);
}
