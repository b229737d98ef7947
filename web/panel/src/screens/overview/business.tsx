// How business goes: key figures and charts.

import { IconChartBar } from '@tabler/icons-react';
import { useText } from '../../language/text.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { ChartSection } from './chart-section.tsx';
import { BalanceChart, VolumeChart } from './charts.tsx';
import type { Overview, Period } from './period.ts';
import { Tiles } from './tiles.tsx';
import { overviewText } from './words.ts';

/** Whether there is anything to draw, in this period or the one before. */
function isQuiet({ current, before }: Overview): boolean {
  return [current, before].every(({ created, payments, refunds }) => created.total + payments + refunds === 0);
}

export function Business({ overview }: { readonly overview: Overview }) {
  const t = useText(overviewText);
  const { period } = overview;
  return (
    <>
      <Tiles overview={overview} />
      {isQuiet(overview) ? (
        <Quiet period={period} />
      ) : (
        <>
          <ChartSection
            title={t(period === '12m' ? 'volumeByMonth' : 'volumeByDay')}
            overview={overview}
            columns={['volume', 'payments', 'refunded']}
          >
            <VolumeChart overview={overview} />
          </ChartSection>
          <ChartSection title={t('balanceOverTime')} overview={overview} columns={['balance']}>
            <BalanceChart overview={overview} />
          </ChartSection>
        </>
      )}
    </>
  );
}

function Quiet({ period }: { readonly period: Period }) {
  const t = useText(overviewText);
  return (
    <div className="card">
      <Empty
        icon={IconChartBar}
        title={t('empty')}
        action={
          <div className="empty-actions">
            <ButtonLink to="/transactions">{t('toTransactions')}</ButtonLink>
            {period === '12m' ? null : (
              <ButtonLink to="/" search={{ period: '12m' }} variant="default">
                {t('longer')}
              </ButtonLink>
            )}
          </div>
        }
      >
        {t('emptyHint')}
      </Empty>
    </div>
  );
}
