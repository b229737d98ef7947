// The pool of one process: connections with their session settings, and the way out of it for those that are lost.

import pg, { type QueryConfig, type QueryResult } from 'pg';
import { CopyIn } from './copy.ts';
import { DatabaseAway, isLost, TooLate } from './errors.ts';
import type { Deadline, TimeLimits } from './times.ts';

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
const planSettings = { timezone: 'UTC', random_page_cost: '1.1', enable_seqscan: 'off', jit: 'off' };

/** Only the planner settings, for benchmarks. */
export const sessionOptions = optionsOf(planSettings);

/** What every session of ours must have; times in milliseconds. */
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

/** The settings as the `options` of a connection: one parameter, which a pooler can be told to let pass. */
function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

const keepAliveAfterMilliseconds = 10_000;

/** How every session begins. Options in the address come first, so that they cannot undo ours. */
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
  /** Whether a pooler stands between us and the server. */
  readonly pooled: boolean;
  /** Told about errors of idle connections; without a listener such an error would end the process. */
  readonly onIdleError: (error: Error) => void;
}

/** One connection for the length of some work; each statement is answered within what is left of its deadline. */
export interface Session {
  query(config: QueryConfig): Promise<QueryResult>;
  copy(statement: string, rows: string): Promise<void>;
}

const rollbackMilliseconds = 2_000;

export class Connections {
  readonly #pool: pg.Pool;
  readonly #options: ConnectionOptions;
  /** Connections of an older generation than this are not used again. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.PoolClient, number>();

  constructor(options: ConnectionOptions) {
    const { times, onIdleError } = options;
    this.#options = options;
    this.#pool = new pg.Pool({
      ...connectionSettings(options.url, times),
      application_name: options.applicationName,
      max: options.connectionsAtMost,
      // One stays open, so that the database shows that this process runs: --fresh checks that.
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

  /** Runs the work over one connection. */
  async use<T>(deadline: Deadline, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#take();
    let sound = true;
    try {
      return await work(sessionOf(client, this.#options, deadline));
    } catch (error) {
      sound = this.#survives(client, error);
      throw error;
    } finally {
      giveBack(client, sound);
    }
  }

  /** Runs the work in one database transaction: all of it happens or nothing. */
  async transact<T>(deadline: Deadline, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#take();
    const session = sessionOf(client, this.#options, deadline);
    let sound = true;
    try {
      await session.query({ text: 'begin' });
      const result = await work(session);
      const { command } = await session.query({ text: 'commit' });
      // PostgreSQL answers ROLLBACK, without an error, when a statement failed and the work went on regardless.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back at its commit.');
      return result;
    } catch (error) {
      // Without a rollback the server rolls back when the connection ends.
      sound = this.#survives(client, error) && (await rolledBack(client));
      throw error;
    } finally {
      giveBack(client, sound);
    }
  }

  /**
   * Whether the connection can be used after this error. When it is lost, those that were open beside it are no longer
   * trusted either: silence and a demoted server rarely affect only one connection.
   */
  #survives(client: pg.PoolClient, error: unknown): boolean {
    if (!isLost(error)) return true;
    if (this.#generations.get(client) === this.#generation) this.#generation += 1;
    return false;
  }

  async #take(): Promise<pg.PoolClient> {
    for (;;) {
      // Whatever the reason, a password included: without a connection nothing was done, and the caller may come back.
      const client = await this.#pool.connect().catch((error) => {
        throw new DatabaseAway(error);
      });
      if (this.#generations.get(client) === this.#generation) return client;
      giveBack(client, false);
    }
  }

  /** Connections in use, idle and awaited. */
  count(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Back to the pool; one that is not sound is closed without a goodbye, because one that is silent would never end. */
function giveBack(client: pg.PoolClient, sound: boolean): void {
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
    copy: (statement, rows) =>
      new Promise((resolve, reject) => {
        const done = (error: unknown) => (error ? reject(error) : resolve());
        (client as Submits).query(limited(new CopyIn(statement, rows, pooled), left()), undefined, done);
      }),
  };
}

/** How clients take a query of our own making; pg declares only the form without a callback. */
type Submits = { query(rows: CopyIn, values: undefined, callback: (error: unknown) => void): unknown };

/** pg reads the limit from the statement, of whichever kind it is, and rejects it when the answer does not come in time. */
function limited<Statement extends object>(statement: Statement, milliseconds: number): Statement {
  if (milliseconds <= 0) throw new TooLate();
  return Object.assign(statement, { query_timeout: Math.ceil(milliseconds) });
}
