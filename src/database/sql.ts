// Handwritten SQL in tagged templates. Each template in the code is one prepared statement, except for those that take
// a batch of rows.

import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { mapInTurns } from '../runtime/index.ts';
import type { Session } from './connections.ts';
import { type CopyColumns, copyOf } from './copy.ts';

export type Row = Record<string, unknown>;
type Reader<T> = (row: Row) => T;
type Tag<T> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<T>;

/** What a store uses: queries that return many rows, exactly one, at most one, or only the number of changed rows. */
export interface Sql {
  many<T>(read: Reader<T>): Tag<T[]>;
  one<T>(read: Reader<T>): Tag<T>;
  maybeOne<T>(read: Reader<T>): Tag<T | undefined>;
  run: Tag<number>;
  /**
   * Inserts rows with COPY, all or none; the fastest way when nothing has to be returned. In a database transaction it is
   * sent with the next statement or the commit, together with other COPYs; that is where it fails if it fails.
   */
  copy<T>(table: string, columns: CopyColumns<T>, rows: readonly T[]): Promise<void>;
  /** Runs the effect after the commit; never after a rollback. */
  afterCommit(effect: () => void): void;
}

interface Statement {
  readonly name: string;
  readonly text: string;
}

const known = new WeakMap<TemplateStringsArray, Map<string, Statement>>();
let statements = 0;

/**
 * The strings of a template are the same object on every call; together with any SqlText they identify the prepared
 * statement.
 */
function statementOf(strings: TemplateStringsArray, values: readonly unknown[]): Statement {
  const own = values.map(shapeOf).join('\n');
  let here = known.get(strings);
  if (!here) {
    here = new Map();
    known.set(strings, here);
  }
  let statement = here.get(own);
  if (!statement) {
    statements += 1;
    statement = { name: `s${statements}`, text: textOf(strings, values) };
    here.set(own, statement);
  }
  return statement;
}

function prepared(strings: TemplateStringsArray, values: unknown[]): QueryConfig {
  const { name, text } = statementOf(strings, values);
  const given = values.flatMap(parametersOf);
  const planned = values.some((value) => value instanceof JsonSet && !value.byKey);
  return planned ? { text, values: given } : { name, text, values: given };
}

/** Values become numbered parameters; a SqlText and a SqlPart become part of the statement. */
function textOf(strings: readonly string[], values: readonly unknown[], placed = { parameters: 0 }): string {
  const place = (value: unknown): string => {
    if (value instanceof SqlText) return value.text;
    if (value instanceof SqlPart) return textOf(value.strings, value.values, placed);
    placed.parameters += 1;
    const name = `$${placed.parameters}`;
    return value instanceof JsonSet ? value.source(name) : name;
  };
  return strings.reduce((text, part, index) => text + place(values[index - 1]) + part);
}

/** What a value adds to the text of the statement, apart from the numbers of parameters. */
function shapeOf(value: unknown): string {
  if (value instanceof SqlText) return value.text;
  return value instanceof SqlPart ? textOf(value.strings, value.values) : '';
}

function parametersOf(value: unknown): unknown[] {
  if (value instanceof SqlText) return [];
  return value instanceof SqlPart ? value.values.flatMap(parametersOf) : [parameter(value)];
}

/**
 * Trusted SQL text inside a statement, such as a column list; never user input. Keep the number of variants per
 * template small, because each is a prepared statement of its own.
 */
export class SqlText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A part of a statement with its own parameters, for what several statements have in common: `where ${part}`. As for a
 * SqlText, each variant of its text is a prepared statement of its own.
 */
export class SqlPart {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export function sqlPart(strings: TemplateStringsArray, ...values: unknown[]): SqlPart {
  return new SqlPart(strings, values);
}

/** All of these conditions; none is true. */
export function allOf(conditions: readonly SqlPart[]): SqlPart {
  const between = conditions.map((_, index) => (index === 0 ? '(' : ') and ('));
  return new SqlPart(conditions.length === 0 ? ['true'] : [...between, ')'], conditions);
}

/** Instants are sent as ISO text and bigints as digits; everything else as pg does it. */
function parameter(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return value.toString();
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof JsonSet) return value.text;
  return value;
}

