import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Attention } from './attention/attention.tsx';
import { Business } from './business.tsx';
import { type Period, periodOf, periods } from './period.ts';
import { overviewText } from './words.ts';

const filterNames = ['period'] as const;

export default function Overview() {
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const period = periodOf(filters.period);
  const overview = useQuery({
    ...read('GET /panel/api/overview', { query: { period } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={screen('overview')}
      actions={<PeriodChoice period={period} choose={(chosen) => change({ period: chosen }, { push: true })} />}
    >
      <Attention currency={overview.data?.currency ?? 'PLN'} />
      <Loaded query={overview} lines={10}>
        {(data) => <Business overview={data} />}
      </Loaded>
    </Page>
  );
}

interface PeriodChoiceProps {
  readonly period: Period;
  readonly choose: (period: Period) => void;
}

function PeriodChoice({ period, choose }: PeriodChoiceProps) {
  const t = useText(overviewText);
  return (
    <SegmentedControl
      aria-label={t('period')}
      value={period}
      onChange={choose}
      data={periods.map((value) => ({ value, label: t(value) }))}
    />
  );
}
