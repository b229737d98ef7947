// What a recurring payment charges and when, signed by the vault when it is created: whoever writes to the database cannot
// change what payers agreed to without being noticed.

import type { Tools } from '../tools.ts';
import type { Plan, Recurring } from './model.ts';

const purpose = 'recurring plan';

/** The time zone is the account's, and may change. */
export type Agreed = Pick<Recurring, 'id' | 'merchantId' | 'amountMinor' | 'currency'> & {
  readonly plan: Omit<Plan, 'zone'>;
};

function textOf({ id, merchantId, amountMinor, currency, plan }: Agreed): string {
  const { firstChargeAt, interval, intervalType, chargeCount, retryIntervals } = plan;
  const retries = retryIntervals?.map(({ value, unit }) => `${value} ${unit}`) ?? null;
  const dates = [firstChargeAt.toString(), interval, intervalType, chargeCount, retries];
  return JSON.stringify([id, merchantId, `${amountMinor}`, currency, ...dates]);
}

export function signPlan(vault: Tools['vault'], agreed: Agreed): string {
  return vault.mac(textOf(agreed), purpose);
}

/** Whether the vault signed it. */
export function isPlanOf(vault: Tools['vault'], agreed: Agreed & Pick<Recurring, 'planMac'>): boolean {
  try {
    return vault.isMacOf(agreed.planMac, textOf(agreed), purpose);
  } catch {
    return false;
  }
}
