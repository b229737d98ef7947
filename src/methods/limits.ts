// Amounts that a method does not take: it is not offered for them, and refused.

import { type Fault, type Money, minorFromDecimal, Refusal } from '../kernel/index.ts';
import type { Method } from './model.ts';

type Limited = Pick<Method, 'limits'>;

export function allowsAmount({ limits }: Limited, { minor }: Money): boolean {
  if (!limits) return true;
  const [least = 0n, most = 0n] = [minorFromDecimal(limits.least), minorFromDecimal(limits.most)];
  return minor >= least && minor <= most;
}

/** None if the method takes the amount; `field` chose it. */
export function limitFaults(method: Limited | undefined, amount: Money, field: string): Fault[] {
  if (!method || allowsAmount(method, amount)) return [];
  const message = `Takes amounts from ${method.limits?.least} to ${method.limits?.most}.`;
  return [{ code: 'not_valid', field, message, devMessage: 'Choose another channel, or let the payer choose.' }];
}

export function refuseOutsideLimits(method: Limited, amount: Money, prefix: string): void {
  const faults = limitFaults(method, amount, `${prefix}channelId`);
  if (faults.length > 0) throw new Refusal(faults);
}
