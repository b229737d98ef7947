// The fake's own clock: that of the machine, moved by some time, or standing still where it was set.

import type { Clock } from '../../runtime/index.ts';

export interface ClockSetting {
  readonly offsetMilliseconds: number;
  /** Null: it runs. */
  readonly standsAt: number | null;
}

export const machineTime: ClockSetting = { offsetMilliseconds: 0, standsAt: null };

export interface ClockChange {
  /** Jumps forward. */
  readonly advanceSeconds?: number;
  /** Ahead of the machine's clock, or behind it. */
  readonly skewSeconds?: number;
  /** Stands still at this time. */
  readonly standAt?: string;
  readonly run?: boolean;
}

export function timeOf({ offsetMilliseconds, standsAt }: ClockSetting, base: Clock): number {
  return standsAt ?? base.now().epochMilliseconds + offsetMilliseconds;
}

export function changeClock(setting: ClockSetting, change: ClockChange): ClockSetting {
  let { offsetMilliseconds, standsAt } = setting;
  if (change.skewSeconds !== undefined) offsetMilliseconds = change.skewSeconds * 1_000;
  if (change.standAt !== undefined) standsAt = Temporal.Instant.from(change.standAt).epochMilliseconds;
  if (change.run) standsAt = null;
  if (change.advanceSeconds !== undefined) {
    if (!(change.advanceSeconds >= 0)) throw new RangeError('The clock does not go back: use skewSeconds or standAt.');
    if (standsAt === null) offsetMilliseconds += change.advanceSeconds * 1_000;
    else standsAt += change.advanceSeconds * 1_000;
  }
  return { offsetMilliseconds, standsAt };
}
