import { IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFilters } from '../../address.ts';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { TextLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/list/empty.tsx';
import { FilterBar, SelectFilter } from '../../ui/list/filters.tsx';
import { Older } from '../../ui/list/older.tsx';
import { type Column, Table } from '../../ui/list/table.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { everyText, RecurringStatus, recurringStates } from './status.tsx';
import { recurringText } from './words.ts';

type Row = Answer<'GET /panel/api/recurring'>['recurring'][number];
const filterNames = ['status', 'before'] as const;

export default function RecurringPayments() {
  const t = useText(recurringText);
  const list = useText(listText);
  const screen = useText(screenText);
  const [filters, change] = useFilters(filterNames);
  const { before } = filters;
  const status = recurringStates.find((one) => one === filters.status);
  const query = { before, ...(status ? { status } : {}) };
  const found = useQuery({ ...read('GET /panel/api/recurring', { query }), placeholderData: keepPreviousData });
  const goesOn = Boolean(before || found.data?.nextBefore);
  return (
    <Page title={screen('recurring')} about={t('about')}>
      <FilterBar active={status === undefined ? 0 : 1} clear={() => change({ status: '', before: '' })}>
        <SelectFilter
          label={list('status')}
          value={filters.status}
          change={(value) => change({ status: value, before: '' })}
          options={recurringStates.map((value) => ({ value, label: t(value) }))}
        />
      </FilterBar>
      <div className="card">
        <Loaded query={found}>
          {({ recurring }) =>
            recurring.length > 0 ? <Rows rows={recurring} /> : <None filtered={status !== undefined || goesOn} />
          }
        </Loaded>
      </div>
      <Older
        before={before}
        nextBefore={found.data?.nextBefore}
        open={(to) => change({ before: to }, { push: true })}
      />
    </Page>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const t = useText(recurringText);
  const list = useText(listText);
  const format = useFormat();
  const columns: readonly Column<Row>[] = [
    {
      key: 'description',
      label: list('description'),
      lead: true,
      cell: ({ recurringId, description }) => (
        <TextLink to={`/recurring/${recurringId}`} size="sm">
          {description}
        </TextLink>
      ),
    },
    { key: 'amount', label: list('amount'), align: 'end', cell: (row) => format.amount(row.amount, row.currency) },
    { key: 'repeats', label: t('repeats'), cell: (row) => everyText(t, row) },
    { key: 'status', label: list('status'), cell: ({ status }) => <RecurringStatus status={status} /> },
    {
      key: 'next',
      label: t('next'),
      cell: ({ nextAt, inProgress }) => (inProgress ? t('inProgress') : nextAt ? format.dateTime(nextAt) : ''),
    },
    { key: 'last', label: t('lastAttempt'), cell: (row) => <LastAttempt row={row} /> },
    { key: 'payer', label: list('payer'), cell: ({ payerEmail }) => payerEmail },
  ];
  return <Table label={t('list')} columns={columns} rows={rows} keyOf={({ recurringId }) => recurringId} links />;
}

function LastAttempt({ row: { lastState } }: { readonly row: Row }) {
  const t = useText(recurringText);
  if (lastState === null) return null;
  const paid = lastState === 'correct';
  return <Status tone={paid ? 'good' : 'bad'}>{t(paid ? 'attemptCorrect' : 'attemptFailed')}</Status>;
}

function None({ filtered }: { readonly filtered: boolean }) {
  const t = useText(recurringText);
  const list = useText(listText);
  if (filtered) return <Empty title={list('nothingMatches')}>{list('nothingMatchesHint')}</Empty>;
  return (
    <Empty icon={IconRepeat} title={t('empty')}>
      {t('emptyHint')}
    </Empty>
  );
}
