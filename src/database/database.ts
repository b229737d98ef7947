// The database as the service sees it: queries, `atomic`, and batched writes.

import { type Batch, type BatchLimits, batch, usualBatchLimits } from './batch.ts';
import { Connections, type Session } from './connections.ts';
import { explained, isRetryable } from './errors.ts';
import { type Sql, sqlOver } from './sql.ts';
import { Deadline, type TimeLimits, usualTimes } from './times.ts';

export interface DatabaseOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly connectionsAtMost?: number;
  /** How long a connection may stay idle before it is closed; default 30 seconds. */
  readonly idleMilliseconds?: number;
  readonly batchLimits?: BatchLimits;
  readonly times?: TimeLimits;
  /** Whether there is a pooler between us and the server, as determined by checkDatabase. */
  readonly pooled?: boolean;
  /** Receives errors of idle connections, and of effects after a commit. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * A batch statement that is not bound to a database: stores declare it once, and each database has its own queue for
 * it.
 */
export interface BatchOf<Input, Output> {
  readonly name: string;
  /** Runs `execute` in a database transaction, for batches that take several statements. */
  readonly atomic?: boolean;
  /** A batch is all rows that are queued, for statements that cost much more than a row. */
  readonly drainsQueue?: boolean;
  /** Batches in flight, for work that comes in large sets of its own: while one is read here, another is written there. */
  readonly lanes?: number;
  /**
   * Waits for nothing but the database itself, never for a row that somebody holds: if it waits, so does every request.
   */
  readonly showsHealth?: boolean;
  execute(sql: Sql, rows: readonly Input[]): Promise<readonly Output[]>;
}

const triesAtMost = 5;

export class Database {
  readonly #connections: Connections;
  readonly #times: TimeLimits;
  readonly #batchLimits: BatchLimits;
  readonly #onError: (error: Error) => void;
  readonly #batches = new Map<BatchOf<never, unknown>, Batch<never, unknown>>();
  /** Queries outside of a transaction, each on any connection. */
  readonly sql: Sql;

  constructor(options: DatabaseOptions) {
    this.#times = options.times ?? usualTimes;
    this.#batchLimits = options.batchLimits ?? usualBatchLimits;
    this.#onError = options.onIdleError ?? (() => undefined);
    this.#connections = new Connections({
      url: options.url,
      applicationName: options.applicationName,
      connectionsAtMost: options.connectionsAtMost ?? 10,
      idleMilliseconds: options.idleMilliseconds ?? 30_000,
      times: this.#times,
      pooled: options.pooled ?? false,
      onIdleError: this.#onError,
    });
    this.sql = sqlOver({
      query: (config) => this.#once((session) => session.query(config)),
      copy: (copy) => this.#once((session) => session.copy(copy)),
    });
  }

  #once<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#connections.use(new Deadline(this.#times.whole), work).catch((error) => {
      throw explained(error);
    });
  }

  /**
   * Runs the work in one database transaction: all or nothing. It is retried after serialization failures, deadlocks
   * and lock timeouts, so it must have no effects outside the database. It ends within the time limit, whatever the
   * database does.
   */
  async atomic<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    let effects: (() => void)[] = [];
    const result = await this.#retried((deadline) => {
      effects = [];
      const sqlOf = (session: Session) => sqlOver(session, (effect) => effects.push(effect));
      return this.#connections.transact(deadline, (session) => work(sqlOf(session)));
    });
    for (const effect of effects) this.#perform(effect);
    return result;
  }

  /** What was committed stays committed: a failing effect must not look like a failed transaction. */
  #perform(effect: () => void): void {
    try {
      effect();
    } catch (error) {
      this.#onError(error as Error);
    }
  }

  /** Starts another attempt only if there is enough time left to wait for a lock. */
  async #retried<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(this.#times.whole);
    for (let tried = 1; ; tried += 1) {
      try {
        return await work(deadline);
      } catch (error) {
        if (tried >= triesAtMost || !isRetryable(error) || deadline.left < this.#times.lock) throw explained(error);
      }
    }
  }

  /** Writes a row in a batch with other waiting rows; resolves when it is durable. */
  batch<Input, Output>(statement: BatchOf<Input, Output>, row: Input): Promise<Output> {
    const key = statement as unknown as BatchOf<never, unknown>;
    let known = this.#batches.get(key) as Batch<Input, Output> | undefined;
    if (!known) {
      const execute = (rows: readonly Input[]) =>
        statement.atomic
          ? this.atomic((sql) => statement.execute(sql, rows))
          : this.#retried(() => statement.execute(this.sql, rows));
      known = batch({ ...statement, execute }, this.#batchLimits, this.#times.queue);
      this.#batches.set(key, known);
    }
    return known.add(row);
  }

  /**
   * The age of the oldest row that is queued or in flight and waits for the database itself; 0 if there is none. A batch
   * that waits for a row of one merchant says nothing about the others.
   */
  oldestWaitMilliseconds(): number {
    const healthy = [...this.#batches].filter(([{ showsHealth }]) => showsHealth);
    return Math.max(0, ...healthy.map(([, one]) => one.oldestWaitMilliseconds()));
  }

  /** Like `batch`, for a statement that is built once when its room is opened. */
  joined<Input, Output>(statement: BatchOf<Input, Output>): (row: Input) => Promise<Output> {
    return (row) => this.batch(statement, row);
  }

  /** The number of all and of idle connections, and of callers waiting for one, for the metrics. */
  connections(): { total: number; idle: number; waiting: number } {
    return this.#connections.count();
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}
