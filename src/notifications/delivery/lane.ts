// One endpoint as this node sees it: what is in flight, what waits, and how far it is trusted. Does no I/O.

import type { Claimed, Settlement } from './store.ts';

/** A delivery claimed by this node. */
export interface Leased extends Claimed {
  /** After this the lease is too short for a whole attempt. By the wall clock. */
  readonly staleAt: Temporal.Instant;
  /** It was handed over without a claim, and more are likely to follow. */
  readonly handedOver: boolean;
}

export interface LaneLimits {
  /** Maximum number of requests in flight to one endpoint. */
  readonly inFlightAtMost: number;
  /** Leases of an endpoint that is not proven yet. */
  readonly sizeAtFirst: number;
  /** Leases of an endpoint that responds well: some wait here, so that it never waits for the database. */
  readonly sizeAtMost: number;
}

/** Payments come in bursts: an endpoint that was proven by the last one need not start small again. */
const rememberedMilliseconds = 5_000;

export class Lane {
  readonly endpoint: string;
  readonly accountId: string;
  readonly #limits: LaneLimits;
  readonly #waiting: Leased[] = [];
  #size: number;
  #inFlight = 0;
  /** Claimed, and not settled in the database yet. */
  #leased = 0;
  /** How many leases the last claim could have returned, and how many it did. */
  #offered: number;
  #brought = 0;
  #idleSince: Temporal.Instant | undefined;

  constructor(claimed: Leased, limits: LaneLimits) {
    this.endpoint = claimed.endpoint;
    this.accountId = claimed.accountId;
    this.#limits = limits;
    this.#size = limits.sizeAtFirst;
    this.#offered = limits.sizeAtFirst;
  }

  get leased(): number {
    return this.#leased;
  }

  get proven(): boolean {
    return this.#size > this.#limits.sizeAtFirst;
  }

  /** Called before a claim: returns the lane size to claim with. */
  offer(): { endpoint: string; size: number } {
    this.#offered = this.#size - this.#leased;
    this.#brought = 0;
    return { endpoint: this.endpoint, size: this.#size };
  }

  add(claimed: Leased): void {
    this.#waiting.push(claimed);
    this.#leased += 1;
    if (!claimed.handedOver) this.#brought += 1;
  }

  /**
   * How many it can take without a claim. Half of its places are reserved for deliveries that wait in the database, if
   * there are any.
   */
  get room(): number {
    if (!this.proven) return 0;
    return (this.#mayHaveMore ? Math.floor(this.#size / 2) : this.#size) - this.#leased;
  }

  /** The next delivery to send, if another may be in flight. */
  next(): Leased | undefined {
    if (this.#inFlight >= this.#limits.inFlightAtMost) return undefined;
    const claimed = this.#waiting.shift();
    if (claimed) this.#inFlight += 1;
    return claimed;
  }

  /**
   * A success widens the lane; a failure narrows it and returns the waiting deliveries, whose leases are to be
   * released.
   */
  answered(kind: Settlement['kind']): Leased[] {
    this.#inFlight -= 1;
    if (kind === 'delivered') this.#size = Math.min(this.#size + 1, this.#limits.sizeAtMost);
    if (kind !== 'failed') return [];
    this.#size = this.#limits.sizeAtFirst;
    return this.dequeueAll();
  }

  dequeueAll(): Leased[] {
    return this.#waiting.splice(0);
  }

  settled(now: Temporal.Instant): void {
    this.#leased -= 1;
    if (this.#leased === 0) this.#idleSince = now;
  }

  /** Whether it has no leases and its lane size has expired; a proven size is kept for a while. */
  isOver(now: Temporal.Instant): boolean {
    if (this.#leased > 0) return false;
    return !this.proven || now.epochMilliseconds - (this.#idleSince?.epochMilliseconds ?? 0) > rememberedMilliseconds;
  }

  /** Whether the database probably has more for it: the last claim was full, and half of it is done. */
  get wantsMore(): boolean {
    return this.#mayHaveMore && this.#leased <= this.#size / 2;
  }

  get #mayHaveMore(): boolean {
    return this.#brought >= this.#offered;
  }
}
