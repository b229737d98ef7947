// Rate limits: one token bucket per caller, refilled at a steady rate.

import type { FastifyRequest } from 'fastify';
import { Unavailable } from '../kernel/index.ts';
import type { Clock } from '../runtime/index.ts';
import { addressKey, addressOf, type TrustedProxies } from './address.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

const bucketsAtMost = 50_000;
const usualBurstSeconds = 2;
const forgetEveryMilliseconds = 1_000;

export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #wall: Clock;
  readonly #burstSeconds: number;
  /** Shared by callers for whom there is no free bucket; no other bucket is evicted for them. */
  readonly #shared: Bucket = { tokens: 0, filledAt: 0 };
  #forgotAt = 0;

  constructor(wall: Clock, burstSeconds: number = usualBurstSeconds) {
    this.#wall = wall;
    this.#burstSeconds = burstSeconds;
  }

  /** The number of callers with a bucket; bounded. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token, or refuses with the seconds until there is one. Allows a burst of so many seconds' worth. */
  consume(caller: string, perSecond: number): void {
    const bucket = this.#filled(caller, perSecond);
    if (bucket.tokens < 1) refuseUntilFilled(bucket, perSecond);
    bucket.tokens -= 1;
  }

  /** Undoes one `consume`. */
  release(caller: string, perSecond: number): void {
    const bucket = this.#filled(caller, perSecond);
    bucket.tokens = Math.min(perSecond * this.#burstSeconds, bucket.tokens + 1);
  }

  #filled(caller: string, perSecond: number): Bucket {
    const now = this.#wall.now().epochMilliseconds;
    const burst = perSecond * this.#burstSeconds;
    const bucket = this.#buckets.get(caller) ?? this.#begin(caller, burst, now);
    // If the clock was set back, no time has passed.
    const passed = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(burst, bucket.tokens + (passed * perSecond) / 1_000);
    bucket.filledAt = now;
    return bucket;
  }

  #begin(caller: string, tokens: number, filledAt: number): Bucket {
    if (this.#buckets.size >= bucketsAtMost) this.#forgetFull(filledAt);
    if (this.#buckets.size >= bucketsAtMost) return this.#shared;
    const bucket = { tokens, filledAt };
    this.#buckets.set(caller, bucket);
    return bucket;
  }

  /** A bucket that was unused for the duration of a burst is full: discarding it changes nothing for its caller. */
  #forgetFull(now: number): void {
    // Not on every call: scanning all buckets takes time.
    if (Math.abs(now - this.#forgotAt) < forgetEveryMilliseconds) return;
    this.#forgotAt = now;
    for (const [caller, { filledAt }] of this.#buckets) {
      if (now - filledAt >= this.#burstSeconds * 1_000) this.#buckets.delete(caller);
    }
  }
}

function refuseUntilFilled({ tokens }: Bucket, perSecond: number): never {
  const seconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
  throw new Unavailable('too_many_requests', undefined, seconds);
}

/** A rate limit per client address. */
export class AddressLimit {
  readonly #limit: RateLimit;
  readonly #proxies: TrustedProxies;
  readonly #perSecond: number;

  constructor(wall: Clock, proxies: TrustedProxies, perSecond: number) {
    this.#limit = new RateLimit(wall);
    this.#proxies = proxies;
    this.#perSecond = perSecond;
  }

  consume(request: FastifyRequest): void {
    this.#limit.consume(this.#keyOf(request), this.#perSecond);
  }

  /** Undoes one `consume`. */
  release(request: FastifyRequest): void {
    this.#limit.release(this.#keyOf(request), this.#perSecond);
  }

  /** The client's address, as far as the proxies in front of us are trusted. */
  addressOf({ raw }: FastifyRequest): string {
    const forwarded = raw.headers['x-forwarded-for'];
    const text = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    return addressOf(raw.socket.remoteAddress, text, this.#proxies);
  }

  #keyOf(request: FastifyRequest): string {
    return addressKey(this.addressOf(request));
  }
}
