import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { callWith } from '../../api/client.ts';
import type { Answer, QueryOf } from '../../api/endpoints.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { useChannelName } from '../../ui/channels/channels.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { Export } from '../../ui/list/export.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import { filterNames, queryOf, TransactionFilters } from './filters.tsx';
import { type Row, TransactionStatus } from './status.tsx';
import { Views } from './views/views.tsx';
import { transactionText } from './words.ts';

const name = 'GET /panel/api/transactions';

/** Page after page, each from where the one before it ended. */
function useSearch(query: QueryOf<typeof name>) {
  return useInfiniteQuery({
    queryKey: [name, { query }, 'pages'],
    queryFn: ({ pageParam: before, signal }) =>
      callWith({ signal }, name, { query: { ...query, ...(before === null ? {} : { before }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextBefore,
    placeholderData: keepPreviousData,
  });
}

export default function Transactions() {
  const t = useText(transactionText);
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const query = queryOf(filters);
  const found = useSearch(query);
  const active = filterNames.filter((one) => filters[one]).length;
  const mayWrite = useMay('write');
  return (
    <Page
      title={screen('transactions')}
      about={t('about')}
      actions={
        <>
          <Export name="GET /panel/api/transactions/export" query={query} />
          {mayWrite ? <ButtonLink to="/transactions/new">{t('newPayment')}</ButtonLink> : null}
        </>
      }
    >
      <Views filters={filters} />
      <TransactionFilters filters={filters} active={active} change={change} />
      <div className="card">
        <Loaded query={found}>
          {({ pages }) => (
            <Found
              pages={pages}
              filtered={active > 0}
              busy={found.isFetchingNextPage}
              more={() => void found.fetchNextPage()}
            />
          )}
        </Loaded>
      </div>
    </Page>
  );
}

interface FoundProps {
  readonly pages: readonly Answer<typeof name>[];
  readonly filtered: boolean;
  readonly busy: boolean;
  readonly more: () => void;
}

function Found({ pages, filtered, busy, more }: FoundProps) {
  const rows = pages.flatMap(({ transactions }) => transactions);
  const last = pages.at(-1);
  const isMore = Boolean(last?.nextBefore);
  if (rows.length === 0 && !isMore) return <None filtered={filtered} />;
  return (
    <>
      {rows.length > 0 ? <Rows rows={rows} /> : null}
      <More count={rows.length} searchedTo={last?.searchedTo ?? null} isMore={isMore} busy={busy} more={more} />
    </>
  );
}

interface MoreProps extends Pick<FoundProps, 'busy' | 'more'> {
  readonly count: number;
  readonly searchedTo: string | null;
  readonly isMore: boolean;
}

/** One request looks through a bounded number of transactions, so it says how far that was. */
function More({ count, searchedTo, isMore, busy, more }: MoreProps) {
  const t = useText(transactionText);
  const common = useText(commonText);
  const format = useFormat();
  return (
    <Group justify="space-between" p="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {t('shown', { count })}
        {searchedTo ? ` · ${t('searchedTo', { date: format.dateTime(searchedTo) })}` : ''}
      </Text>
      {isMore ? (
        <Button variant="default" loading={busy} onClick={more}>
          {count > 0 ? common('more') : t('searchFurther')}
        </Button>
      ) : null}
    </Group>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(transactionText);
  const list = useText(listText);
  const format = useFormat();
  const channelName = useChannelName();
  const columns: readonly Column<Row>[] = [
    {
      key: 'title',
      label: list('transaction'),
      lead: true,
      cell: ({ transactionId, title }) => (
        <TextLink to={`/transactions/${transactionId}`} className="mono nowrap" size="sm">
          {title}
        </TextLink>
      ),
    },
    {
      key: 'amount',
      label: list('amount'),
      align: 'end',
      cell: ({ amount, currency }) => format.amount(amount, currency),
    },
    { key: 'status', label: list('status'), cell: (row) => <TransactionStatus of={row} /> },
    {
      key: 'description',
      label: list('description'),
      cell: ({ description }) => <span className="clipped">{description}</span>,
    },
    {
      key: 'payer',
      label: list('payer'),
      cell: ({ payerEmail, payerName }) => <span className="clipped">{payerEmail || payerName}</span>,
    },
    {
      key: 'method',
      label: t('method'),
      cell: ({ channelId }) => (channelId === null ? '' : channelName(channelId)),
    },
    {
      key: 'created',
      label: t('created'),
      cell: ({ createdAt }) => <span className="numeric">{format.dateTime(createdAt)}</span>,
    },
  ];
  return <Table label={t('list')} columns={columns} rows={rows} keyOf={({ transactionId }) => transactionId} links />;
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(transactionText);
  const list = useText(listText);
  const mayWrite = useMay('write');
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty
      icon={IconListDetails}
      title={t('empty')}
      action={
        <Group gap="md" mt="sm" justify="center">
          {mayWrite ? <ButtonLink to="/transactions/new">{t('newPayment')}</ButtonLink> : null}
          <Anchor href="/docs/" size="sm">
            {t('docs')}
          </Anchor>
        </Group>
      }
    >
      {mayWrite ? t('emptyHint') : t('emptyReading')}
    </Empty>
  );
}
