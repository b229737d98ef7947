// What a setting is, the kinds of values that settings have, and how a table of them is read.

import { resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting; undefined if it is unset. */
export type Given = (name: string) => string | undefined;

/** What is wrong with a value, as the end of a sentence that begins with the setting's name. */
export class Wrong {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** How a setting is described, and what it is when it is unset. */
interface About<T> {
  /** For `grosz help settings` and operations.md, in Markdown. */
  readonly help: string;
  /** The default as people read it, in Markdown. */
  readonly usual?: string;
  readonly otherwise?: (given: Given) => T | Wrong;
  /** What live mode has against this text. */
  readonly live?: (text: string | undefined, given: Given) => string | undefined;
  /** Its value must not be shown. */
  readonly secret?: true;
}

export class Setting<T> {
  readonly name: string;
  readonly help: string;
  readonly usual: string;
  readonly secret: boolean;
  readonly #about: About<T>;
  readonly #read: (text: string) => T | Wrong;

  constructor(name: string, read: (text: string) => T | Wrong, about: About<T>) {
    this.name = name;
    this.help = about.help;
    this.usual = about.usual ?? 'unset';
    this.secret = about.secret ?? false;
    this.#about = about;
    this.#read = read;
  }

  value(given: Given): T | Wrong {
    const text = given(this.name);
    if (text !== undefined) return this.#read(text);
    // Without a default the type includes undefined: the kinds below see to that.
    return this.#about.otherwise ? this.#about.otherwise(given) : (undefined as T);
  }

  /** Why live mode refuses to start; undefined: it does not. */
  liveFault(given: Given): string | undefined {
    return this.#about.live?.(given(this.name), given);
  }
}

/** Settings that are read together or not at all. */
export class Together<T extends Table> {
  readonly parts: T;
  /** Undefined if these are not in use; otherwise what is wrong with the combination. */
  readonly faults: (given: Given) => readonly string[] | undefined;

  constructor(parts: T, faults: (given: Given) => readonly string[] | undefined) {
    this.parts = parts;
    this.faults = faults;
  }
}

export interface Table {
  readonly [key: string]: Setting<unknown> | Together<Table> | Table;
}

/** What a table reads. */
export type Values<T> =
  T extends Setting<infer V>
    ? V
    : T extends Together<infer Parts>
      ? Values<Parts> | undefined
      : { readonly [Key in keyof T]: Values<T[Key]> };

/** All values; what is wrong is added to the faults. */
export function readTable<T extends Table>(table: T, given: Given, faults: string[]): Values<T> {
  const values = Object.entries(table).map(([key, row]) => [key, readRow(row, given, faults)]);
  return Object.fromEntries(values) as Values<T>;
}

function readRow(row: Table[string], given: Given, faults: string[]): unknown {
  if (row instanceof Setting) {
    const value = row.value(given);
    if (value instanceof Wrong) faults.push(`${row.name} ${value.why}`);
    return value;
  }
  if (!(row instanceof Together)) return readTable(row, given, faults);
  const together = row.faults(given);
  if (together === undefined) return undefined;
  faults.push(...together);
  return readTable(row.parts, given, faults);
}

/** Every setting of a table, in its order. */
export function settingsOf(table: Table): Setting<unknown>[] {
  return Object.values(table).flatMap((row) => {
    if (row instanceof Setting) return [row];
    return settingsOf(row instanceof Together ? row.parts : row);
  });
}

const shown = (value: string) => `\`${value}\``;

/** The number of a text, if it is a whole one within the bounds. */
function wholeFrom(least: number, most: number) {
  return (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : new Wrong(`must be a whole number from ${least} to ${most}, not "${text}".`);
}

type Words = Omit<About<never>, 'otherwise'>;

/** A whole number with a default. */
export function whole(name: string, usual: number, least: number, most: number, about: Words): Setting<number> {
  return new Setting(name, wholeFrom(least, most), { usual: String(usual), otherwise: () => usual, ...about });
}

/** A whole number whose default depends on other settings, or is none. */
export function wholeOr<T>(
  name: string,
  [least, most]: readonly [number, number],
  about: About<number | T>,
): Setting<number | T> {
  return new Setting<number | T>(name, wholeFrom(least, most), about);
}

/** One of some words. */
export function oneOf<T extends string>(
  name: string,
  allowed: readonly T[],
  about: About<T> & Required<Pick<About<T>, 'otherwise'>>,
): Setting<T> {
  const read = (text: string) =>
    allowed.find((word) => word === text) ?? new Wrong(`must be one of ${allowed.join(', ')}, not "${text}".`);
  return new Setting<T>(name, read, about);
}

/** `true` or `false`; what it allows is for development only. */
export function developmentOnly(name: string, about: Words): Setting<boolean> {
  const read = (text: string) =>
    /^(true|false)$/.test(text) ? text === 'true' : new Wrong(`must be one of true, false, not "${text}".`);
  const live = (text: string | undefined) =>
    text === 'true' ? `MODE=live refuses ${name}=true: it is for development.` : undefined;
  return new Setting(name, read, { otherwise: () => false, live, ...about });
}

/** Any text, with a default. */
export function text(name: string, usual: string, about: Words): Setting<string> {
  return new Setting(name, (given) => given, { usual: shown(usual), otherwise: () => usual, ...about });
}

/** A text that fits a pattern, with a default. */
export function fitting(name: string, usual: string, pattern: RegExp, why: string, about: Words): Setting<string> {
  const read = (given: string) => (pattern.test(given) ? given : new Wrong(why));
  return new Setting(name, read, { usual: shown(usual), otherwise: () => usual, ...about });
}

/** Any text, or none. */
export function optional(name: string, about: Words): Setting<string | undefined> {
  return new Setting<string | undefined>(name, (given) => given, about);
}

/** A text that passes a test, or none. */
export function checked(
  name: string,
  passes: (given: string) => boolean,
  why: string,
  about: Words,
): Setting<string | undefined> {
  return new Setting<string | undefined>(name, (given) => (passes(given) ? given : new Wrong(why)), about);
}

/** A path, made absolute. */
export function path(name: string, about: About<string> & Required<Pick<About<string>, 'otherwise'>>): Setting<string> {
  return new Setting(name, (given) => resolve(given), about);
}
