// A table described once: its columns, the type of its rows, how they are read, copied in and named in SQL. A test compares
// every description with the database, so a column that is missing on either side fails. Descriptions stand in table.ts of
// their room.

import { instantText } from '../../kernel/index.ts';
import type { CopyColumns, CopyValue } from './copy.ts';
import {
  readBigint,
  readBoolean,
  readBytes,
  readInstant,
  readInteger,
  readIntegers,
  readJson,
  readText,
} from './read.ts';
import { type GivenColumns, type Row, type Sql, SqlText, snakeCase } from './sql.ts';

/** One value of a row, in one column or several. `name` is the column's name as the field's key suggests it. */
export interface Field<T> {
  readonly columns: (name: string) => readonly ColumnOf<T>[];
  /** `prefix` stands before every column of the table in a join. */
  readonly reader: (prefix: string, name: string) => Reader<T>;
}

type Reader<T> = (row: Row) => T;

export interface ColumnOf<T> {
  readonly name: string;
  /** As PostgreSQL names it. */
  readonly type: string;
  readonly nullable: boolean;
  /** For COPY. */
  readonly write: (value: T) => CopyValue;
  /** For JSON. */
  readonly give: (value: T) => unknown;
}

type ValueOf<F> = F extends Field<infer T> ? T : never;
type ValuesOf<F> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** The type of a table's rows. */
export type RowOf<T> = T extends Table<infer F> ? ValuesOf<F> : never;

/** These columns of a row for `given`, which takes instants that are spelled already, too. */
export type Given<R, C> = { readonly [K in keyof C & keyof R]: Spelled<R[K]> };
type Spelled<V> = V extends Temporal.Instant ? V | string : V;

function column<T>(
  type: string,
  read: (row: Row, column: string) => T,
  write: (value: T) => CopyValue,
  give: (value: T) => unknown = (value) => value,
): Field<T> {
  return {
    reader: (prefix, name) => {
      const full = prefix + name;
      return (row) => read(row, full);
    },
    columns: (name) => [{ name, type, nullable: false, write, give }],
  };
}

export const text = column('text', readText, (value) => value);
export const integer = column('integer', readInteger, (value) => value);
export const smallint = column('smallint', readInteger, (value) => value);
export const bigint = column('bigint', readBigint, (value) => value);
export const boolean = column('boolean', readBoolean, (value) => (value ? 't' : 'f'));
export const instant = column('timestamptz', readInstant, instantText, instantText);
export const bytes = column('bytea', readBytes, hexOf, hexOf);
export const integers: Field<readonly number[]> = column<readonly number[]>(
  'integer[]',
  readIntegers,
  (value) => `{${value.join(',')}}`,
);

function hexOf(value: Uint8Array): string {
  return `\\x${Buffer.from(value).toString('hex')}`;
}

/** Any JSON; its reader says what it is. */
export function json<T>(): Field<T> {
  const read = (row: Row, name: string) => readJson(row, name) as T;
  return column<T>('jsonb', read, (value) => JSON.stringify(value));
}

/** A text of a narrower type: an id, or one of a list that a constraint of the table holds. */
export function textAs<T extends string>(): Field<T> {
  return text as unknown as Field<T>;
}

/** A text that is checked when it is read. */
export function textFrom<T extends string>(from: (stored: string) => T): Field<T> {
  return column<T>(
    'text',
    (row, name) => from(readText(row, name)),
    (value) => value,
  );
}

export function nullable<T>(field: Field<T>): Field<T | null> {
  return {
    reader: (prefix, name) => {
      const full = prefix + name;
      const read = field.reader(prefix, name);
      return (row) => (row[full] === null ? null : read(row));
    },
    columns: (name) =>
      field.columns(name).map((one) => ({
        ...one,
        nullable: true,
        write: (value) => (value === null ? null : one.write(value)),
        give: (value) => (value === null ? null : one.give(value)),
      })),
  };
}

/** A field whose column is not named after its key. */
export function named<T>(name: string, field: Field<T>): Field<T> {
  return { reader: (prefix) => field.reader(prefix, name), columns: () => field.columns(name) };
}

