import { useMemo } from 'react';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';

export type Overview = Answer<'GET /panel/api/overview'>;
export type Point = Overview['points'][number];
export type Period = Overview['period'];

export const periods: readonly Period[] = ['7d', '30d', '90d', '12m'];

/** Of the address; anything else is the usual one. */
export function periodOf(text: string): Period {
  return periods.find((period) => period === text) ?? '30d';
}

/** Names points of the charts: days, or months in 12 months. They are in the account's zone already. */
export function usePointName(period: Period): (point: Point) => string {
  const { locale } = useFormat();
  return useMemo(() => {
    const shape =
      period === '12m' ? ({ month: 'short', year: 'numeric' } as const) : ({ day: 'numeric', month: 'short' } as const);
    const name = new Intl.DateTimeFormat(locale, { ...shape, timeZone: 'UTC' });
    return ({ to }) => name.format(new Date(`${to}T00:00:00Z`));
  }, [locale, period]);
}
