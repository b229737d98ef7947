import type { QueryOf } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { channelIds, useChannelName } from '../../ui/channels/channels.ts';
import { DayFilter, FilterBar, SelectFilter, TextFilter } from '../../ui/list/filters.tsx';
import { listText } from '../../ui/list/words.ts';
import { statuses } from './status.tsx';
import { transactionText } from './words.ts';

export const filterNames = ['q', 'status', 'channelId', 'from', 'to', 'amountFrom', 'amountTo'] as const;
export type Filters = Record<(typeof filterNames)[number], string>;
const noFilters: Filters = { q: '', status: '', channelId: '', from: '', to: '', amountFrom: '', amountTo: '' };

/** Shown as a status of its own, although it can still be paid. */
const declined = 'declined' as const;

/** Choices that do not exist are left out; what was typed is for the service to judge. */
export function queryOf({ status, channelId, ...others }: Filters): QueryOf<'GET /panel/api/transactions'> {
  const known = status === declined ? undefined : statuses.find((one) => one === status);
  const given = Object.entries(others).filter(([, value]) => value);
  return {
    ...Object.fromEntries(given),
    ...(known ? { status: known } : {}),
    ...(status === declined ? { status: 'pending', paymentStatus: declined } : {}),
    ...(channelIds.includes(channelId) ? { channelId: Number(channelId) } : {}),
  };
}

/** As the service reads amounts; people may type a comma. */
const plainAmount = (text: string) => text.replaceAll(/\s/g, '').replace(',', '.');

interface TransactionFiltersProps {
  readonly filters: Filters;
  readonly active: number;
  readonly change: (changes: Partial<Filters>) => void;
}

export function TransactionFilters({ filters, active, change }: TransactionFiltersProps) {
  const t = useText(transactionText);
  const list = useText(listText);
  const channelName = useChannelName();
  const set = (name: keyof Filters) => (value: string) => change({ [name]: value });
  const setAmount = (name: keyof Filters) => (value: string) => change({ [name]: plainAmount(value) });
  return (
    <FilterBar active={active} clear={() => change(noFilters)}>
      <TextFilter label={t('search')} value={filters.q} change={set('q')} placeholder={t('searchHint')} wide />
      <SelectFilter
        label={list('status')}
        value={filters.status}
        change={set('status')}
        options={[...statuses, declined].map((value) => ({ value, label: t(value === 'pending' ? 'unpaid' : value) }))}
      />
      <SelectFilter
        label={t('method')}
        value={filters.channelId}
        change={set('channelId')}
        options={channelIds.map((value) => ({ value, label: channelName(value) }))}
      />
      <DayFilter label={list('from')} value={filters.from} change={set('from')} />
      <DayFilter label={list('to')} value={filters.to} change={set('to')} />
      <TextFilter label={t('amountFrom')} value={filters.amountFrom} change={setAmount('amountFrom')} />
      <TextFilter label={t('amountTo')} value={filters.amountTo} change={setAmount('amountTo')} />
    </FilterBar>
  );
}
