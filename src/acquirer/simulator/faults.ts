// Fault scenarios: how the bank misbehaves on purpose.
//
// Whether a scenario strikes is drawn from hash(seed, scenario, key): the same seed and the same keys give the same
// mishaps, whatever the order, the process or the machine.

import { hash } from 'node:crypto';

export const faultNames = [
  /** The bank does what was asked; its answer is lost, and the caller learns `unknown` at its deadline. */
  'lostAnswer',
  /** The first request of a key never arrives; the caller learns `unknown` at its deadline. */
  'lostRequest',
  /** A callback comes twice; and one comes even for what was answered at once. */
  'duplicateCallback',
  /** A callback comes `seconds` late (an hour). */
  'lateCallback',
  /** A callback is held back for up to `seconds` (90), so that later ones overtake it. */
  'reorderedCallbacks',
  /** A cancel is answered `canceled`, and the charge captures `seconds` (5) later all the same. */
  'successAfterCancel',
  /** An answer takes `seconds` (3). */
  'slow',
  /** From its first request on, nothing about a key reaches the bank for `seconds` (60). */
  'unreachable',
  /** An approval names another amount than was captured; `find` returns the true one. */
  'wrongAmount',
  /** A refund is answered `waiting`; its result comes by callback `seconds` (60) later. */
  'waitingRefund',
  /** The bank declines a refund that it could make. */
  'refusedRefund',
] as const;
export type FaultName = (typeof faultNames)[number];

export interface FaultSetting {
  /** From 0 (never) to 1 (for every key). */
  readonly probability: number;
  readonly seed: string | number;
  readonly seconds?: number;
}

/** The scenarios that are switched on. */
export type Faults = { readonly [Name in FaultName]?: FaultSetting };

const usualSeconds: Readonly<Record<FaultName, number>> = {
  lostAnswer: 0,
  lostRequest: 0,
  duplicateCallback: 0,
  lateCallback: 3_600,
  reorderedCallbacks: 90,
  successAfterCancel: 5,
  slow: 3,
  unreachable: 60,
  wrongAmount: 0,
  waitingRefund: 60,
  refusedRefund: 0,
};

export interface Strike {
  readonly milliseconds: number;
  /** From 0 up to, not including, 1: a second draw, for what the scenario leaves open. */
  readonly share: number;
}

const range = 2 ** 48;

/** The strike of this scenario on this key, or undefined when it is off or spares the key. */
export function strike(faults: Faults, name: FaultName, key: string): Strike | undefined {
  const setting = faults[name];
  if (setting === undefined) return undefined;
  const digest = hash('sha256', `${setting.seed}\n${name}\n${key}`, 'buffer');
  if (digest.readUIntBE(0, 6) / range >= setting.probability) return undefined;
  return { milliseconds: (setting.seconds ?? usualSeconds[name]) * 1_000, share: digest.readUIntBE(6, 6) / range };
}

/** Checks settings that came from outside; throws a RangeError that names the first bad one. */
export function checkFaults(faults: Faults): void {
  for (const [name, setting] of Object.entries(faults)) {
    if (!faultNames.some((known) => known === name)) throw new RangeError(`There is no fault scenario "${name}".`);
    const { probability, seconds = 0, seed } = setting ?? {};
    if (typeof probability !== 'number' || !(probability >= 0 && probability <= 1)) {
      throw new RangeError(`The probability of ${name} must be from 0 to 1.`);
    }
    if (!Number.isFinite(seconds) || seconds < 0) throw new RangeError(`The seconds of ${name} must not be negative.`);
    if (typeof seed !== 'string' && !Number.isFinite(seed)) throw new RangeError(`${name} needs a seed.`);
  }
}
