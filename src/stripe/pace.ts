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
}

/** Together below what the provider allows in any second: 100 and 25 in live mode, 25 in test mode. */
export const liveRates: Rates = { all: { perSecond: 60, burst: 20 }, each: { perSecond: 15, burst: 8 } };
export const testRates: Rates = { all: { perSecond: 15, burst: 8 }, each: { perSecond: 15, burst: 8 } };

const slowestShare = 1 / 16;
const recovery = 1.05;
const pauseMilliseconds = 500;

export class Pace {
  readonly #rates: Rates;
  /** When the allowance of all requests, and of each endpoint, is whole again. */
  #wholeAt = Number.NEGATIVE_INFINITY;
  readonly #wholeAtOf = new Map<string, number>();
  #notBefore = Number.NEGATIVE_INFINITY;
  #share = 1;

  constructor(rates: Rates) {
    this.#rates = rates;
  }

  /** How long a request must wait. Its turn is taken only if that is at most `atMost`; else it must not be sent. */
  reserve(endpoint: string, now: number, atMost: number): number | undefined {
    const { all, each } = this.#rates;
    const wholeAtOf = this.#wholeAtOf.get(endpoint) ?? now;
    const start = Math.max(now, this.#notBefore, this.#freeAt(all, this.#wholeAt), this.#freeAt(each, wholeAtOf));
    if (start - now > atMost) return undefined;
    this.#wholeAt = Math.max(this.#wholeAt, start) + this.#gap(all);
    this.#wholeAtOf.set(endpoint, Math.max(wholeAtOf, start) + this.#gap(each));
    return start - now;
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
