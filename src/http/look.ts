// One pass over a body along its schema, before anything reads its strings. It finds what is too long, too many,
// unknown or unstorable, and gives the validator and the handlers a body with known fields and bounded strings.

import { notValid, ruled } from '../../contract/codes/english/values.ts';
import { neverIgnoredAdvice, neverIgnoredEnd } from '../../contract/never-ignored.ts';
import type { Fault, RefusalCode } from '../kernel/index.ts';
import { numberMarks } from './json.ts';
import { closest } from './suggest.ts';

export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  /** One thing or a list of them. */
  readonly anyOf?: readonly JsonSchema[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  /** False: an unknown field is a fault. Otherwise it is ignored. */
  readonly additionalProperties?: boolean;
  readonly 'x-fix'?: string;
  readonly '~refine'?: readonly { readonly error: () => string }[];
}

/** Maximum number of reported faults; nobody fixes more than a hundred in one go. */
export const faultsAtMost = 100;
/** More names would not help, and headers are limited. */
export const ignoredAtMost = 20;
/** Strings without maxLength have a pattern or an enumeration, all of them far shorter. */
const shapedLengthAtMost = 1_000;

/** Of an unknown key. It is repeated in the response and the log, and may be as long as the body. */
const nameLengthAtMost = 100;

type Fields = Record<string, unknown>;

function isNeverIgnored(key: string): boolean {
  // Of a long key only the end counts.
  return key.length >= neverIgnoredEnd.length && lettersOf(key.slice(-nameLengthAtMost)).endsWith(neverIgnoredEnd);
}

function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Each schema keyword that sets a limit: the code of its fault, and what the value must be. */
const limits = {
  minLength: ['too_short', 'at_least_characters'],
  maxLength: ['too_long', 'at_most_characters'],
  minimum: ['too_low', 'at_least'],
  exclusiveMinimum: ['too_low', 'more_than'],
  maximum: ['too_high', 'at_most'],
  exclusiveMaximum: ['too_high', 'less_than'],
  minItems: ['too_few', 'at_least_items'],
  maxItems: ['too_many', 'at_most_items'],
} as const satisfies Record<string, readonly [code: RefusalCode, rule: string]>;

/** The fault of a value that exceeds a limit of its schema; undefined for other keywords. */
export function limitFault(keyword: string, field: string, limit: unknown): Fault | undefined {
  const known = Object.hasOwn(limits, keyword) ? limits[keyword as keyof typeof limits] : undefined;
  return known && { code: known[0], ...ruled(field, known[1], { limit: Number(limit) }) };
}

/** Where null is a value: it clears the field. */
function acceptsNull({ anyOf }: JsonSchema): boolean {
  return anyOf?.some(({ type }) => type === 'null') ?? false;
}

/** The result of one pass over a body. */
export class Look {
  /** Faults of strings, lists and names, which the validator must not check again. */
  readonly faults: Fault[] = [];
  /** Strings that the database could not return unchanged: with NUL characters or unpaired surrogates. */
  readonly unstorable: Fault[] = [];
  /** Names of unknown fields; `ignoredMore`: there were others. */
  readonly ignored: string[] = [];
  ignoredMore = false;
  /** The body as the validator and the handlers see it. */
  readonly value: unknown;
  readonly #nullsRefused: boolean;
  readonly #path: string[] = [];

  constructor(schema: JsonSchema, value: unknown, nullsRefused: boolean) {
    this.#nullsRefused = nullsRefused;
    this.value = this.#visit(schema, value);
  }

