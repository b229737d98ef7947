// The charts of the overview.

import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Chart } from './chart.tsx';
import { type Overview, usePointName } from './period.ts';
import { overviewText } from './words.ts';

interface ChartProps {
  readonly overview: Overview;
}

/** Short numbers at the axis, exact amounts at the pointer. */
function useNumbers({ currency }: Overview) {
  const format = useFormat();
  const compact = new Intl.NumberFormat(format.locale, { notation: 'compact', maximumFractionDigits: 1 });
  return {
    short: (value: number) => compact.format(value),
    exact: (value: number) => format.amount(value, currency),
  };
}

export function VolumeChart({ overview }: ChartProps) {
  const t = useText(overviewText);
  const nameOf = usePointName(overview.period);
  const { points, pointsBefore, before } = overview;
  return (
    <Chart
      {...useNumbers(overview)}
      kind="bars"
      label={t('thisPeriod')}
      otherLabel={before.volume > 0 ? t('periodBefore') : undefined}
      points={points.map((point, index) => ({
        name: nameOf(point),
        value: point.volume,
        other: pointsBefore[index]?.volume,
      }))}
    />
  );
}

export function BalanceChart({ overview }: ChartProps) {
  const t = useText(overviewText);
  const nameOf = usePointName(overview.period);
  return (
    <Chart
      {...useNumbers(overview)}
      kind="steps"
      label={t('balance')}
      points={overview.points.map((point) => ({ name: nameOf(point), value: point.balance }))}
    />
  );
}
