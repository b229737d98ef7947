// Applies the active faults to a key. What must happen only once per key is recorded.

import type { FaultName } from '../../../contract/faults.ts';
import { type Faults, type Strike, strike } from './faults.ts';
import type { Store } from './store.ts';

export class Misbehavior {
  readonly #store: Store;
  #text = '';
  #faults: Faults = {};

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reloads the faults: another process may have changed them. */
  begin(): void {
    const text = this.#store.findFaults();
    if (text !== this.#text) this.#faults = JSON.parse(text) as Faults;
    this.#text = text;
  }

  strike(name: FaultName, key: string): Strike | undefined {
    return strike(this.#faults, name, key);
  }

  /** Whether nothing about this key reaches the bank at the moment. */
  isAway(key: string, now: number): boolean {
    const away = this.strike('unreachable', key);
    return away !== undefined && this.#store.meetMishap('unreachable', key, now).firstAt + away.milliseconds > now;
  }

  /** Whether this is the one request that gets lost. */
  isLost(operation: string, key: string, now: number): boolean {
    return this.strike('lostRequest', key) !== undefined && this.#store.meetMishap(`lost ${operation}`, key, now).first;
  }
}
