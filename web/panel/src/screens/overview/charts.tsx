// The charts and their library: loaded only when there is something to draw.

import '@mantine/charts/styles.css';
import { AreaChart, CompositeChart } from '@mantine/charts';
import { useFormat } from '../../i18n/format.ts';
import { overviewText } from '../../i18n/overview.ts';
import { useText } from '../../i18n/text.ts';
import { type Overview, usePointName } from './period.ts';

interface ChartProps {
  readonly overview: Overview;
}

/** What both charts have in common: quiet lines, short numbers at the axis, exact amounts at the pointer. */
function useLook({ currency }: Overview) {
  const format = useFormat();
  const short = new Intl.NumberFormat(format.locale, { notation: 'compact', maximumFractionDigits: 1 });
  return {
    h: 260,
    dataKey: 'name',
    gridColor: 'var(--panel-line)',
    textColor: 'var(--mantine-color-dimmed)',
    tickLine: 'none',
    valueFormatter: (value: number) => format.amount(value, currency),
    yAxisProps: { width: 52, tickFormatter: (value: number) => short.format(value) },
    xAxisProps: { minTickGap: 24 },
  } as const;
}

export function VolumeChart({ overview }: ChartProps) {
  const t = useText(overviewText);
  const nameOf = usePointName(overview.period);
  const { points, pointsBefore, before } = overview;
  const thisPeriod = { name: 'volume', type: 'bar', label: t('thisPeriod'), color: 'var(--chart-main)' } as const;
  const periodBefore = {
    name: 'before',
    type: 'line',
    label: t('periodBefore'),
    color: 'var(--chart-other)',
    strokeDasharray: '4 4',
  } as const;
  const data = points.map((point, index) => ({
    name: nameOf(point),
    volume: point.volume,
    before: pointsBefore[index]?.volume,
  }));
  return (
    <CompositeChart
      {...useLook(overview)}
      data={data}
      series={before.volume > 0 ? [thisPeriod, periodBefore] : [thisPeriod]}
      withLegend={before.volume > 0}
      withDots={false}
      curveType="linear"
      maxBarWidth={28}
      composedChartProps={{ accessibilityLayer: false }}
    />
  );
}

export function BalanceChart({ overview }: ChartProps) {
  const t = useText(overviewText);
  const nameOf = usePointName(overview.period);
  const data = overview.points.map((point) => ({ name: nameOf(point), balance: point.balance }));
  return (
    <AreaChart
      {...useLook(overview)}
      data={data}
      series={[{ name: 'balance', label: t('balance'), color: 'var(--chart-main)' }]}
      withDots={false}
      curveType="stepAfter"
      areaChartProps={{ accessibilityLayer: false }}
    />
  );
}
