// Describes a table once: its columns, the type of its rows, and how they are read, copied and named in SQL. A test
// compares every description with the database, so a column missing on either side fails. Each room has its
// descriptions in table.ts.

import { type Codes, type Message, readMessage } from '../../contract/codes/message.ts';
import { instantText } from '../kernel/index.ts';
import type { CopyColumns, CopyValue } from './copy.ts';
import {
  readBigint,
  readBoolean,
  readBytes,
  readDay,
  readInstant,
  readInteger,
  readIntegers,
  readJson,
  readText,
  readWhole,
} from './read.ts';
import { type GivenColumns, givenByKey, type Row, type Sql, SqlText, snakeCase } from './sql.ts';

/** One value of a row, in one or more columns. `name` is the column name derived from the field's key. */
export interface Field<T> {
  readonly columns: (name: string) => readonly ColumnOf<T>[];
  /** `prefix` precedes the table's column names in a join. */
  readonly reader: (prefix: string, name: string) => Reader<T>;
}

type Reader<T> = (row: Row) => T;

export interface ColumnOf<T> {
  readonly name: string;
  /** PostgreSQL's name of the type. */
  readonly type: string;
  readonly nullable: boolean;
  /** For COPY. */
  readonly toCopy: (value: T) => CopyValue;
  /** For JSON. */
  readonly give: (value: T) => unknown;
}

type ValueOf<F> = F extends Field<infer T> ? T : never;
type ValuesOf<F> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** The type of a table's rows. */
export type RowOf<T> = T extends Table<infer F> ? ValuesOf<F> : never;

/** The listed columns of a row, for `given`; instants may also be passed as text. */
export type Given<R, C> = { readonly [K in keyof C & keyof R]: Spelled<R[K]> };
type Spelled<V> = V extends Temporal.Instant | Temporal.PlainDate ? V | string : V;

function column<T>(
  type: string,
  read: (row: Row, column: string) => T,
  toCopy: (value: T) => CopyValue,
  give: (value: T) => unknown = (value) => value,
): Field<T> {
  return {
    reader: (prefix, name) => {
      const full = prefix + name;
      return (row) => read(row, full);
    },
    columns: (name) => [{ name, type, nullable: false, toCopy, give }],
  };
}

export const text = column('text', readText, (value) => value);
export const integer = column('integer', readInteger, (value) => value);
export const smallint = column('smallint', readInteger, (value) => value);
export const bigint = column('bigint', readBigint, (value) => value);
/** Whole numbers beyond bigint's range. */
export const whole = column('numeric', readWhole, (value) => value);
export const boolean = column('boolean', readBoolean, (value) => (value ? 't' : 'f'));
export const instant = column('timestamptz', readInstant, instantText, instantText);
export const day = column('date', readDay, dayText, dayText);
export const bytes = column('bytea', readBytes, hexOf, hexOf);
export const integers: Field<readonly number[]> = column<readonly number[]>(
  'integer[]',
  readIntegers,
  (value) => `{${value.join(',')}}`,
);

function dayText(value: Temporal.PlainDate): string {
  return value.toString();
}

function hexOf(value: Uint8Array): string {
  return `\\x${Buffer.from(value).toString('hex')}`;
}

/** Any JSON; the type parameter is not checked. */
export function json<T>(): Field<T> {
  const read = (row: Row, name: string) => readJson(row, name) as T;
  return column<T>('jsonb', read, (value) => JSON.stringify(value));
}

/** A code with its parameters, checked against its list. */
export function message<C extends Codes>(codes: C): Field<Message<C>> {
  const read = (row: Row, name: string) => {
    const { code, parameters } = readJson(row, name) as { readonly code: unknown; readonly parameters: object };
    return readMessage(codes, code, parameters);
  };
  return column<Message<C>>('jsonb', read, (value) => JSON.stringify(value));
}

/** Text of a narrower type: an id, or a value that a check constraint restricts. */
export function textAs<T extends string>(): Field<T> {
  return text as unknown as Field<T>;
}

/** Text that is validated when it is read. */
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
        toCopy: (value) => (value === null ? null : one.toCopy(value)),
        give: (value) => (value === null ? null : one.give(value)),
      })),
  };
}

/** A field whose column is not named after its key. */
export function named<T>(name: string, field: Field<T>): Field<T> {
  return { reader: (prefix) => field.reader(prefix, name), columns: () => field.columns(name) };
}

