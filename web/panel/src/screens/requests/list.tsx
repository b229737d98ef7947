import { Anchor } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { FilterBar, SelectFilter, TextFilter } from '../../ui/list/filters.tsx';
import { Older } from '../../ui/list/older.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { HttpStatus } from './http-status.tsx';
import { requestText } from './words.ts';

type Row = Answer<'GET /panel/api/requests'>['requests'][number];
const filterNames = ['status', 'endpoint', 'requestId', 'before'] as const;
const noFilters = { status: '', endpoint: '', requestId: '', before: '' };

export default function Requests() {
  const t = useText(requestText);
  const list = useText(listText);
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const { status, endpoint, requestId, before } = filters;
  const known = (['success', 'error'] as const).find((one) => one === status);
  const query = { ...(known ? { status: known } : {}), endpoint, requestId, before };
  const requests = useQuery({ ...read('GET /panel/api/requests', { query }), placeholderData: keepPreviousData });
  const active = [status, endpoint, requestId].filter(Boolean).length;
  const set = (name: keyof typeof noFilters) => (value: string) => change({ [name]: value, before: '' });
  return (
    <Page title={screen('requests')} about={t('requestsAbout')}>
      <FilterBar active={active} clear={() => change(noFilters)}>
        <SelectFilter
          label={list('status')}
          value={status}
          change={set('status')}
          options={[
            { value: 'success', label: t('success') },
            { value: 'error', label: t('error') },
          ]}
        />
        <TextFilter label={t('endpoint')} value={endpoint} change={set('endpoint')} placeholder="E1" />
        <TextFilter label={t('requestId')} value={requestId} change={set('requestId')} />
      </FilterBar>
      <div className="card">
        <Loaded query={requests}>
          {(data) => (data.requests.length > 0 ? <Rows rows={data.requests} /> : <None filtered={active > 0} />)}
        </Loaded>
      </div>
      <Older
        before={before}
        nextBefore={requests.data?.nextBefore}
        open={(to) => change({ before: to }, { push: true })}
      />
    </Page>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(requestText);
  const list = useText(listText);
  const screen = useText(screenText);
  const format = useFormat();
  const columns: readonly Column<Row>[] = [
    {
      key: 'path',
      label: t('request'),
      lead: true,
      cell: ({ id, method, path }) => (
        <TextLink to={`/developers/requests/${id}`} className="mono" size="sm">
          {method} {path}
        </TextLink>
      ),
    },
    { key: 'status', label: list('status'), cell: ({ status }) => <HttpStatus status={status} /> },
    { key: 'endpoint', label: t('endpoint'), cell: ({ endpoint }) => endpoint },
    { key: 'time', label: t('time'), cell: ({ at }) => format.dateTime(at) },
    {
      key: 'took',
      label: t('took'),
      align: 'end',
      cell: ({ milliseconds }) => t('milliseconds', { value: format.number(milliseconds) }),
    },
    { key: 'ignored', label: t('ignored'), cell: ({ ignoredFields }) => ignoredFields },
  ];
  return <Table label={screen('requests')} columns={columns} rows={rows} keyOf={({ id }) => id} links />;
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(requestText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty
      icon={IconCode}
      title={t('noRequests')}
      action={
        <Anchor href="/docs" target="_blank" size="sm">
          {t('reference')}
        </Anchor>
      }
    >
      {t('noRequestsHint')}
    </Empty>
  );
}
