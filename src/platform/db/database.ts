// The pool, `atomic`, and the joined writes of one process.

import pg from 'pg';
import { type BatchLimits, type BatchStatement, batch, usualBatchLimits } from './batch.ts';
import { explained, isLost, isRetryable } from './errors.ts';
import { type Sql, sqlOver } from './sql.ts';

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return (text: string) => BigInt(text);
    if (oid === pg.types.builtins.TIMESTAMPTZ) return (text: string) => Temporal.Instant.from(text);
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/**
 * The server keeps plans with their prepared statements, and makes them while tables are still small. Here nearly every
 * statement goes by keys, so whole tables are not read where an index will do, or a plan that read all of a small table
 * would be kept while it grows. Where there is no index tables are read as ever.
 */
export const sessionOptions = '-c timezone=UTC -c random_page_cost=1.1 -c enable_seqscan=off -c jit=off';

export interface DatabaseOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly connectionsAtMost?: number;
  /** How long a connection may be idle before it is closed; half a minute when left out. */
  readonly idleMilliseconds?: number;
  readonly batchLimits?: BatchLimits;
  /** Told about errors of idle connections; without a listener such an error would end the process. */
  readonly onIdleError?: (error: Error) => void;
}

/** A batch statement before it knows its database: stores declare it once, each database runs its own queue for it. */
export interface BatchOf<Input, Output> {
  readonly name: string;
  /** Runs `write` in one database transaction, for sets that take several statements. */
  readonly atomic?: boolean;
  write(sql: Sql, rows: readonly Input[]): Promise<readonly Output[]>;
}

const triesAtMost = 5;

type BatchCall = (row: never) => Promise<unknown>;

export class Database {
  readonly #pool: pg.Pool;
  readonly #batchLimits: BatchLimits;
  readonly #batches = new Map<object, BatchCall>();
  /** Queries outside a database transaction, each on any connection. */
  readonly sql: Sql;

  constructor(options: DatabaseOptions) {
    const onIdleError = options.onIdleError ?? (() => undefined);
    this.#pool = new pg.Pool({
      connectionString: options.url,
      application_name: options.applicationName,
      max: options.connectionsAtMost ?? 10,
      // One stays, so that whoever asks the database sees that this process runs: --fresh looks there.
      min: 1,
      connectionTimeoutMillis: 3_000,
      idleTimeoutMillis: options.idleMilliseconds ?? 30_000,
      statement_timeout: 15_000,
      idle_in_transaction_session_timeout: 15_000,
      lock_timeout: 5_000,
      options: sessionOptions,
      types,
    });
    this.#pool.on('error', onIdleError);
    this.#pool.on('connect', (client) => client.on('error', onIdleError));
    this.#batchLimits = options.batchLimits ?? usualBatchLimits;
    this.sql = sqlOver(this.#pool, explained);
  }

  /**
   * Runs the work in one database transaction; all of it happens or nothing. Serialization failures and deadlocks
   * begin it again, four times at most, so the work must not have effects elsewhere.
   */
  atomic<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#retried(() => this.#once(work));
  }

  async #retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        if (tried >= triesAtMost || !isRetryable(error)) throw explained(error);
      }
    }
  }

  async #once<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error) => {
      throw explained(error);
    });
    let lost = false;
    try {
      await client.query('begin');
      const result = await work(sqlOver(client, (error) => error));
      const { command } = await client.query('commit');
      // PostgreSQL answers ROLLBACK, without an error, when a statement failed and the work went on regardless.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit.');
      return result;
    } catch (error) {
      // A lost connection is dropped, and the server rolls back by itself. A demoted server would still take the rollback,
      // and the connection would go back to the pool.
      lost = isLost(error) || !(await rolledBack(client));
      throw error;
    } finally {
      client.release(lost);
    }
  }

  /** Writes one row together with the others that are waiting; resolves when the row is durable. */
  batch<Input, Output>(statement: BatchOf<Input, Output>, row: Input): Promise<Output> {
    let call = this.#batches.get(statement) as ((row: Input) => Promise<Output>) | undefined;
    if (!call) {
      const bound: BatchStatement<Input, Output> = {
        name: statement.name,
        write: (rows) =>
          statement.atomic
            ? this.atomic((sql) => statement.write(sql, rows))
            : this.#retried(() => statement.write(this.sql, rows)),
      };
      call = batch(bound, this.#batchLimits);
      this.#batches.set(statement, call as BatchCall);
    }
    return call(row);
  }

  /** Connections in use, idle and awaited, for the metrics. */
  connections(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}
