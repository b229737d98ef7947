// Amounts that a method does not take: it is not offered for them, and refused.

import { type Money, minorFromDecimal, refuse } from '../kernel/index.ts';
import type { Method } from './model.ts';

type Limited = Pick<Method, 'limits'>;

export function allowsAmount({ limits }: Limited, { minor }: Money): boolean {
  if (!limits) return true;
  const [least = 0n, most = 0n] = [minorFromDecimal(limits.least), minorFromDecimal(limits.most)];
  return minor >= least && minor <= most;
}

export function refuseOutsideLimits(method: Limited, amount: Money, prefix: string): void {
  if (allowsAmount(method, amount)) return;
  const message = `Takes amounts from ${method.limits?.least} to ${method.limits?.most}.`;
  refuse('not_valid', `${prefix}channelId`, message, 'Choose another channel, or let the payer choose.');
}
