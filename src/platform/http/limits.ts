// How many requests a caller may make: a bucket of tokens each, filled at a steady rate.

import { Refusal } from '../../kernel/index.ts';
import type { Clock } from '../clock.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

const callersAtMost = 50_000;

export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #wall: Clock;

  constructor(wall: Clock) {
    this.#wall = wall;
  }

  /** Takes one token of the caller, or refuses with the seconds until there is one. A burst of two seconds' worth is allowed. */
  take(caller: string, perSecond: number): void {
    const bucket = this.#filled(caller, perSecond);
    if (bucket.tokens < 1) refuseUntilFilled(bucket, perSecond);
    bucket.tokens -= 1;
  }

  /** Refuses as `take` would, but takes nothing. */
  check(caller: string, perSecond: number): void {
    const bucket = this.#filled(caller, perSecond);
    if (bucket.tokens < 1) refuseUntilFilled(bucket, perSecond);
  }

  #filled(caller: string, perSecond: number): Bucket {
    const now = this.#wall.now().epochMilliseconds;
    const burst = perSecond * 2;
    const bucket = this.#buckets.get(caller) ?? this.#begin(caller, burst, now);
    // A clock that was set back counts as no time: nobody waits for the difference.
    const passed = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(burst, bucket.tokens + (passed * perSecond) / 1_000);
    bucket.filledAt = now;
    return bucket;
  }

  /** Forgetting everybody at once is rare and harmless: each starts again with a full bucket. */
  #begin(caller: string, tokens: number, filledAt: number): Bucket {
    if (this.#buckets.size >= callersAtMost) this.#buckets.clear();
    const bucket = { tokens, filledAt };
    this.#buckets.set(caller, bucket);
    return bucket;
  }
}

function refuseUntilFilled({ tokens }: Bucket, perSecond: number): never {
  const seconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
  throw new Refusal([{ code: 'too_many_requests', field: '' }], seconds);
}
