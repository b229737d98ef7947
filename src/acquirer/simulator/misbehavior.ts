// The faults that are switched on, against one key at a time. What must happen only once is kept in the record.

import { type FaultName, type Faults, type Strike, strike } from './faults.ts';
import type { Store } from './store.ts';

export class Misbehavior {
  readonly #store: Store;
  #text = '';
  #faults: Faults = {};

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the faults anew: another process may have changed them. */
  begin(): void {
    const text = this.#store.findFaults();
    if (text !== this.#text) this.#faults = JSON.parse(text) as Faults;
    this.#text = text;
  }

  strike(name: FaultName, key: string): Strike | undefined {
    return strike(this.#faults, name, key);
  }

  /** Whether nothing about this key reaches the bank at present. */
  isAway(key: string, now: number): boolean {
    const away = this.strike('unreachable', key);
    return away !== undefined && this.#store.meetMishap('unreachable', key, now).firstAt + away.milliseconds > now;
  }

  /** Whether this is the one request that never arrives. */
  isLost(operation: string, key: string, now: number): boolean {
    return this.strike('lostRequest', key) !== undefined && this.#store.meetMishap(`lost ${operation}`, key, now).first;
  }
}
