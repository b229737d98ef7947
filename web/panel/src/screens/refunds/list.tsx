import { IconArrowBackUp } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer, QueryOf } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { DayFilter, FilterBar, SelectFilter, TextFilter } from '../../ui/list/filters.tsx';
import { Pages } from '../../ui/list/pages.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { RefundStatus } from './status.tsx';
import { refundText } from './words.ts';

type List = Answer<'GET /refunds'>;
type Row = List['transactions']['list'][number];

const filterNames = ['from', 'to', 'transactionTitle', 'payerEmail', 'context', 'page'] as const;
type Filters = Record<(typeof filterNames)[number], string>;
const noFilters = { from: '', to: '', transactionTitle: '', payerEmail: '', context: '', page: '' };

/** Days of the address as the moments that the API wants. */
function queryOf({ from, to, page, context, ...texts }: Filters): QueryOf<'GET /refunds'> {
  return {
    ...texts,
    ...(from ? { from: `${from} 00:00:00` } : {}),
    ...(to ? { to: `${to} 23:59:59` } : {}),
    ...(context === 'card' || context === 'transactional' ? { context } : {}),
    page: Number(page) || 1,
  };
}

export default function Refunds() {
  const t = useText(refundText);
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const list = useQuery({ ...read('GET /refunds', { query: queryOf(filters) }), placeholderData: keepPreviousData });
  const active = filterNames.filter((name) => name !== 'page' && filters[name]).length;
  return (
    <Page title={screen('refunds')} about={t('about')}>
      <Filters filters={filters} active={active} change={change} />
      <div className="card">
        <Loaded query={list}>
          {(data) => (
            <>
              {data.transactions.list.length > 0 ? (
                <RefundTable rows={data.transactions.list} />
              ) : (
                <NoRefunds filtered={active > 0} />
              )}
              {data.total > 0 ? (
                <Pages {...data} open={(page) => change({ page: String(page) }, { push: true })} />
              ) : null}
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

interface FiltersProps {
  readonly filters: Filters;
  readonly active: number;
  readonly change: (changes: Partial<Filters>) => void;
}

function Filters({ filters, active, change }: FiltersProps) {
  const t = useText(refundText);
  const list = useText(listText);
  const set = (name: keyof Filters) => (value: string) => change({ [name]: value, page: '' });
  return (
    <FilterBar active={active} clear={() => change(noFilters)}>
      <TextFilter label={t('title')} value={filters.transactionTitle} change={set('transactionTitle')} />
      <TextFilter label={list('payerEmail')} value={filters.payerEmail} change={set('payerEmail')} />
      <SelectFilter
        label={t('way')}
        value={filters.context}
        change={set('context')}
        options={[
          { value: 'card', label: t('card') },
          { value: 'transactional', label: t('transactional') },
        ]}
      />
      <DayFilter label={list('from')} value={filters.from} change={set('from')} />
      <DayFilter label={list('to')} value={filters.to} change={set('to')} />
    </FilterBar>
  );
}

function RefundTable({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(refundText);
  const list = useText(listText);
  const format = useFormat();
  const columns: readonly Column<Row>[] = [
    {
      key: 'amount',
      label: list('amount'),
      lead: true,
      cell: ({ refundId, amount, currency }) => (
        <TextLink to={`/refunds/${refundId}`} className="numeric" size="sm" fw={600}>
          {format.amount(amount, currency)}
        </TextLink>
      ),
    },
    { key: 'status', label: list('status'), cell: ({ status }) => <RefundStatus status={status} /> },
    {
      key: 'transaction',
      label: list('transaction'),
      cell: ({ transactionId, transactionTitle }) => (
        <TextLink to={`/transactions/${transactionId}`} className="mono" size="sm">
          {transactionTitle}
        </TextLink>
      ),
    },
    { key: 'schedule', label: t('requested'), cell: ({ date }) => format.local(date.schedule) },
    {
      key: 'processed',
      label: t('processed'),
      cell: ({ date }) => (date.processed ? format.local(date.processed) : ''),
    },
  ];
  return <Table label={t('list')} columns={columns} rows={rows} keyOf={({ refundId }) => refundId} links />;
}

function NoRefunds({ filtered }: { readonly filtered: boolean }) {
  const t = useText(refundText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty
      icon={IconArrowBackUp}
      title={t('empty')}
      action={
        <ButtonLink to="/transactions" search={{ status: 'paid' }} variant="default" mt="sm">
          {t('toTransactions')}
        </ButtonLink>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}
