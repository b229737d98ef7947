// The key figures, each with that of the period before. All numbers are the service's.

import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { TextLink } from '../../ui/link.tsx';
import type { Overview } from './period.ts';
import { overviewText } from './words.ts';

interface Tile {
  readonly label: string;
  readonly to: string;
  readonly value: string;
  readonly about: string;
  readonly before: string;
  readonly change?: number | null;
  /** The difference of two percentages, which is no percentage. */
  readonly inPoints?: boolean;
  /** Whether more of it is good news. */
  readonly isGood?: boolean;
}

function useTiles({ current, before, change, currency }: Overview): readonly Tile[] {
  const t = useText(overviewText);
  const format = useFormat();
  const amount = (value: number) => format.amount(value, currency);
  const rate = (percent: number | null) => (percent === null ? '–' : format.percent(percent / 100));
  const { paid, canceled, pending } = current.created;
  const total = paid + canceled;
  const finished =
    total === 0 ? t('noneFinished') : t('finished', { paid: format.number(paid), total: format.number(total) });
  return [
    {
      label: t('volume'),
      to: '/transactions',
      value: amount(current.volume),
      about: t('payments', { count: current.payments }),
      before: amount(before.volume),
      change: change.volume,
      isGood: true,
    },
    {
      label: t('successRate'),
      to: '/transactions',
      value: rate(current.successRate),
      about: pending > 0 ? `${finished}; ${t('pending', { count: pending })}` : finished,
      before: rate(before.successRate),
      change: change.successRate,
      inPoints: true,
      isGood: true,
    },
    {
      label: t('refunded'),
      to: '/refunds',
      value: amount(current.refundedNet),
      about: [
        t('refunds', { count: current.refunds }),
        ...(current.refundsReturned > 0 ? [t('cameBack', { count: current.refundsReturned })] : []),
      ].join(', '),
      before: amount(before.refundedNet),
      change: change.refunded,
    },
    {
      label: t('balance'),
      to: '/money',
      value: amount(current.balance),
      about: t('endOfPeriod'),
      before: amount(before.balance),
    },
  ];
}

export function Tiles({ overview }: { readonly overview: Overview }) {
  const t = useText(overviewText);
  const format = useFormat();
  const { current, before } = overview;
  const days = ({ from, to }: { readonly from: string; readonly to: string }) => ({
    from: format.local(from),
    to: format.local(to),
  });
  return (
    <section aria-label={t('key')}>
      <p className="tiles-days">
        <strong>{t('days', days(current))}</strong> {t('compared', days(before))}
      </p>
      <ul className="tiles">
        {useTiles(overview).map((tile) => (
          <li key={tile.label} className="card tile">
            <TextLink to={tile.to} size="sm" fw={600}>
              {tile.label}
            </TextLink>
            <div className="tile-value numeric">{tile.value}</div>
            <div className="tile-about">{tile.about}</div>
            <div className="tile-before">
              <Change change={tile.change ?? null} isGood={tile.isGood ?? false} inPoints={tile.inPoints ?? false} />
              <span className="numeric">{t('before', { value: tile.before })}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ChangeProps {
  readonly change: number | null;
  readonly isGood: boolean;
  readonly inPoints: boolean;
}

/** How much more or less than before, as the service says it. */
function Change({ change, isGood, inPoints }: ChangeProps) {
  const t = useText(overviewText);
  const { locale } = useFormat();
  if (change === null) return null;
  const Arrow = change > 0 ? IconArrowUpRight : change < 0 ? IconArrowDownRight : IconArrowRight;
  const tone = !isGood || change === 0 ? 'plain' : change > 0 ? 'good' : 'bad';
  const shape = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  const percent = new Intl.NumberFormat(locale, { ...shape, style: 'percent' }).format(change / 100);
  const points = t('points', { value: new Intl.NumberFormat(locale, shape).format(change) });
  return (
    <span className="change numeric" data-tone={tone}>
      <Arrow size={16} aria-hidden="true" />
      {inPoints ? points : percent}
    </span>
  );
}