  #visit(schema: JsonSchema, value: unknown): unknown {
    if (typeof value === 'string') return this.#text(schema, value);
    if (typeof value !== 'object' || value === null) return value;
    if (schema.anyOf) return this.#either(schema.anyOf, value);
    if (Array.isArray(value)) return schema.items ? this.#list(schema, schema.items, value) : value;
    return schema.properties ? this.#fields(schema, schema.properties, value as Fields) : value;
  }

  #either(schemas: readonly JsonSchema[], value: object): unknown {
    const schema = schemas.find(({ type }) => (type === 'array') === Array.isArray(value));
    return schema ? this.#visit(schema, value) : value;
  }

  #text({ type, maxLength }: JsonSchema, text: string): string {
    if (type === 'string' && numberMarks.has(text)) {
      this.#add(this.faults, { code: 'not_string', field: this.#field() });
      return '';
    }
    // The validator counts code points, which have up to two code units; twice the limit is too long in any case.
    if (text.length > (maxLength === undefined ? shapedLengthAtMost : maxLength * 2)) {
      const field = this.#field();
      this.#add(
        this.faults,
        limitFault(maxLength ? 'maxLength' : '', field, maxLength) ?? { code: 'not_valid', field },
      );
      return '';
    }
    if (!isStorable(text)) {
      this.#add(this.unstorable, notValid(this.#field(), 'storable'));
    }
    return text;
  }

  #list({ maxItems }: JsonSchema, items: JsonSchema, list: readonly unknown[]): unknown {
    const few = maxItems !== undefined && list.length > maxItems ? list.slice(0, maxItems) : list;
    if (few !== list) this.#add(this.faults, limitFault('maxItems', this.#field(), maxItems));
    let kept: unknown[] | undefined;
    for (let index = 0; index < few.length; index += 1) {
      this.#path.push(String(index));
      const item = this.#visit(items, few[index]);
      this.#path.pop();
      if (item === few[index]) continue;
      kept ??= [...few];
      kept[index] = item;
    }
    return kept ?? few;
  }

  #fields(schema: JsonSchema, properties: Record<string, JsonSchema>, fields: Fields): Fields {
    let changed = false;
    const kept: Fields = {};
    // Not with for-in, which checks for every key whether it still exists.
    const keys = Object.keys(fields);
    for (const key of keys) {
      const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (!inner) {
        this.#unknown(schema, properties, key, fields[key]);
        changed = true;
        continue;
      }
      const given = fields[key];
      if (given !== null) {
        this.#path.push(key);
        kept[key] = this.#visit(inner, given);
        this.#path.pop();
        changed ||= kept[key] !== given;
      } else if (this.#nullsRefused || schema.required?.includes(key) || acceptsNull(inner)) kept[key] = null;
      // null for any other optional field means "not given" (docs/decisions/0002).
      else changed = true;
    }
    return changed ? kept : fields;
  }

  #unknown(
    { additionalProperties }: JsonSchema,
    properties: Record<string, JsonSchema>,
    name: string,
    given: unknown,
  ): void {
    const key = shortName(name);
    if (additionalProperties === false) {
      const meant = this.faults.length < faultsAtMost ? closest(key, Object.keys(properties)) : undefined;
      this.#unexpected(key, meant === undefined ? undefined : `Did you mean ${meant}?`);
    } else if (!this.#refuseNeverIgnored(name, given, Object.keys(properties))) {
      if (this.ignored.length < ignoredAtMost) this.ignored.push(this.#field(key));
      else this.ignoredMore = true;
    }
  }

  #unexpected(key: string, devMessage: string | undefined): void {
    const fault: Fault = { code: 'unexpected_field', field: this.#field(key) };
    this.#add(this.faults, devMessage === undefined ? fault : { ...fault, devMessage });
  }

  /** Refuses what is never ignored, also inside an unknown field; returns whether there was any. */
  #refuseNeverIgnored(name: string, given: unknown, known: readonly string[]): boolean {
    if (given === null) return false;
    if (isNeverIgnored(name)) {
      this.#unexpected(shortName(name), adviceAbout(name, known.filter(isNeverIgnored)));
      return true;
    }
    if (typeof given !== 'object') return false;
    this.#path.push(shortName(name));
    let found = false;
    // A list has its indexes as keys.
    for (const key of Object.keys(given)) {
      if (this.#refuseNeverIgnored(key, (given as Fields)[key], [])) found = true;
    }
    this.#path.pop();
    return found;
  }

  #add(faults: Fault[], fault: Fault | undefined): void {
    if (fault && faults.length < faultsAtMost) faults.push(fault);
  }

  #field(last?: string): string {
    return (last === undefined ? this.#path : [...this.#path, last]).join('.');
  }
}

function adviceAbout(name: string, known: readonly string[]): string {
  const meant = known.find((one) => lettersOf(one) === lettersOf(name));
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return known.length > 0 ? `Send one of ${known.join(', ')}.` : neverIgnoredAdvice;
}

function shortName(name: string): string {
  return name.length > nameLengthAtMost ? `${name.slice(0, nameLengthAtMost)}...` : name;
}

/** Whether the database can return the string unchanged: no NUL characters or unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
