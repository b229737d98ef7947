// The periods of the overview, and how they compare. Pure.

export type OverviewPeriod = '7d' | '30d' | '90d' | '12m';

/** Both inclusive. */
export interface Days {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

export interface Compared {
  readonly current: Days;
  readonly before: Days;
  /** What a point of the charts covers. */
  readonly step: 'day' | 'month';
}

const lengths = { '7d': 7, '30d': 30, '90d': 90 } as const;

/**
 * The days up to today, and as many before them. Twelve months begin with the first of a month, and are compared with the
 * same days of the year before.
 */
export function periodsOf(period: OverviewPeriod, today: Temporal.PlainDate): Compared {
  if (period === '12m') {
    const current = { from: today.with({ day: 1 }).subtract({ months: 11 }), to: today };
    const before = { from: current.from.subtract({ months: 12 }), to: today.subtract({ months: 12 }) };
    return { current, before, step: 'month' };
  }
  const days = lengths[period];
  const from = today.subtract({ days: days - 1 });
  return {
    current: { from, to: today },
    before: { from: from.subtract({ days }), to: from.subtract({ days: 1 }) },
    step: 'day',
  };
}

/** The days or months of a period, in order. */
export function pointsOf({ from, to }: Days, step: Compared['step']): Days[] {
  const points: Days[] = [];
  for (let start = from; Temporal.PlainDate.compare(start, to) <= 0; ) {
    const next = step === 'day' ? start.add({ days: 1 }) : start.with({ day: 1 }).add({ months: 1 });
    const last = next.subtract({ days: 1 });
    points.push({ from: start, to: Temporal.PlainDate.compare(last, to) < 0 ? last : to });
    start = next;
  }
  return points;
}

/** The instants of these days in a time zone: from inclusive, to exclusive. */
export function instantsOf({ from, to }: Days, zone: string) {
  const start = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).toInstant();
  return { from: start(from), to: start(to.add({ days: 1 })) };
}

/** A share in percent with one place, rounded half up; null of nothing. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((part * 2_000n + whole) / (whole * 2n)) / 10;
}

/** The change in percent with one place; null if there was nothing before. */
export function changeOf(now: bigint, before: bigint): number | null {
  if (before <= 0n) return null;
  const difference = now - before;
  const size = percentOf(difference < 0n ? -difference : difference, before) ?? 0;
  return difference < 0n ? -size : size;
}
