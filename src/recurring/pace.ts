// Rate limit of charges to the acquirer, so that a backlog after a long outage does not hit it all at once.

import type { Clock } from '../runtime/index.ts';

/** Enforced by each node, by the wall clock; Infinity means no limit. */
export class Pace {
  readonly #wall: Clock;
  readonly #perSecond: number;
  #tokens: number;
  #filledAt: number;

  constructor(wall: Clock, perSecond: number) {
    this.#wall = wall;
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#filledAt = wall.now().epochMilliseconds;
  }

  /** How many charges may be claimed now, at most `wanted`; they count as sent unless they are given back. */
  consume(wanted: number): number {
    if (!Number.isFinite(this.#perSecond)) return wanted;
    const now = this.#wall.now().epochMilliseconds;
    const passed = Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(this.#perSecond, this.#tokens + (passed * this.#perSecond) / 1_000);
    this.#filledAt = now;
    const granted = Math.min(wanted, Math.floor(this.#tokens));
    this.#tokens -= granted;
    return granted;
  }

  /** Gives back unused capacity. */
  release(charges: number): void {
    this.#tokens += charges;
  }
}
