import { IconBuildingStore } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer, QueryOf } from '../../api/endpoints.ts';
import { useCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { DayFilter, FilterBar, SelectFilter, TextFilter } from '../../ui/list/filters.tsx';
import { Pages } from '../../ui/list/pages.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { StateMark, states } from './status.tsx';
import { marketText } from './words.ts';

type Row = Answer<'GET /marketplace/v1/transaction'>['list'][number];

const filterNames = ['status', 'seller', 'hiddenDescription', 'from', 'to', 'page'] as const;
type Filters = Record<(typeof filterNames)[number], string>;
const noFilters = { status: '', seller: '', hiddenDescription: '', from: '', to: '', page: '' };

function queryOf({
  status,
  seller,
  hiddenDescription,
  from,
  to,
  page,
}: Filters): QueryOf<'GET /marketplace/v1/transaction'> {
  const known = states.find((state) => state === status);
  return {
    ...(known ? { status: known } : {}),
    ...(seller ? { merchantId: [seller] } : {}),
    ...(hiddenDescription ? { hiddenDescription } : {}),
    ...(from ? { from: `${from} 00:00:00` } : {}),
    ...(to ? { to: `${to} 23:59:59` } : {}),
    page: Number(page) || 1,
  };
}

export default function MarketTransactions() {
  const t = useText(marketText);
  const [filters, change] = useFilters(filterNames);
  const query = read('GET /marketplace/v1/transaction', { query: queryOf(filters) });
  const list = useQuery({ ...query, placeholderData: keepPreviousData });
  const active = filterNames.filter((name) => name !== 'page' && filters[name]).length;
  return (
    <Page title={t('list')} about={t('about')}>
      <MarketFilters filters={filters} active={active} change={change} />
      <div className="card">
        <Loaded query={list}>
          {(data) => (
            <>
              {data.list.length > 0 ? <Rows rows={data.list} /> : <None filtered={active > 0} />}
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

interface MarketFiltersProps {
  readonly filters: Filters;
  readonly active: number;
  readonly change: (changes: Partial<Filters>) => void;
}

function MarketFilters({ filters, active, change }: MarketFiltersProps) {
  const t = useText(marketText);
  const list = useText(listText);
  const sellers = useQuery(read('GET /accounts', { query: { limit: 100 } }));
  const set = (name: keyof Filters) => (value: string) => change({ [name]: value, page: '' });
  return (
    <FilterBar active={active} clear={() => change(noFilters)}>
      <SelectFilter
        label={list('status')}
        value={filters.status}
        change={set('status')}
        options={states.map((value) => ({ value, label: t(value) }))}
      />
      <SelectFilter
        label={t('seller')}
        value={filters.seller}
        change={set('seller')}
        options={sellers.data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      <TextFilter label={t('reference')} value={filters.hiddenDescription} change={set('hiddenDescription')} />
      <DayFilter label={list('from')} value={filters.from} change={set('from')} />
      <DayFilter label={list('to')} value={filters.to} change={set('to')} />
    </FilterBar>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(marketText);
  const list = useText(listText);
  const format = useFormat();
  const cents = useCents();
  const columns: readonly Column<Row>[] = [
    {
      key: 'title',
      label: list('transaction'),
      lead: true,
      cell: ({ transactionId, title }) => (
        <TextLink to={`/marketplace/transactions/${transactionId}`} className="mono" size="sm">
          {title}
        </TextLink>
      ),
    },
    { key: 'amount', label: list('amount'), align: 'end', cell: ({ amount, currency }) => cents(amount, currency) },
    { key: 'status', label: list('status'), cell: ({ status }) => <StateMark status={status} /> },
    { key: 'children', label: t('children'), align: 'end', cell: ({ children }) => format.number(children) },
    { key: 'description', label: list('description'), cell: ({ description }) => description },
    { key: 'payer', label: list('payer'), cell: ({ billingAddress }) => billingAddress.email },
    { key: 'date', label: t('created'), cell: ({ date }) => format.local(date.creation) },
  ];
  return <Table label={t('list')} columns={columns} rows={rows} keyOf={({ transactionId }) => transactionId} links />;
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(marketText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty icon={IconBuildingStore} title={t('empty')}>
      {t('emptyHint')}
    </Empty>
  );
}
