// Randomness and ids, passed in so that tests can seed them.

import { randomFillSync } from 'node:crypto';
import { ulid } from '../kernel/index.ts';
import type { Clock } from './clock.ts';

export interface Random {
  bytes(count: number): Uint8Array;
}

export interface Ids {
  /** A new ULID for this instant; the current one unless told. */
  ulid(at?: Temporal.Instant): string;
}

const poolBytes = 8_192;

/** Cryptographic randomness, generated in pools because small requests are slow. No byte is used twice. */
export function systemRandom(): Random {
  let pool = new Uint8Array(0);
  let used = 0;
  return {
    bytes(count) {
      if (count > poolBytes) return randomFillSync(new Uint8Array(count));
      if (used + count > pool.length) {
        pool = randomFillSync(new Uint8Array(poolBytes));
        used = 0;
      }
      used += count;
      return pool.subarray(used - count, used);
    },
  };
}

export function idsFrom(clock: Clock, random: Random): Ids {
  return { ulid: (at = clock.now()) => ulid(at.epochMilliseconds, random.bytes(16)) };
}

/** `bytes` random bytes as URL-safe text: 32 bytes are 256 bits in 43 characters. */
export function randomText(random: Random, bytes: number): string {
  const drawn = random.bytes(bytes);
  return Buffer.from(drawn.buffer, drawn.byteOffset, drawn.byteLength).toString('base64url');
}