/** Several columns that form one value, such as an amount and its currency. */
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

/** created_at becomes createdAt; the inverse of snakeCase. */
function camelCase(name: string): string {
  return name.replaceAll(/_[a-z]/g, (pair) => pair.slice(1).toUpperCase());
}

function readerOf<T>(entries: readonly Entry[], prefix: string): Reader<T> {
  const readers = entries.map(({ name, field }) => field.reader(prefix, name));
  const keys = entries.map(({ key }) => key);
  // Every row starts as a copy of the same empty object, so that all rows have the same hidden class.
  const empty = Object.fromEntries(keys.map((key) => [key, undefined]));
  return (row) => {
    const values: Record<string, unknown> = { ...empty };
    for (let index = 0; index < readers.length; index += 1) values[keys[index] ?? ''] = readers[index]?.(row);
    return values as T;
  };
}

/** All columns of the fields, each with a getter that takes the whole row. */
function columnsOf(entries: readonly Entry[]): ColumnOf<Record<string, unknown>>[] {
  return entries.flatMap(({ key, name, field }) =>
    field.columns(name).map((one) => ({
      ...one,
      toCopy: (row: Record<string, unknown>) => one.toCopy(row[key]),
      give: (row: Record<string, unknown>) => one.give(row[key]),
    })),
  );
}

export interface Table<F> {
  readonly name: string;
  readonly columns: readonly ColumnOf<ValuesOf<F>>[];
  readonly read: Reader<ValuesOf<F>>;
  /** Reads rows of a join; `prefix` is the one passed to `selected`. */
  reader(prefix: string): Reader<ValuesOf<F>>;
  /** The columns for select or returning, with a prefix: `alias.id as prefix_id, ...`. */
  selected(alias: string, prefix?: string): SqlText;
  /** The columns for an insert and its select from `given`. */
  readonly names: SqlText;
  /** Inserts rows with COPY, all or none. */
  copy(sql: Sql, rows: readonly ValuesOf<F>[]): Promise<void>;
  /** Writes the given columns of rows in one statement; the first of the columns is the key. */
  update<K extends string, R extends object>(
    sql: Sql,
    rows: readonly R[],
    columns: GivenColumns<K> & GivenColumns<keyof R & string>,
  ): Promise<number>;
  /** The row with one key per column, for `given`. */
  flat(row: ValuesOf<F>): Record<string, unknown>;
  /** The types of these columns, or of all of them, for `given`. Keys are column names in camelCase. */
  types(): GivenColumns<string>;
  types<K extends string>(...keys: readonly K[]): GivenColumns<K>;
}

/** Describes a table. A camelCase key names a snake_case column, unless the field is `named`. */
export function table<const F extends object>(name: string, fields: F): Table<F> {
  const entries = entriesOf(fields);
  const columns = columnsOf(entries) as unknown as ColumnOf<ValuesOf<F>>[];
  const keyed = columns.map((one) => ({ ...one, key: camelCase(one.name) }));
  const typeOf = new Map(keyed.map(({ key, type }) => [key, type]));
  const copied = Object.fromEntries(columns.map((one) => [one.name, one.toCopy])) as CopyColumns<ValuesOf<F>>;
  return {
    name,
    columns,
    read: readerOf<ValuesOf<F>>(entries, ''),
    reader: (prefix) => readerOf<ValuesOf<F>>(entries, prefix),
    selected: (alias, prefix = '') =>
      new SqlText(columns.map((one) => `${alias}.${one.name} as ${prefix}${one.name}`).join(', ')),
    names: new SqlText(columns.map((one) => one.name).join(', ')),
    copy: (sql, rows) => sql.copy(name, copied, rows),
    update: (sql, rows, columns) => {
      const [key = '', ...others] = Object.keys(columns);
      const set = others.map(snakeCase).map((one) => `${one} = given.${one}`);
      const own = `${name}.${snakeCase(key)}`;
      const keys = rows.map((row) => row[key as keyof typeof row]);
      return sql.run`
        update ${new SqlText(name)} set ${new SqlText(set.join(', '))} from ${givenByKey(rows, columns)}
         where ${new SqlText(`${own} = given.${snakeCase(key)} and ${own}`)} = any(${keys})`;
    },
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
