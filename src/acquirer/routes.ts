// The routes as this process knows them: read with the first charge, then behind those that use them.

import type { Sql } from '../database/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { RouteRule } from './rules.ts';
import { listRoutes } from './store.ts';

/** Older ones are read again, while they are used. */
const freshMilliseconds = 1_000;
/** Older ones are not used: a node that had nothing to charge would not know what was changed hours ago. */
const usableMilliseconds = 10_000;

export class KnownRoutes {
  readonly #tools: { readonly sql: Sql; readonly wall: Clock; readonly log: Log };
  #routes: readonly RouteRule[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<readonly RouteRule[]> | undefined;

  constructor(tools: { readonly sql: Sql; readonly wall: Clock; readonly log: Log }) {
    this.#tools = tools;
  }

  /** The routes of ten seconds ago or later. */
  async get(): Promise<readonly RouteRule[]> {
    const age = this.#tools.wall.now().epochMilliseconds - this.#readAt;
    if (age >= 0 && age < freshMilliseconds) return this.#routes;
    const reading = this.#read();
    if (age < 0 || age >= usableMilliseconds) return reading;
    reading.catch((error: unknown) => this.#tools.log.warn({ err: error }, 'the routes could not be read again'));
    return this.#routes;
  }

  /** After a change by this process. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
    this.#reading = undefined;
  }

  #read(): Promise<readonly RouteRule[]> {
    if (this.#reading) return this.#reading;
    const begunAt = this.#tools.wall.now().epochMilliseconds;
    const reading = listRoutes(this.#tools.sql)
      .then((routes) => {
        // Unless they were changed meanwhile.
        if (this.#reading === reading) {
          this.#routes = routes;
          this.#readAt = begunAt;
        }
        return routes;
      })
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
    return reading;
  }
}
