// Seeded randomness: the same seed gives the same values.

import { hash } from 'node:crypto';
import type { Random } from '../../src/runtime/index.ts';

export class Seeded implements Random {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string | number) {
    this.#seed = String(seed);
  }

  bytes(count: number): Uint8Array {
    const parts: Buffer[] = [];
    for (let size = 0; size < count; size += 32) {
      this.#drawn += 1;
      parts.push(hash('sha256', `${this.#seed} ${this.#drawn}`, 'buffer'));
    }
    return new Uint8Array(Buffer.concat(parts).subarray(0, count));
  }

  /** An integer from 0 (inclusive) to the limit (exclusive). */
  below(limit: number): number {
    return Math.floor((Buffer.from(this.bytes(6)).readUIntBE(0, 6) / 2 ** 48) * limit);
  }

  /** One of them. */
  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to draw from.');
    return item;
  }

  /** Some of them, each at most once. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.below(left.length), 1)).flat();
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }
}
