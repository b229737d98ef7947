// The connection pool of a process: session settings, deadlines, and discarding lost connections.

import pg, { type QueryConfig, type QueryResult } from 'pg';
import { type Copy, CopyIn } from './copy.ts';
import { DatabaseAway, isLost, TooLate } from './errors.ts';
import { begin, FirstStatement } from './first-statement.ts';
import type { Deadline, TimeLimits } from './times.ts';

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return (text: string) => BigInt(text);
    if (oid === pg.types.builtins.TIMESTAMPTZ) return (text: string) => Temporal.Instant.from(text);
    if (oid === pg.types.builtins.DATE) return (text: string) => Temporal.PlainDate.from(text);
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/**
 * The server caches plans with prepared statements and makes them while tables are still small. Nearly every statement
 * here looks up keys, so sequential scans are disabled where an index exists: otherwise a plan that scanned a small
 * table would be kept while the table grows. Tables without a usable index are still scanned.
 */
const planSettings = { timezone: 'UTC', random_page_cost: '1.1', enable_seqscan: 'off', jit: 'off' };

/** The planner settings alone, for benchmarks. */
export const sessionOptions = optionsOf(planSettings);

/** The settings that every session must have; times in milliseconds. */
export function sessionSettings(times: TimeLimits): Readonly<Record<string, string>> {
  return {
    ...planSettings,
    statement_timeout: String(times.statement),
    lock_timeout: String(times.lock),
    idle_in_transaction_session_timeout: String(times.whole),
  };
}

export function isTimeLimit(setting: string): boolean {
  return setting.endsWith('_timeout');
}

/** The settings as the connection's `options`: a single parameter, which a pooler can be configured to pass through. */
function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

const keepAliveAfterMilliseconds = 10_000;

/** Connection parameters of every session. Options in the URL come first, so they cannot override ours. */
export function connectionSettings(url: string, times: TimeLimits) {
  const address = new URL(url);
  const given = address.searchParams.get('options') ?? '';
  address.searchParams.delete('options');
  return {
    connectionString: address.toString(),
    options: `${given} ${optionsOf(sessionSettings(times))}`.trim(),
    query_timeout: times.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMilliseconds,
  } satisfies pg.ClientConfig;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly connectionsAtMost: number;
  readonly idleMilliseconds: number;
  readonly times: TimeLimits;
  /** Whether there is a pooler between us and the server. */
  readonly pooled: boolean;
  /** Receives errors of idle connections; without a listener they would end the process. */
  readonly onIdleError: (error: Error) => void;
}

/** One connection for the duration of some work; every statement must finish within what is left of the deadline. */
export interface Session {
  query(config: QueryConfig): Promise<QueryResult>;
  copy(copy: Copy): Promise<void>;
}

const rollbackMilliseconds = 2_000;
/** COPYs of a transaction wait for each other up to this many characters, so that memory stays bounded. */
const waitingAtMost = 1_000_000;

