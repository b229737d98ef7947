// The fake's own clock: that of the machine, moved by some time, or stopped where it was set.

import type { Clock } from '../../runtime/index.ts';

export interface ClockSetting {
  readonly offsetMilliseconds: number;
  /** Null: it runs. */
  readonly stoppedAt: number | null;
}

export const machineTime: ClockSetting = { offsetMilliseconds: 0, stoppedAt: null };

export interface ClockChange {
  /** Jumps forward. */
  readonly advanceSeconds?: number;
  /** Ahead of the machine's clock, or behind it. */
  readonly skewSeconds?: number;
  /** Stops at this time. */
  readonly stopAt?: string;
  readonly run?: boolean;
}

export function timeOf({ offsetMilliseconds, stoppedAt }: ClockSetting, base: Clock): number {
  return stoppedAt ?? base.now().epochMilliseconds + offsetMilliseconds;
}

export function changeClock(setting: ClockSetting, change: ClockChange): ClockSetting {
  for (const name of ['advanceSeconds', 'skewSeconds'] as const) {
    const given: unknown = change[name];
    if (given !== undefined && !Number.isFinite(given)) throw new RangeError(`${name} must be a number.`);
  }
  let { offsetMilliseconds, stoppedAt } = setting;
  if (change.skewSeconds !== undefined) offsetMilliseconds = change.skewSeconds * 1_000;
  if (change.stopAt !== undefined) stoppedAt = Temporal.Instant.from(change.stopAt).epochMilliseconds;
  if (change.run) stoppedAt = null;
  if (change.advanceSeconds !== undefined) {
    if (!(change.advanceSeconds >= 0)) throw new RangeError('The clock does not go back: use skewSeconds or stopAt.');
    if (stoppedAt === null) offsetMilliseconds += change.advanceSeconds * 1_000;
    else stoppedAt += change.advanceSeconds * 1_000;
  }
  return { offsetMilliseconds, stoppedAt };
}
