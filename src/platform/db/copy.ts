// Rows into a table by COPY. Measured for E1 with 64 rows a statement, CPU of PostgreSQL a row: COPY 43 µs, one text
// split by the server 49, unnest over arrays 55, json_populate_recordset 55, json_to_recordset 60; it is also the
// cheapest for us to write. COPY is one statement like any other: all of its rows are durable when it is done, or none.

import type { Connection, Submittable } from 'pg';

export type CopyValue = string | number | bigint | null;

/** The columns that are written, each with the way to its value. */
export type CopyColumns<T> = Readonly<Record<string, (row: T) => CopyValue>>;

const special = /[\\\t\n\r]/;
const everySpecial = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function spell(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  return value !== '' && special.test(value)
    ? value.replaceAll(everySpecial, (found) => escapes[found] ?? found)
    : value;
}

/** The text format: columns between tabs, a line for each row. */
export function copyText<T>(columns: CopyColumns<T>, rows: readonly T[]): string {
  const readers = Object.values(columns);
  let text = '';
  for (const row of rows) {
    let line = '';
    for (let index = 0; index < readers.length; index += 1) {
      const value = readers[index]?.(row);
      if (value === undefined) throw new Error(`A row to copy lacks ${Object.keys(columns)[index]}.`);
      line += index === 0 ? spell(value) : `\t${spell(value)}`;
    }
    text += `${line}\n`;
  }
  return text;
}

/** What pg has for COPY but does not declare. */
type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** The statement whose rows `copyText` spells. */
export function copyStatement(table: string, columns: CopyColumns<never>): string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `copy "${table}" (${names.join(', ')}) from stdin`;
}

/** A COPY for pg to run: it calls these, and `callback` at the end, which its client sets. */
export class CopyIn implements Submittable {
  readonly #statement: string;
  readonly #text: string;
  readonly #waits: boolean;
  callback: ((error: unknown) => void) | undefined;

  /** `waits`: the rows go when the server asks for them. */
  constructor(statement: string, text: string, waits: boolean) {
    this.#statement = statement;
    this.#text = text;
    this.#waits = waits;
  }

  /**
   * The rows go right behind the statement, without waiting for the server to ask for them: a busy event loop would see
   * its question late. Rows behind a statement that failed are ignored, as the protocol promises. Not so over a pooler:
   * PgBouncer 1.26 in transaction mode lost sight of such rows now and then, and the COPY never ended.
   */
  submit(connection: Connection): void {
    const copying = connection as CopyConnection;
    copying.stream.cork();
    copying.query(this.#statement);
    if (!this.#waits) this.#sendRows(copying);
    copying.stream.uncork();
  }

  handleCopyInResponse(connection: Connection): void {
    if (!this.#waits) return;
    connection.stream.cork();
    this.#sendRows(connection as CopyConnection);
    connection.stream.uncork();
  }

  #sendRows(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#text));
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {
    // The rows count when the server is ready again, which is after the commit.
  }

  handleError(error: unknown): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(undefined);
  }
}
