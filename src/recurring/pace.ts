// Rate limit of charges to each acquirer, so that a backlog after a long outage does not hit it all at once.

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

/** What each acquirer may be sent in a round, by all of its sets together. */
export class Share {
  readonly #left: Map<string, number>;
  #places: number;

  constructor(left: Map<string, number>) {
    this.#left = left;
    this.#places = [...left.values()].reduce((sum, charges) => sum + charges, 0);
  }

  /** How many charges of any acquirer may be claimed, at most so many: the sets of a round divide them. */
  places(atMost: number): number {
    const granted = Math.min(atMost, this.#places);
    this.#places -= granted;
    return granted;
  }

  /** Whether this acquirer may be sent another charge; then it counts as sent. */
  take(acquirer: string): boolean {
    const left = this.#left.get(acquirer) ?? 0;
    if (left > 0) this.#left.set(acquirer, left - 1);
    return left > 0;
  }

  get left(): ReadonlyMap<string, number> {
    return this.#left;
  }
}

/** The pace of each acquirer: what one of them takes slowly does not slow down the others. */
export class Paces {
  readonly #paces: ReadonlyMap<string, Pace>;

  /** `perSecond` of each acquirer, by its name in the ledger. */
  constructor(wall: Clock, perSecond: ReadonlyMap<string, number>) {
    this.#paces = new Map([...perSecond].map(([name, charges]) => [name, new Pace(wall, charges)]));
  }

  /** At most so many for each acquirer; they count as sent unless they are given back. */
  consume(atMost: number): Share {
    return new Share(new Map([...this.#paces].map(([name, pace]) => [name, pace.consume(atMost)])));
  }

  /** Gives back what is left. */
  release(share: Share): void {
    for (const [name, charges] of share.left) this.#paces.get(name)?.release(charges);
  }
}
