// A chart, and the same numbers as a table for those who prefer to read them.

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { type Column, Table } from '../../ui/list/table.tsx';
import { Section } from '../../ui/page.tsx';
import { type Overview, type Point, usePointName } from './period.ts';
import { overviewText } from './words.ts';

type Figure = 'volume' | 'payments' | 'refunded' | 'balance';

interface ChartSectionProps {
  readonly title: string;
  readonly overview: Overview;
  /** Of the table. */
  readonly columns: readonly Figure[];
  readonly children: ReactNode;
}

export function ChartSection({ title, overview, columns, children }: ChartSectionProps) {
  const t = useText(overviewText);
  const format = useFormat();
  const [isTable, { toggle }] = useDisclosure();
  const { from, to } = overview.current;
  return (
    <Section
      title={title}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={isTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
          onClick={toggle}
        >
          {t(isTable ? 'asChart' : 'asTable')}
          <span className="hidden-label">: {title}</span>
        </Button>
      }
    >
      {isTable ? (
        <Points title={title} overview={overview} figures={columns} />
      ) : (
        <div role="img" aria-label={t('chart', { title, from: format.local(from), to: format.local(to) })}>
          {children}
        </div>
      )}
    </Section>
  );
}

interface PointsProps {
  readonly title: string;
  readonly overview: Overview;
  readonly figures: readonly Figure[];
}

function Points({ title, overview, figures }: PointsProps) {
  const t = useText(overviewText);
  const format = useFormat();
  const nameOf = usePointName(overview.period);
  const labels = {
    volume: t('volume'),
    payments: t('paymentCount'),
    refunded: t('refunded'),
    balance: t('balance'),
  };
  const isMonths = overview.period === '12m';
  const columns: readonly Column<Point>[] = [
    {
      key: 'day',
      label: t(isMonths ? 'month' : 'day'),
      lead: true,
      cell: (point) => (isMonths ? nameOf(point) : format.local(point.to)),
    },
    ...figures.map((figure) => ({
      key: figure,
      label: labels[figure],
      align: 'end' as const,
      cell: (point: Point) =>
        figure === 'payments' ? format.number(point.payments) : format.amount(point[figure], overview.currency),
    })),
  ];
  return <Table label={title} columns={columns} rows={overview.points.toReversed()} keyOf={({ from }) => from} />;
}
