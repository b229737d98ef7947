// Fault scenarios: how the bank misbehaves on purpose.
//
// Whether a scenario strikes is derived from hash(seed, scenario, key): the same seed and keys give the same faults, in
// any order, process or machine.

import { hash } from 'node:crypto';
import { type FaultName, faultNames } from '../../../contract/faults.ts';

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
  returnedRefund: 259_200,
  returnedPayout: 172_800,
  chargeFee: 0,
  payoutFee: 0,
  disputedCharge: 86_400,
  otherLine: 3_600,
};

export interface Strike {
  readonly milliseconds: number;
  /** From 0 (inclusive) to 1 (exclusive): a second draw, for what the scenario leaves open. */
  readonly share: number;
}

const range = 2 ** 48;

/** This scenario's strike on this key; undefined if it is off or does not strike. */
export function strike(faults: Faults, name: FaultName, key: string): Strike | undefined {
  const setting = faults[name];
  if (setting === undefined) return undefined;
  const digest = hash('sha256', `${setting.seed}\n${name}\n${key}`, 'buffer');
  if (digest.readUIntBE(0, 6) / range >= setting.probability) return undefined;
  return { milliseconds: (setting.seconds ?? usualSeconds[name]) * 1_000, share: digest.readUIntBE(6, 6) / range };
}

/** Validates untrusted settings; throws a RangeError that names the first bad one. */
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
