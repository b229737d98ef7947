// Releases the keys of failed runs, so that the next run need not wait for their leases. While the database is away, a
// bounded number of them wait here until it is back.

import type { Database } from '../../database/index.ts';
import type { Clock } from '../../runtime/index.ts';
import { pause } from '../../runtime/index.ts';
import { type Claim, releaseKeys } from './store.ts';

const waitingAtMost = 20_000;
const atOnce = 500;
const everyMilliseconds = 250;

export class KeyReturns {
  readonly #db: Database;
  readonly #wall: Clock;
  readonly #waiting = new Map<string, Claim>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(db: Database, wall: Clock) {
    this.#db = db;
    this.#wall = wall;
  }

  /** Releases the key, now or when the database is back. Beyond the bound, its lease expires by itself. */
  add(claim: Claim): void {
    if (this.#waiting.size >= waitingAtMost) return;
    this.#waiting.set(claim.id, claim);
    this.#running ??= this.#run();
  }

  /** Tries once more and stops. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#waiting.size > 0) {
      const all = await this.#release([...this.#waiting.values().take(atOnce)]);
      if (!all && signal.aborted) break;
      if (!all) await pause(everyMilliseconds, signal);
    }
    this.#running = undefined;
  }

  /**
   * A claim that is not found is retried until its lease expires: the server may still be writing it for a connection
   * that we gave up, especially while its commit waits for a standby. It goes to the end of the queue.
   */
  async #release(claims: readonly Claim[]): Promise<boolean> {
    const now = this.#wall.now();
    const released = new Set(await releaseKeys(this.#db.sql, claims, now).catch(() => []));
    let all = true;
    for (const claim of claims) {
      this.#waiting.delete(claim.id);
      if (released.has(claim.id) || Temporal.Instant.compare(claim.leaseUntil, now) <= 0) continue;
      this.#waiting.set(claim.id, claim);
      all = false;
    }
    return all;
  }
}
