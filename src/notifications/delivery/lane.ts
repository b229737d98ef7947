// One endpoint as this node sees it: what it sends there now, what waits, and how much it trusts it. Holds no I/O.

import type { Claimed, Settlement } from './store.ts';

/** A claimed delivery in this node's hands. */
export interface Held extends Claimed {
  /** From then on its lease would not last for a whole try. By the wall clock. */
  readonly staleAt: Temporal.Instant;
}

export interface LaneLimits {
  /** Requests on their way to one endpoint at once. */
  readonly inFlightAtMost: number;
  /** Leases of an endpoint that has not shown yet that it answers. */
  readonly sizeAtFirst: number;
  /** Leases of one that answers well: some wait here, so that it never waits for the database. */
  readonly sizeAtMost: number;
}

/** Payments come in sets: an endpoint that answered the last ones need not be tried with four again. */
const rememberedMilliseconds = 5_000;

export class Lane {
  readonly endpoint: string;
  readonly accountId: string;
  readonly #limits: LaneLimits;
  readonly #waiting: Held[] = [];
  #size: number;
  #inFlight = 0;
  /** Claimed and not settled yet, in the database's sense. */
  #held = 0;
  /** Leases that the last claim could have brought, and brought. */
  #offered: number;
  #brought = 0;
  #idleSince: Temporal.Instant | undefined;

  constructor(claimed: Held, limits: LaneLimits) {
    this.endpoint = claimed.endpoint;
    this.accountId = claimed.accountId;
    this.#limits = limits;
    this.#size = limits.sizeAtFirst;
    this.#offered = limits.sizeAtFirst;
  }

  get held(): number {
    return this.#held;
  }

  get proven(): boolean {
    return this.#size > this.#limits.sizeAtFirst;
  }

  /** Before a claim: answers the size that it goes by. */
  offer(): { endpoint: string; size: number } {
    this.#offered = this.#size - this.#held;
    this.#brought = 0;
    return { endpoint: this.endpoint, size: this.#size };
  }

  add(claimed: Held): void {
    this.#waiting.push(claimed);
    this.#held += 1;
    this.#brought += 1;
  }

  /** The next one to send now, if one more may be on its way. */
  next(): Held | undefined {
    if (this.#inFlight >= this.#limits.inFlightAtMost) return undefined;
    const claimed = this.#waiting.shift();
    if (claimed) this.#inFlight += 1;
    return claimed;
  }

  /** Success opens the lane a little; failure narrows it and hands back what waits, to be given back untried. */
  answered(kind: Settlement['kind']): Held[] {
    this.#inFlight -= 1;
    if (kind === 'delivered') this.#size = Math.min(this.#size + 1, this.#limits.sizeAtMost);
    if (kind !== 'failed') return [];
    this.#size = this.#limits.sizeAtFirst;
    return this.takeWaiting();
  }

  takeWaiting(): Held[] {
    return this.#waiting.splice(0);
  }

  settled(now: Temporal.Instant): void {
    this.#held -= 1;
    if (this.#held === 0) this.#idleSince = now;
  }

  /** Whether it holds nothing, and has nothing to remember: what it was trusted with counts for a while. */
  isOver(now: Temporal.Instant): boolean {
    if (this.#held > 0) return false;
    return !this.proven || now.epochMilliseconds - (this.#idleSince?.epochMilliseconds ?? 0) > rememberedMilliseconds;
  }

  /** Whether the database probably has more for it: the last claim brought all it could, and half of that is done. */
  get wantsMore(): boolean {
    return this.#brought >= this.#offered && this.#held <= this.#size / 2;
  }
}
