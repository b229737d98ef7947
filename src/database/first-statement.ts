// The first statement of a transaction, sent together with its `begin`: a transaction takes one round trip less.

import pg, { type Connection, type QueryConfig, type QueryResult, type Submittable } from 'pg';

/** Prepared on a connection by its first transaction. */
export const begin = { name: 'begin', text: 'begin' };

/** Methods that pg has but declares otherwise, or not at all. */
interface Statement extends Submittable {
  submit(connection: Connection): unknown;
  handleCommandComplete(message: { readonly text: string }, connection: Connection): void;
}

const Statement = pg.Query as unknown as new (config: QueryConfig & { queryMode: 'extended' }) => Statement;

/**
 * Both are sent before one Sync: if `begin` fails, the server skips the statement, which would otherwise be committed
 * alone. pg calls these methods, and its client sets `callback`.
 */
export class FirstStatement extends Statement {
  callback: ((error: unknown, result: QueryResult) => void) | undefined;
  #begun = false;

  constructor(config: QueryConfig) {
    super({ ...config, queryMode: 'extended' });
  }

  override submit(connection: Connection): unknown {
    connection.stream.cork();
    try {
      connection.bind({ statement: begin.name }, true);
      connection.execute({}, true);
      return super.submit(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  /** The server says first that it began. */
  override handleCommandComplete(message: { readonly text: string }, connection: Connection): void {
    if (this.#begun) super.handleCommandComplete(message, connection);
    this.#begun = true;
  }
}
