// Requests below the provider's limits: at most so many per second for the account and for one endpoint, fewer after it
// said that there are too many. Pure: it is told the time, in milliseconds of any clock that does not jump back.

export interface Rate {
  readonly perSecond: number;
  /** How many may leave at once. */
  readonly burst: number;
}

export interface Rates {
  /** Of all endpoints together, and of one. */
  readonly all: Rate;
  readonly each: Rate;
  /** Of looking up tokens, which anybody with a pay link can cause. The rest is left for what settles money. */
  readonly tokens: Rate;
}

/** Together below what the provider allows in any second: 100 and 25 in live mode, 25 in test mode. */
export const liveRates: Rates = {
  all: { perSecond: 60, burst: 20 },
  each: { perSecond: 15, burst: 8 },
  tokens: { perSecond: 15, burst: 8 },
};
export const testRates: Rates = {
  all: { perSecond: 15, burst: 8 },
  each: { perSecond: 15, burst: 8 },
  tokens: { perSecond: 5, burst: 3 },
};

export const tokenEndpoint = 'GET /v1/confirmation_tokens/:id';

const slowestShare = 1 / 16;
const recovery = 1.05;
const pauseMilliseconds = 500;
/** How much sums of the same gaps in another order may differ, in milliseconds. */
const rounding = 1e-6;

export class Pace {
  readonly #rates: Rates;
  /**
   * The turns that were taken and are still to come, in order. Those of one endpoint may be far ahead, with gaps for
   * others.
   */
  readonly #turns: number[] = [];
  /** When the allowance of all requests is whole again, counting only the turns that have passed. */
  #wholeAt = Number.NEGATIVE_INFINITY;
  /** When the allowance of each endpoint is whole again. */
  readonly #wholeAtOf = new Map<string, number>();
  #notBefore = Number.NEGATIVE_INFINITY;
  #share = 1;

  constructor(rates: Rates) {
    this.#rates = rates;
  }

  /** How long a request must wait. Its turn is taken only if that is at most `atMost`; else it must not be sent. */
  reserve(endpoint: string, now: number, atMost: number): number | undefined {
    const rate = endpoint === tokenEndpoint ? this.#rates.tokens : this.#rates.each;
    const wholeAtOf = this.#wholeAtOf.get(endpoint) ?? now;
    this.#forgetBefore(now);
    const start = this.#freeFrom(Math.max(now, this.#notBefore, this.#freeAt(rate, wholeAtOf)));
    if (start - now > atMost) return undefined;
    const later = this.#turns.findIndex((turn) => turn > start);
    this.#turns.splice(later < 0 ? this.#turns.length : later, 0, start);
    this.#wholeAtOf.set(endpoint, Math.max(wholeAtOf, start) + this.#gap(rate));
    return start - now;
  }

  #forgetBefore(now: number): void {
    const gap = this.#gap(this.#rates.all);
    const next = this.#turns.findIndex((turn) => turn >= now);
    for (const turn of this.#turns.splice(0, next < 0 ? this.#turns.length : next))
      this.#wholeAt = Math.max(this.#wholeAt, turn) + gap;
  }

  /** The first time from `start` on at which one more request delays none of the turns that were taken. */
  #freeFrom(start: number): number {
    const { all } = this.#rates;
    const gap = this.#gap(all);
    let free = start;
    // When the allowance is whole again after the turns up to here, and also with one at `free`, once the loop is past
    // that.
    let wholeAt = this.#wholeAt;
    let wholeAtWith: number | undefined;
    for (const turn of this.#turns) {
      if (wholeAtWith === undefined && turn > Math.max(free, this.#freeAt(all, wholeAt))) {
        free = Math.max(free, this.#freeAt(all, wholeAt));
        wholeAtWith = Math.max(wholeAt, free) + gap;
      }
      if (wholeAtWith !== undefined) {
        // This turn would then come too early, so the free one is after it.
        if (turn < this.#freeAt(all, wholeAtWith) - rounding) {
          free = turn;
          wholeAtWith = undefined;
        } else wholeAtWith = Math.max(wholeAtWith, turn) + gap;
      }
      wholeAt = Math.max(wholeAt, turn) + gap;
      if (wholeAtWith !== undefined && wholeAtWith - wholeAt < rounding) return free;
    }
    return wholeAtWith === undefined ? Math.max(free, this.#freeAt(all, wholeAt)) : free;
  }

  /** The provider refused: half as fast, after a pause. */
  slower(now: number): void {
    this.#share = Math.max(slowestShare, this.#share / 2);
    this.#notBefore = now + pauseMilliseconds;
  }

  /** It answered. */
  faster(): void {
    this.#share = Math.min(1, this.#share * recovery);
  }

  #gap({ perSecond }: Rate): number {
    return 1_000 / (perSecond * this.#share);
  }

  #freeAt(rate: Rate, wholeAt: number): number {
    return wholeAt - (rate.burst - 1) * this.#gap(rate);
  }
}