export class Connections {
  readonly #pool: pg.Pool;
  readonly #options: ConnectionOptions;
  /** Connections of an earlier generation are not reused. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.PoolClient, number>();

  constructor(options: ConnectionOptions) {
    const { times, onIdleError } = options;
    this.#options = options;
    this.#pool = new pg.Pool({
      ...connectionSettings(options.url, times),
      application_name: options.applicationName,
      max: options.connectionsAtMost,
      // One connection stays open, so that the database shows that this process is running; --fresh checks it.
      min: 1,
      connectionTimeoutMillis: times.connect,
      idleTimeoutMillis: options.idleMilliseconds,
      types,
    });
    this.#pool.on('error', onIdleError);
    this.#pool.on('connect', (client) => {
      this.#generations.set(client, this.#generation);
      client.on('error', onIdleError);
    });
  }

  /** Runs the work on one connection. */
  async use<T>(deadline: Deadline, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#acquire();
    let sound = true;
    try {
      return await work(sessionOf(client, this.#options, deadline));
    } catch (error) {
      sound = this.#survives(client, error);
      throw error;
    } finally {
      release(client, sound);
    }
  }

  /** Runs the work in one database transaction: all or nothing. */
  async transact<T>(deadline: Deadline, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#acquire();
    const transaction = new AtomicSession(client, this.#options, deadline);
    let sound = true;
    try {
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      // If the rollback fails, the connection is closed, and the server rolls back.
      sound = this.#survives(client, error) && (await rolledBack(client));
      throw error;
    } finally {
      release(client, sound);
    }
  }

  /**
   * Whether the connection can be reused after this error. If it is lost, the other open connections are not trusted
   * either: a network failure or a failover rarely affects only one.
   */
  #survives(client: pg.PoolClient, error: unknown): boolean {
    if (!isLost(error)) return true;
    if (this.#generations.get(client) === this.#generation) this.#generation += 1;
    return false;
  }

  async #acquire(): Promise<pg.PoolClient> {
    for (;;) {
      // Whatever the reason, even a wrong password: without a connection nothing was done, and the caller may retry.
      const client = await this.#pool.connect().catch((error) => {
        throw new DatabaseAway(error);
      });
      if (this.#generations.get(client) === this.#generation) return client;
      release(client, false);
    }
  }

  /** The number of all and of idle connections, and of callers waiting for one. */
  count(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * Returns the connection to the pool. A broken one is closed without a Terminate message, because closing a silent one
 * cleanly would never finish.
 */
function release(client: pg.PoolClient, sound: boolean): void {
  client.release(!sound);
  if (!sound) client.connection.stream.destroy();
}

function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query(limited({ text: 'rollback' }, rollbackMilliseconds)).then(
    () => true,
    () => false,
  );
}

function sessionOf(client: pg.PoolClient, { times, pooled }: ConnectionOptions, deadline: Deadline): Session {
  const left = () => Math.min(times.answer, deadline.left);
  return {
    query: async (config) => client.query(limited(config, left())),
    copy: async (copy) => {
      await submitted(client, new CopyIn([copy], pooled), left());
    },
  };
}

/** Connections on which `begin` is prepared. */
const preparedBegin = new WeakSet<pg.PoolClient>();

/**
 * The statements of one database transaction. COPYs wait for the next statement or the commit and share its message, and
 * `begin` is sent with the first of all: a transaction that only copies takes one round trip.
 */
class AtomicSession implements Session {
  readonly #client: pg.PoolClient;
  readonly #options: ConnectionOptions;
  readonly #deadline: Deadline;
  #copies: Copy[] = [];
  #begun = false;

  constructor(client: pg.PoolClient, options: ConnectionOptions, deadline: Deadline) {
    this.#client = client;
    this.#options = options;
    this.#deadline = deadline;
  }

  async query(config: QueryConfig): Promise<QueryResult> {
    if (this.#copies.length > 0) await this.#send('');
    if (!this.#begun && preparedBegin.has(this.#client)) return this.#runFirst(config);
    await this.#begin();
    return this.#run(config);
  }

  async copy(copy: Copy): Promise<void> {
    // With a pooler each COPY is sent alone, see CopyIn.
    if (this.#options.pooled) await this.#begin();
    this.#copies.push(copy);
    const waiting = this.#copies.reduce((sum, { rows }) => sum + rows.length, 0);
    if (this.#options.pooled || waiting > waitingAtMost) await this.#send('');
  }

  /** A pooler may give each transaction another connection of the server, which has nothing prepared. */
  async #begin(): Promise<void> {
    if (this.#begun) return;
    const { pooled } = this.#options;
    await this.#run(pooled ? { text: begin.text } : { ...begin });
    this.#begun = true;
    if (!pooled) preparedBegin.add(this.#client);
  }

  #runFirst(config: QueryConfig): Promise<QueryResult> {
    this.#begun = true;
    return submitted(this.#client, new FirstStatement(config), this.#left);
  }

  async commit(): Promise<void> {
    const { command } = await this.#send('commit');
    // After a failed statement that the work ignored, COMMIT rolls back and reports ROLLBACK without an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit.');
  }

  /** Sends the waiting COPYs, then the statements. */
  #send(statements: string): Promise<CopyIn> {
    const all = new CopyIn(this.#copies, this.#options.pooled, this.#begun ? '' : 'begin', statements);
    this.#copies = [];
    this.#begun = true;
    return submitted(this.#client, all, this.#left).then(() => all);
  }

  #run(config: QueryConfig): Promise<QueryResult> {
    return this.#client.query(limited(config, this.#left));
  }

  get #left(): number {
    return Math.min(this.#options.times.answer, this.#deadline.left);
  }
}

/** Resolves with what the query passes to its callback. */
function submitted<Result>(client: pg.PoolClient, query: Custom<Result>, milliseconds: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const done = (error: unknown, result: Result) => (error ? reject(error) : resolve(result));
    (client as Submits).query(limited(query, milliseconds), undefined, done);
  });
}

/** A query with a protocol of its own; the client sets `callback`. */
interface Custom<Result> extends pg.Submittable {
  callback: ((error: unknown, result: Result) => void) | undefined;
}

/** How a client accepts a custom query; pg declares only the form without a callback. */
type Submits = {
  query<Result>(query: Custom<Result>, values: undefined, callback: (error: unknown, result: Result) => void): unknown;
};

/** pg reads the timeout from the statement, whatever its kind, and rejects it when no response arrives in time. */
function limited<Statement extends object>(statement: Statement, milliseconds: number): Statement {
  if (milliseconds <= 0) throw new TooLate();
  return Object.assign(statement, { query_timeout: Math.ceil(milliseconds) });
}
