// The bounded rate of charges for an acquirer: after a long stop, what is overdue does not come down on it all at once.

import type { World } from '../../world.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

const buckets = new WeakMap<World, Bucket>();

/**
 * How many charges may be claimed now, at most `wanted`; they count as made unless they are given back. Each node keeps the
 * rate by the wall clock; Infinity knows no bound.
 */
export function allowance(world: World, wanted: number): number {
  const perSecond = world.config.chargesPerSecond;
  if (!Number.isFinite(perSecond)) return wanted;
  const now = world.wall.now().epochMilliseconds;
  const bucket = buckets.get(world) ?? { tokens: perSecond, filledAt: now };
  bucket.tokens = Math.min(perSecond, bucket.tokens + (Math.max(0, now - bucket.filledAt) * perSecond) / 1_000);
  bucket.filledAt = now;
  buckets.set(world, bucket);
  const taken = Math.min(wanted, Math.floor(bucket.tokens));
  bucket.tokens -= taken;
  return taken;
}

/** Returns what was not used of an allowance. */
export function giveBack(world: World, charges: number): void {
  const bucket = buckets.get(world);
  if (bucket) bucket.tokens += charges;
}
