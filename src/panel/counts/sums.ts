// Adding up days. Pure.

import type { DayRow } from './store.ts';

export type DaySums = Omit<DayRow, 'accountId' | 'day'>;

const nothing: DaySums = {
  payments: 0,
  paymentsMinor: 0n,
  paymentFeesMinor: 0n,
  refunds: 0,
  refundsMinor: 0n,
  refundFeesMinor: 0n,
  returned: 0,
  returnedMinor: 0n,
  returnedFeesMinor: 0n,
  commissionsMinor: 0n,
  disputesMinor: 0n,
  otherMinor: 0n,
  paymentsVolumeMinor: 0n,
  refundsVolumeMinor: 0n,
  returnedVolumeMinor: 0n,
};

function added(one: DaySums, other: DaySums): DaySums {
  return {
    payments: one.payments + other.payments,
    paymentsMinor: one.paymentsMinor + other.paymentsMinor,
    paymentFeesMinor: one.paymentFeesMinor + other.paymentFeesMinor,
    refunds: one.refunds + other.refunds,
    refundsMinor: one.refundsMinor + other.refundsMinor,
    refundFeesMinor: one.refundFeesMinor + other.refundFeesMinor,
    returned: one.returned + other.returned,
    returnedMinor: one.returnedMinor + other.returnedMinor,
    returnedFeesMinor: one.returnedFeesMinor + other.returnedFeesMinor,
    commissionsMinor: one.commissionsMinor + other.commissionsMinor,
    disputesMinor: one.disputesMinor + other.disputesMinor,
    otherMinor: one.otherMinor + other.otherMinor,
    paymentsVolumeMinor: one.paymentsVolumeMinor + other.paymentsVolumeMinor,
    refundsVolumeMinor: one.refundsVolumeMinor + other.refundsVolumeMinor,
    returnedVolumeMinor: one.returnedVolumeMinor + other.returnedVolumeMinor,
  };
}

export function sumsOf(days: readonly DaySums[]): DaySums {
  return days.reduce(added, nothing);
}

/** The change of the balance. */
export function netOf(sums: DaySums): bigint {
  const { paymentsMinor, paymentFeesMinor, refundsMinor, refundFeesMinor } = sums;
  const { returnedMinor, returnedFeesMinor, commissionsMinor, disputesMinor, otherMinor } = sums;
  const payments = paymentsMinor + paymentFeesMinor;
  const refunds = refundsMinor + refundFeesMinor + returnedMinor + returnedFeesMinor;
  return payments + refunds + commissionsMinor + disputesMinor + otherMinor;
}

interface Days {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

/** The sums of the days of each point; both are in order of days, and points do not overlap. */
export function sumsByPoint<P extends Days>(points: readonly P[], days: readonly DayRow[]): (P & { sums: DaySums })[] {
  // As text: comparing dates of Temporal costs many times as much.
  const texts = days.map(({ day }) => day.toString());
  let index = 0;
  return points.map((point) => {
    const [from, to] = [point.from.toString(), point.to.toString()];
    while (index < days.length && (texts[index] ?? '') < from) index += 1;
    const first = index;
    while (index < days.length && (texts[index] ?? '') <= to) index += 1;
    return { ...point, sums: sumsOf(days.slice(first, index)) };
  });
}