/** The columns of rows passed to a statement: the key in the rows and the PostgreSQL type. */
export type GivenColumns<K extends string> = Readonly<Record<K, string>>;

/**
 * Passes rows to a statement as a table named `given`: `from ${given(rows, columns)}`. They are sent as one JSON
 * parameter, however many there are; a camelCase key becomes a snake_case column. A key of the rows that is missing from
 * the columns does not compile; a column that is missing from the rows is null.
 */
export function given<R extends object, K extends keyof R & string>(
  rows: readonly R[],
  columns: GivenColumns<K> & GivenColumns<keyof R & string>,
): JsonSet {
  return new JsonSet(jsonOf(rows), columns, false);
}

/**
 * The same in a statement that is prepared once: a third less CPU for an update of 30 rows. Only where every table is also
 * restricted to the keys of the rows, by `= any`: then a plan that is kept while the table grows never reads more than
 * these.
 */
export function givenByKey<R extends object, K extends keyof R & string>(
  rows: readonly R[],
  columns: GivenColumns<K> & GivenColumns<keyof R & string>,
): JsonSet {
  return new JsonSet(jsonOf(rows), columns, true);
}

/**
 * JSON has no bigint, and a replacer costs as much as all the rest of the serialization, so it is used only for rows
 * with bigints.
 */
function jsonOf(rows: readonly object[]): string {
  try {
    return JSON.stringify(rows);
  } catch {
    return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  }
}

/**
 * A batch of rows as a parameter. Unless its rows are found by key, the statement is planned on every execution: with a
 * prepared statement the server would keep its plan, and a join planned while a table was small scans all of it once it
 * has grown.
 */
class JsonSet {
  readonly text: string;
  readonly byKey: boolean;
  readonly #columns: GivenColumns<string>;
  constructor(text: string, columns: GivenColumns<string>, byKey: boolean) {
    this.text = text;
    this.byKey = byKey;
    this.#columns = columns;
  }

  source(parameter: string): string {
    const columns = Object.entries(this.#columns);
    const read = columns.map(([key]) => `"${key}" as ${snakeCase(key)}`).join(', ');
    const types = columns.map(([key, type]) => `"${key}" ${type}`).join(', ');
    return `(select ${read} from json_to_recordset(${parameter}::json) as sent (${types})) as given`;
  }
}

/** createdAt becomes created_at. */
export function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const readAtOnce = 250;

/** Reading thousands of rows takes longer than others should wait for the event loop. */
function readAll<T>(rows: readonly Row[], read: (row: Row) => T): T[] | Promise<T[]> {
  return rows.length <= readAtOnce ? rows.map(read) : mapInTurns(rows, read);
}

/** SQL over a session. Outside a database transaction, effects of `afterCommit` happen immediately. */
export function sqlOver(session: Session, afterCommit: Sql['afterCommit'] = (effect) => effect()): Sql {
  const query = (strings: TemplateStringsArray, values: unknown[]): Promise<QueryResult<QueryResultRow>> =>
    session.query(prepared(strings, values));
  return {
    afterCommit,
    many:
      (read) =>
      async (strings, ...values) =>
        readAll((await query(strings, values)).rows, read),
    one:
      (read) =>
      async (strings, ...values) => {
        const { rows } = await query(strings, values);
        const [row] = rows;
        if (rows.length !== 1 || !row) throw new Error(`Expected one row, got ${rows.length}.`);
        return read(row);
      },
    maybeOne:
      (read) =>
      async (strings, ...values) => {
        const { rows } = await query(strings, values);
        if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}.`);
        return rows[0] && read(rows[0]);
      },
    copy: async (table, columns, rows) => session.copy(copyOf(table, columns, rows)),
    run: async (strings, ...values) => (await query(strings, values)).rowCount ?? 0,
  };
}