/** Several columns that are one value, such as an amount and its currency. */
export function group<const F extends object>(fields: F): Field<ValuesOf<F>> {
  const entries = entriesOf(fields);
  return {
    reader: (prefix) => readerOf<ValuesOf<F>>(entries, prefix),
    columns: () => columnsOf(entries) as unknown as ColumnOf<ValuesOf<F>>[],
  };
}

interface Entry {
  readonly key: string;
  readonly name: string;
  readonly field: Field<unknown>;
}

function entriesOf(fields: object): Entry[] {
  return Object.entries(fields as Record<string, Field<unknown>>).map(([key, field]) => {
    return { key, name: snakeCase(key), field };
  });
}

/** created_at is createdAt; snakeCase leads back. */
function camelCase(name: string): string {
  return name.replaceAll(/_[a-z]/g, (pair) => pair.slice(1).toUpperCase());
}

function readerOf<T>(entries: readonly Entry[], prefix: string): Reader<T> {
  const readers = entries.map(({ name, field }) => field.reader(prefix, name));
  const keys = entries.map(({ key }) => key);
  // Every row begins as a copy of the same empty one, so that all have one shape in memory.
  const empty = Object.fromEntries(keys.map((key) => [key, undefined]));
  return (row) => {
    const values: Record<string, unknown> = { ...empty };
    for (let index = 0; index < readers.length; index += 1) values[keys[index] ?? ''] = readers[index]?.(row);
    return values as T;
  };
}

/** Every column of the fields, with the way to its value from the whole row. */
function columnsOf(entries: readonly Entry[]): ColumnOf<Record<string, unknown>>[] {
  return entries.flatMap(({ key, name, field }) =>
    field.columns(name).map((one) => ({
      ...one,
      write: (row: Record<string, unknown>) => one.write(row[key]),
      give: (row: Record<string, unknown>) => one.give(row[key]),
    })),
  );
}

export interface Table<F> {
  readonly name: string;
  readonly columns: readonly ColumnOf<ValuesOf<F>>[];
  readonly read: Reader<ValuesOf<F>>;
  /** Reads rows of a join; `prefix` is what `selected` put before each column. */
  reader(prefix: string): Reader<ValuesOf<F>>;
  /** Its columns for a select or returning, each with the prefix before its name: `alias.id as prefix_id, ...`. */
  selected(alias: string, prefix?: string): SqlText;
  /** Its columns for an insert, and for the select from `given` behind it. */
  readonly names: SqlText;
  /** Inserts the rows by COPY, all or none. */
  copy(sql: Sql, rows: readonly ValuesOf<F>[]): Promise<void>;
  /** A row with one key for each column, for `given`. */
  flat(row: ValuesOf<F>): Record<string, unknown>;
  /** The types of these columns, or of all, for `given`. A key is a column in camelCase. */
  types(): GivenColumns<string>;
  types<K extends string>(...keys: readonly K[]): GivenColumns<K>;
}

/** Describes a table. A key in camelCase is the column in snake_case, unless the field is `named`. */
export function table<const F extends object>(name: string, fields: F): Table<F> {
  const entries = entriesOf(fields);
  const columns = columnsOf(entries) as unknown as ColumnOf<ValuesOf<F>>[];
  const keyed = columns.map((one) => ({ ...one, key: camelCase(one.name) }));
  const typeOf = new Map(keyed.map(({ key, type }) => [key, type]));
  const copied = Object.fromEntries(columns.map((one) => [one.name, one.write])) as CopyColumns<ValuesOf<F>>;
  return {
    name,
    columns,
    read: readerOf<ValuesOf<F>>(entries, ''),
    reader: (prefix) => readerOf<ValuesOf<F>>(entries, prefix),
    selected: (alias, prefix = '') =>
      new SqlText(columns.map((one) => `${alias}.${one.name} as ${prefix}${one.name}`).join(', ')),
    names: new SqlText(columns.map((one) => one.name).join(', ')),
    copy: (sql, rows) => sql.copy(name, copied, rows),
    flat: (row) => Object.fromEntries(keyed.map(({ key, give }) => [key, give(row)])),
    types: (...keys: readonly string[]) =>
      Object.fromEntries(
        (keys.length === 0 ? [...typeOf.keys()] : keys).map((key) => {
          const type = typeOf.get(key);
          if (type === undefined) throw new Error(`${name} has no column for ${key}.`);
          return [key, type];
        }),
      ),
  };
}
