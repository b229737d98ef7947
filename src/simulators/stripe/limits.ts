// The provider's limits: requests in a second of an account, of one endpoint, of search.

import { tooMany } from './errors.ts';
import type { Scope } from './model.ts';
import { scopeName } from './model.ts';

const everySecond = { live: 100, test: 25 };
const endpointEverySecond = 25;
const searchEverySecond = 20;

export class Limits {
  #second = 0;
  readonly #counts = new Map<string, number>();

  /** Throws 429 for a request too many. */
  count(scope: Scope, endpoint: string, now: number): void {
    if (now !== this.#second) this.#counts.clear();
    this.#second = now;
    const most = scope.live ? everySecond.live : everySecond.test;
    const endpointMost = endpoint.includes('/search') ? searchEverySecond : endpointEverySecond;
    const all = this.#add(scopeName(scope));
    const one = this.#add(`${scopeName(scope)} ${endpoint}`);
    if (all > most || one > endpointMost) throw tooMany('rate_limit');
  }

  #add(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}
